import type { Attribute, Attributes } from '../../cloud/table/row.js';
import { isObject as isJsonObject } from '../../files/json.js';

/** A value that Terraform will only know after apply. */
export const UNKNOWN: unique symbol = Symbol('unknown');

/** A value as Terraform's plugin protocol carries it; sets and lists are both arrays. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | typeof UNKNOWN
  | readonly Value[]
  | ObjectValue;

export interface ObjectValue {
  readonly [name: string]: Value;
}

export const isObject = isJsonObject as (value: Value | undefined) => value is ObjectValue;

export function isArray(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Tells whether the value or anything inside it is unknown. */
export function hasUnknown(value: Value): boolean {
  if (value === UNKNOWN) return true;
  if (isArray(value)) return value.some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}

/** Tells whether two values of an attribute are the same; the order of a set does not count. */
export function sameValue(attribute: Attribute, one: Value, other: Value): boolean {
  return canonical(attribute, one) === canonical(attribute, other);
}

export function mapAttributes(
  attributes: Attributes,
  of: (name: string, attribute: Attribute) => Value,
): ObjectValue {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, of(name, attribute)]),
  );
}

/** The object with every attribute null, as the protocol wants it complete. */
export function nullObject(attributes: Attributes): ObjectValue {
  return mapAttributes(attributes, () => null);
}

function canonical(attribute: Attribute, value: Value): string {
  if (value === UNKNOWN) return '?';
  if (isArray(value)) {
    const members = value.map((member) => canonical(attribute, member));
    return `[${(attribute.is.startsWith('set') ? members.sort() : members).join()}]`;
  }
  if (!isObject(value)) return typeof value === 'bigint' ? `${value}` : JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => {
      const member = attribute.of?.[name] ?? { is: 'string', mode: 'optional' };
      return `${JSON.stringify(name)}:${canonical(member, value[name] ?? null)}`;
    });
  return `{${members.join()}}`;
}
