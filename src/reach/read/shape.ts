import type { Attribute, Attributes } from '../../cloud/table/row.js';
import { isUnknown, member, object } from './json.js';

/**
 * Finds the first place in a value that does not have the shape of its attribute: a key that the
 * provider does not have or that Terraform would evaluate, a text where an object belongs, or an object
 * where a text belongs. A reader that looks for known keys would pass over it in silence.
 *
 * @param attribute undefined where the table has no such attribute: its keys must then be plain text
 * @returns the path of the place and the rule that it breaks, or undefined where all of it is known
 */
export function findMisfit(
  value: unknown,
  attribute: Attribute | undefined,
  path: string,
): string | undefined {
  if (attribute === undefined) return findTemplateKey(value, path);
  const { is, of = {} } = attribute;
  if (is === 'object') return findInObject(value, of, path);
  if (is === 'map(string)') return findTemplateKey(value, path);
  if (!is.startsWith('set') && !is.startsWith('list')) return findInScalar(value, path);
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  const areObjects = is.endsWith('(object)');
  for (const one of members) {
    const found = areObjects ? findInObject(one, of, path) : findInScalar(one, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInObject(value: unknown, of: Attributes, path: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (object(value) !== value) return `\`${path}\` is no object that a review reads`;
  return first(object(value), (key, inner) => {
    const attribute = Object.hasOwn(of, key) ? of[key] : undefined;
    if (attribute === undefined) return `the key \`${key}\` in \`${path}\` is not known`;
    return isWhole(inner, attribute) ? undefined : findMisfit(inner, attribute, `${path}.${key}`);
  });
}

/** Each reader says of an expression in place of a set that it is not known before the deploy. */
function isWhole(value: unknown, { is }: Attribute): boolean {
  return isUnknown(value) && !is.endsWith('object') && !is.endsWith('(object)');
}

function findInScalar(value: unknown, path: string): string | undefined {
  const isNested = typeof value === 'object' && value !== null;
  return isNested ? `\`${path}\` is no plain value` : undefined;
}

function findTemplateKey(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return first(value, (key, inner) =>
    isUnknown(key)
      ? `the key \`${key}\` in \`${path}\` is not known before the deploy`
      : findTemplateKey(inner, path),
  );
}

/** Makes no list of the members: objects are read by the thousand. */
function first(
  members: object,
  find: (key: string, value: unknown) => string | undefined,
): string | undefined {
  for (const key in members) {
    const found = Object.hasOwn(members, key) ? find(key, member(members, key)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
