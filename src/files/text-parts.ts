import { spelledInJson } from './escape.js';

/** Characters that are held before they are written. */
const MAX_PART = 65_536;

/** Joins parts of a text, and yields them in UTF-8 as soon as they are many. */
export function* inBytes(parts: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < MAX_PART) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

type Replacer = (key: string, value: unknown) => unknown;

const unchanged: Replacer = (_, value) => value;

/**
 * Yields what `JSON.stringify(value, shown, 2)` answers and a line break, without what a terminal would
 * obey, and with the elements of long lists one by one. What can be iterated and is no array is written as a list too, so that its elements need
 * not exist at once.
 */
export function* jsonParts(value: object, shown = unchanged): Generator<string> {
  yield* valueParts(value, shown, '');
  yield '\n';
}

function* valueParts(value: unknown, shown: Replacer, indent: string): Generator<string> {
  if (!isLong(value)) {
    yield spelledInJson(JSON.stringify(value, shown, 2)).replaceAll('\n', `\n${indent}`);
    return;
  }
  const [open, close] = isIterable(value) ? '[]' : '{}';
  const inner = `${indent}  `;
  let before = open;
  for (const [name, one] of namedMembers(value)) {
    if (one === undefined) continue;
    yield `${before}\n${inner}${name}`;
    yield* valueParts(one, shown, inner);
    before = ',';
  }
  yield before === open ? `${open}${close}` : `\n${indent}${close}`;
}

/** Elements, or members with their keys as JSON has them. */
function* namedMembers(value: object): Generator<readonly [name: string, value: unknown]> {
  if (isIterable(value)) for (const one of value) yield ['', one];
  else
    for (const [key, one] of Object.entries(value))
      yield [`${spelledInJson(JSON.stringify(key))}: `, one];
}

/** Elements that may exist as text at once. */
const MAX_WHOLE = 100;

/** Levels at which long lists are looked for. */
const MAX_LEVELS = 4;

function isLong(value: unknown, levels = MAX_LEVELS): value is object {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  if (Array.isArray(value) ? value.length > MAX_WHOLE : isIterable(value)) return true;
  return Object.values(value).some((one) => isLong(one, levels - 1));
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}
