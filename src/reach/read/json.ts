import { isObject, type JsonObject } from '../../files/json.js';
import { isTemplate } from '../../terraform/template.js';

export type Json = JsonObject;

/** A type of its own, so that a text which is not unknown is still a text. */
type Expression = `${string}{${string}`;

/** Tells whether a value is filled in by Terraform, or is a token that nobody resolved. */
export function isUnknown(value: unknown): value is Expression {
  return typeof value === 'string' && isTemplate(value);
}

export function object(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** Returns an own member of a value by its name. */
export function member(value: unknown, name: string | number): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isOwn ? (value as Record<string | number, unknown>)[name] : undefined;
}

export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}
