import { type Attribute, type Attributes, cloudName } from './row.js';

/** Decides on two values before they are compared; undefined where it does not. */
type Alike = (stated: unknown, actual: unknown) => boolean | undefined;
type Members = Readonly<Record<string, unknown>>;

/**
 * Tells whether an actual value, under Terraform's names or the cloud's, is the stated one: lists are sets, a number
 * may be written as text, empty is absent. What is not stated has its default, else whatever the cloud fills in.
 *
 * @param attribute its facts. @default - those of any value
 */
export function sameValue(
  attribute: Attribute | undefined,
  stated: unknown,
  actual: unknown,
  isAlike: Alike = () => undefined,
): boolean {
  const decided = isAlike(stated, actual);
  if (decided !== undefined) return decided;
  const fallback = attribute?.default ?? attribute?.cloudDefault;
  const [one, other] = [stated ?? fallback, isEmpty(actual) ? fallback : actual];
  if ((one ?? undefined) === undefined && attribute?.mode === 'optional-computed') return true;
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  if (Array.isArray(one)) {
    const isSame = (a: unknown, b: unknown) => sameValue(attribute, a, b, isAlike);
    return Array.isArray(other) && sameMembers(one, other, isSame);
  }
  if (isMembers(one)) return isMembers(other) && sameObject(attribute?.of, one, other, isAlike);
  const isNumber = attribute?.is.includes('number') === true;
  return String(one) === String(other) || (isNumber && Number(one) === Number(other));
}

/** Compares members once each; only those that are not alike letter by letter are looked at in pairs. */
function sameMembers(stated: readonly unknown[], actual: readonly unknown[], isSame: Alike) {
  const others = new Map(actual.map((one) => [JSON.stringify(one), one]));
  const own = new Map(stated.map((one) => [JSON.stringify(one), one]));
  for (const key of own.keys()) if (others.delete(key)) own.delete(key);
  const [left, right] = [[...own.values()], [...others.values()]];
  return (
    left.length === right.length &&
    left.every((one) => right.some((other) => isSame(one, other))) &&
    right.every((other) => left.some((one) => isSame(one, other)))
  );
}

function sameObject(attributes: Attributes = {}, stated: Members, actual: Members, isAlike: Alike) {
  return [...new Set([...Object.keys(stated), ...Object.keys(attributes)])].every((name) => {
    const attribute = attributes[name];
    if (attribute?.writeOnly || attribute?.mode === 'computed') return true;
    const found = actual[name] ?? actual[cloudName(name, attribute)];
    return sameValue(attribute, stated[name], found, isAlike);
  });
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: unknown): boolean {
  const isNothing = value === undefined || value === null || value === '';
  return isNothing || (Array.isArray(value) && value.length === 0);
}
