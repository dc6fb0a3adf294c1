import { type Attribute, type Attributes, cloudName } from '../cloud/table/row.js';
import type { PlannedCreate } from './read-plan.js';

/** An attribute of an object that is not as planned. */
export interface Difference {
  readonly attribute: string;
  readonly planned: unknown;
  readonly actual: unknown;
  /** True if Terraform would replace the object for it. */
  readonly replaces: boolean;
}

/**
 * Finds differences between the plan and the cloud. Tags are left out, because the mark has been compared
 * and others are changed in place; so is anything that cannot be read back.
 */
export function findDifferences(
  { row, values, ignored }: PlannedCreate,
  properties: Readonly<Record<string, unknown>>,
): Difference[] {
  return Object.entries(row.attributes).flatMap(([name, attribute]) => {
    const planned = values[name];
    const isLeftOut = name === 'tags' || ignored.has(name) || attribute.writeOnly;
    if (planned === undefined || isLeftOut || attribute.mode === 'computed') return [];
    const actual = properties[cloudName(name, attribute)];
    if (sameValue(attribute, planned, actual)) return [];
    return [{ attribute: name, planned, actual, replaces: attribute.replaces === true }];
  });
}

/** Tells whether a value in Terraform's form is the cloud's; sets have no order, and empty is absent. */
export function sameValue(
  attribute: Attribute | undefined,
  planned: unknown,
  actual: unknown,
): boolean {
  if (isEmpty(planned)) return isEmpty(actual);
  if (isEmpty(actual)) return false;
  if (Array.isArray(planned)) {
    return Array.isArray(actual) && sameMembers(attribute, planned, actual);
  }
  if (typeof planned !== 'object' || planned === null) return String(planned) === String(actual);
  if (typeof actual !== 'object' || actual === null) return false;
  return sameObject(attribute?.of ?? {}, planned, actual);
}

function sameMembers(
  attribute: Attribute | undefined,
  planned: readonly unknown[],
  actual: readonly unknown[],
): boolean {
  if (planned.length !== actual.length) return false;
  const left = [...actual];
  return planned.every((member) => {
    const at = left.findIndex((other) => sameValue(attribute, member, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function sameObject(attributes: Attributes, planned: object, actual: object): boolean {
  const values = new Map(Object.entries(planned));
  const found = new Map(Object.entries(actual));
  return Object.entries(attributes)
    .filter(([name, { writeOnly, mode }]) => values.has(name) && !writeOnly && mode !== 'computed')
    .every(([name, attribute]) => {
      const value = values.get(name);
      return value === null || sameValue(attribute, value, found.get(cloudName(name, attribute)));
    });
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}
