import { parseJson } from '../files/json.js';
import { isTemplate, literalOf, type Part, partsOf, readTemplate, type Token } from './template.js';

/** A call of a function. */
export interface Call {
  /** With its namespace, unless that is `core`. */
  readonly name: string;
  /** Its first arguments, as far as each is a text alone. */
  readonly texts: readonly (readonly Part[])[];
}

/** A name, and what is taken of it, in whatever spelling. */
export interface Reference {
  /** As Terraform writes it, up to what is computed: `a.b["c"].d`. */
  readonly text: string;
  /** Names and keys: a, b, c, d. */
  readonly path: readonly string[];
}

/** Calls and references that Terraform evaluates in a value. */
export interface Expressions {
  readonly calls: readonly Call[];
  readonly references: readonly Reference[];
  /** Texts in them, as they are written. */
  readonly texts: readonly string[];
  /** Reasons why texts are unreadable: each could call and refer to anything. */
  readonly unreadable: readonly string[];
}

/**
 * Reads all texts of a value that Terraform evaluates, keys included.
 *
 * @param instance takes the place of `each.key` and `count.index` as an index: `["team"]`, `[0]`
 */
export function readExpressions(value: unknown, instance = ''): Expressions {
  const read = templatesIn(value).map((text) => expressionsOf(text, instance));
  return {
    calls: read.flatMap(({ calls }) => calls),
    references: read.flatMap(({ references }) => references),
    texts: read.flatMap(({ texts }) => texts),
    unreadable: read.flatMap(({ unreadable }) => unreadable),
  };
}

function expressionsOf(text: string, instance: string): Expressions {
  const read = readTemplate(text);
  if (typeof read === 'string') return { calls: [], references: [], texts: [], unreadable: [read] };
  const lists = tokenLists(read);
  const each = <T>(find: (tokens: readonly Token[], at: number) => T | undefined) =>
    lists.flatMap((tokens) => tokens.flatMap((_, at) => find(tokens, at) ?? []));
  return {
    calls: each(callAt),
    references: each((tokens, at) => referenceAt(tokens, at, instance)).map(
      ({ reference }) => reference,
    ),
    texts: lists.flat().flatMap(({ parts }) => (parts === undefined ? [] : sourceOf(parts))),
    unreadable: [],
  };
}

/** Lists the texts of a value that Terraform evaluates, keys included. */
export function templatesIn(value: unknown): string[] {
  if (typeof value === 'string') return isTemplate(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [
    ...(isTemplate(key) ? [key] : []),
    ...templatesIn(one),
  ]);
}

/** Tells whether two texts are the same for Terraform, whatever their spaces and comments. */
export function isSpelled(text: string, like: string): boolean {
  const [one, other] = [text, like].map((each) =>
    JSON.stringify(partsOf(each), (name, value: unknown) =>
      name === 'source' ? undefined : value,
    ),
  );
  return one !== undefined && one === other;
}

function tokenLists(parts: readonly Part[]): (readonly Token[])[] {
  return parts.flatMap(({ tokens = [] }) => [
    tokens,
    ...tokenLists(tokens.flatMap((token) => token.parts ?? [])),
  ]);
}

/** Reads the reference that a value is, and nothing else. */
export function soleReference(value: unknown): Reference | undefined {
  const parts = typeof value === 'string' && isTemplate(value) ? partsOf(value) : undefined;
  return parts && partReference(parts);
}

/** Reads the name of the variable that a text is, and nothing else. */
export function soleVariable(text: string): string | undefined {
  const [root, name, ...more] = soleReference(text)?.path ?? [];
  return root === 'var' && more.length === 0 ? name : undefined;
}

/** Reads a reference that is no template, as in `depends_on`. */
export function bareReference(text: string): Reference | undefined {
  return soleReference(`\${${text}}`);
}

function partReference([part, ...more]: readonly Part[]): Reference | undefined {
  return part?.tokens === undefined || more.length > 0 ? undefined : tokenReference(part.tokens);
}

/** Reads the reference that an expression is: in brackets, or the only part of a text, it is one as well. */
export function tokenReference(tokens: readonly Token[]): Reference | undefined {
  let [from, to] = [0, tokens.length];
  const isAt = (at: number, mark: string) => tokens[at]?.text === mark;
  if (isAt(from, '~')) from += 1;
  if (isAt(to - 1, '~')) to -= 1;
  for (; isAt(from, '(') && isAt(to - 1, ')'); to -= 1) from += 1;
  const text = to - from === 1 ? tokens[from]?.parts : undefined;
  if (text !== undefined) return partReference(text);
  const found = referenceAt(tokens, from);
  return found?.end === to ? found.reference : undefined;
}

/** Finds a call at a token; comments and lines may precede its bracket. */
function callAt(tokens: readonly Token[], at: number): Call | undefined {
  if (tokens[at]?.kind !== 'name' || tokens[at + 1]?.text !== '(') return undefined;
  let from = at;
  while (tokens[from - 1]?.text === '::') from -= 2;
  const words = tokens.slice(Math.max(0, from), at + 1).map(({ text }) => text);
  const texts = [at + 2, at + 4].map((place) =>
    [')', ','].includes(tokens[place + 1]?.text ?? '') ? tokens[place]?.parts : undefined,
  );
  const end = texts.indexOf(undefined);
  return {
    name: (words[0] === 'core' && words.length === 3 ? words.slice(2) : words).join(''),
    texts: texts.slice(0, end < 0 ? 2 : end).filter((one) => one !== undefined),
  };
}

/** Finds a reference that begins at a token, and the token behind it. */
function referenceAt(
  tokens: readonly Token[],
  start: number,
  instance = '',
): { readonly reference: Reference; readonly end: number } | undefined {
  const root = tokens[start];
  if (root?.kind !== 'name' || ['.', '::'].includes(tokens[start - 1]?.text ?? ''))
    return undefined;
  let end = start + 1;
  if (['(', '::'].includes(tokens[end]?.text ?? '')) return undefined;
  const steps: Reference[] = [{ text: root.text, path: [root.text] }];
  const next = () => stepAt(tokens, end) ?? instanceStep(tokens, end, instance);
  for (let step = next(); step !== undefined; step = next()) {
    steps.push(step);
    end += step.length;
  }
  // Terraform's own word before the type of a resource.
  const taken = root.text === 'resource' && steps.length > 2 ? steps.slice(1) : steps;
  const text = taken.map((step) => step.text).join('');
  const reference = { text: text.replace(/^\./, ''), path: taken.flatMap(({ path }) => path) };
  return { reference, end };
}

/** Reads what is taken of a name: `.attribute`, `["key"]`, `[0]`, and `.0`, which is the same. */
function stepAt(tokens: readonly Token[], at: number) {
  const [mark, next, close] = tokens.slice(at, at + 3);
  if (next === undefined) return undefined;
  const { kind, text, parts = [] } = next;
  if (mark?.text === '.' && kind === 'name') return { text: `.${text}`, path: [text], length: 2 };
  const isLegacy = mark?.text === '.' && kind === 'number';
  if (!isLegacy && (mark?.text !== '[' || close?.text !== ']')) return undefined;
  const length = isLegacy ? 2 : 3;
  if (kind === 'number') {
    const path = text.split('.');
    return { text: path.map((key) => `[${key}]`).join(''), path, length };
  }
  const key = kind === 'text' ? literalOf(parts) : undefined;
  return key === undefined ? undefined : { text: `["${sourceOf(parts)}"]`, path: [key], length };
}

/** Reads an index that says which instance it is in. */
function instanceStep(tokens: readonly Token[], at: number, instance: string) {
  const [open, root, dot, name, close] = tokens.slice(at, at + 5).map(({ text }) => text);
  const isIndex = open === '[' && dot === '.' && close === ']';
  const isInstance = ['each key', 'count index'].includes(`${root} ${name}`);
  if (instance === '' || !isIndex || !isInstance) return undefined;
  return { text: instance, path: [String(parseJson(instance.slice(1, -1)))], length: 5 };
}

export function sourceOf(parts: readonly Part[]): string {
  return parts.map(({ source }) => source).join('');
}

/**
 * Reads JSON that Terraform completes.
 *
 * @param textOf the text that stands for an expression, as a part of a text or as a whole value
 * @returns undefined where it is no JSON
 */
export function parseTemplate(template: string, textOf: (source: string) => string): unknown {
  let isInText = false;
  const written = partsOf(template)?.map(({ source, tokens }) => {
    if (tokens !== undefined) {
      const text = JSON.stringify(textOf(source));
      return isInText ? text.slice(1, -1) : text;
    }
    for (let at = 0; at < source.length; at += source[at] === '\\' ? 2 : 1) {
      if (source[at] === '"') isInText = !isInText;
    }
    return source;
  });
  return written && parseJson(written.join(''));
}
