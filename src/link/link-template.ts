import { parseTemplate } from '../terraform/expressions.js';
import { LINKS_SCHEMA } from './link.js';

/** Stands for what an expression of Terraform will give; no link has it in a text. */
const OPEN = '\uFFFC';

/** The links of a stack as its tree has them: values, and expressions that only a deploy resolves. */
export interface LinksTemplate {
  readonly rulesDigest: string;
  readonly links: readonly Readonly<Record<string, unknown>>[];
}

/** Reads the value of an output of a synthesized stack; undefined where it is none with links. */
export function readLinksTemplate(value: unknown): LinksTemplate | undefined {
  if (typeof value !== 'string' || !value.startsWith(`{"schema":"${LINKS_SCHEMA}"`)) {
    return undefined;
  }
  return parseTemplate(value, () => OPEN) as LinksTemplate | undefined;
}

/** The fields, as paths, in which a value differs from what a template leaves open or fixes. */
export function differingFields(template: unknown, value: unknown, path = ''): string[] {
  if (template === OPEN) return [];
  if (typeof template === 'string' && typeof value === 'string') {
    return fits(template.split(OPEN), value) ? [] : [path];
  }
  if (!hasMembers(template) || !hasMembers(value)) return template === value ? [] : [path];
  const keys = new Set([...Object.keys(template), ...Object.keys(value)]);
  return [...keys].flatMap((key) => {
    const own = (from: object) =>
      Object.hasOwn(from, key) ? (from as Record<string, unknown>)[key] : undefined;
    return differingFields(own(template), own(value), path === '' ? key : `${path}.${key}`);
  });
}

/**
 * Requires an expression's value to have no slash, port or user in it: each would move the host.
 */
function fits([first = '', ...others]: readonly string[], value: string): boolean {
  const pattern = [first, ...others]
    .map((part) => part.replace(/[^\w]/g, '\\$&'))
    .join('[^/:@?#]*');
  return new RegExp(`^${pattern}$`, 's').test(value);
}

/**
 * Tells whether the host that a link leads to, or whose certificate it expects, is an expression.
 */
export function hasOpenHost({ baseUrl, tlsServerName }: LinksTemplate['links'][number]): boolean {
  return [baseUrl, tlsServerName].some((text) => String(text).includes(OPEN));
}

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
