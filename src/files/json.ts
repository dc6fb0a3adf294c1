import { parseBounded } from './json-text.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** @returns undefined where the text is not JSON, or is nested deeper than anything that is read */
export function parseJson(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** A text that is not empty. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value. */
export function present<T extends object>(fields: T): Present<T> {
  const found: { [K in keyof T]?: T[K] } = {};
  for (const name of Object.keys(fields) as (keyof T)[]) {
    if (fields[name] !== undefined) found[name] = fields[name];
  }
  return found as Present<T>;
}
