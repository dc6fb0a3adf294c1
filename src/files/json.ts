import { readBounded, UnboundedFile } from './bounded-read.js';

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

/** Deeper than any configuration, and less deep than the stack of a recursive reader. */
const MAX_NESTING = 200;

/** More than any tool writes, and few enough to be held in memory. */
const MAX_VALUES = 8_000_000;

/**
 * Parses JSON of others. A parser takes any depth and any number of values; those who walk through them
 * do not.
 *
 * @throws UnboundedFile, SyntaxError
 */
export function parseBounded(text: string, maxNesting = MAX_NESTING): unknown {
  // Most texts are short, and open too few brackets to be nested too deep.
  const isShort = text.length <= MAX_VALUES;
  if (isShort && (text.match(/[[{]/g)?.length ?? 0) <= maxNesting) return JSON.parse(text);
  let depth = 0;
  let values = 0;
  for (const token of readTokens(text)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if ('[{,'.includes(token)) values += 1;
    if (depth > maxNesting) {
      throw new UnboundedFile(`must be nested at most ${maxNesting} levels deep`);
    }
    if (values > MAX_VALUES) throw new UnboundedFile(`must hold at most ${MAX_VALUES} values`);
  }
  return JSON.parse(text);
}

/** Reads and parses a file of others. @throws UnboundedFile, SyntaxError; an error of the system */
export function readJsonFile(file: string): unknown {
  return parseBounded(readBounded(file).toString('utf8'));
}

/** Brackets, commas and colons of a JSON text, and its strings with their quotation marks. */
function* readTokens(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 1) {
    const token = text[at] ?? '';
    if (token === '"') {
      const end = findEnd(text, at);
      yield text.slice(at, end + 1);
      at = end;
    } else if ('[]{},:'.includes(token)) yield token;
  }
}

/** Finds the quotation mark that ends a string, or the end of the text. */
function findEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
}

/**
 * Keys that appear twice in one object of a JSON text. A parser silently keeps the last one: of two
 * subnets in one zone, one would be gone.
 *
 * @param text valid JSON
 * @returns paths, as `network.subnets.cn-beijing-a`
 */
export function duplicateKeys(text: string): string[] {
  const found: string[] = [];
  const open: Level[] = [];
  let string = '';
  for (const token of readTokens(text)) {
    const level = open.at(-1);
    if (token === '{' || token === '[') open.push({ keys: new Set(), at: token === '[' ? 0 : '' });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof level?.at === 'number') level.at += 1;
    else if (token === ':' && level !== undefined) {
      const key = JSON.parse(string) as string;
      level.at = key;
      if (level.keys.has(key)) found.push(open.map(({ at }) => at).join('.'));
      level.keys.add(key);
    } else string = token;
  }
  return found;
}

interface Level {
  readonly keys: Set<string>;
  /** The key or index that is being read. */
  at: string | number;
}
