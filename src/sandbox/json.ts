import { isObject as isAnyObject } from '../files/json.js';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

export const isObject = isAnyObject as (value: unknown) => value is JsonObject;

/** The text of a property, or '' where there is none. */
export function readText(object: JsonObject | undefined, name: string): string {
  const value = object?.[name];
  return typeof value === 'string' ? value : '';
}

/** The strings of a property that is a set of strings. */
export function readTexts(object: JsonObject | undefined, name: string): string[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The members of a property that is a set of objects. */
export function readObjects(object: JsonObject | undefined, name: string): JsonObject[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A copy without the members that are null, at any depth. */
export function withoutNulls(object: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(object), (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
      : value,
  ) as JsonObject;
}
