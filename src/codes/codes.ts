import type { CodeFacts, CodeRow } from './code-facts.js';
import { EXIT } from './exit-status.js';
import { nearTexts } from './near-text.js';
import { DEPLOY_CODES, POLICY_CODES } from './table/deploy.js';
import { HTTP_CODES } from './table/http.js';
import { NAME_CODES } from './table/name.js';
import { PATH_CODES } from './table/path.js';
import { INPUT_CODES, RUN_CODES } from './table/run.js';
import { SERVICE_CODES } from './table/service.js';
import { TLS_CODES } from './table/tls.js';

export { EXIT };

/**
 * Every code that a finding or an error can carry, in the order of a run: what was given, then the
 * stages with their causes, then review and deploy. A code is worth its name where its reader does
 * something else than for its neighbour; what else tells failures apart are words of the evidence.
 * What a code says is looked up here and nowhere repeated. The file of runs has the codes of input too (`usage`,
 * `link`, `credentials`, `key`), that of the path `proxy`, that of the service `chat`, `connection` and `backend`,
 * and that of deploys `policy`.
 */
export const CODES = {
  ...INPUT_CODES,
  ...NAME_CODES,
  ...PATH_CODES,
  ...TLS_CODES,
  ...HTTP_CODES,
  ...SERVICE_CODES,
  ...POLICY_CODES,
  ...DEPLOY_CODES,
  ...RUN_CODES,
};

export type Code = keyof typeof CODES;

type Words<C extends Code> = (typeof CODES)[C] extends { readonly seen: infer Seen }
  ? keyof Seen & string
  : never;

/**
 * A code, or one with the words that tell what was seen where the table has facts of its own for that:
 * `http.unexpected-answer: a redirect`. A report has the words as evidence.
 */
export type Reason = { [C in Code]: C | `${C}: ${Words<C>}` }[Code];

const MAX_NEAR = 3;
/** Longer than any code: what is like a text takes time that grows with its length. */
const MAX_WRITTEN = 64;

const ANY_LINK = { hasEndpoint: true };

/** Tells whether a text, say from a command line, is a code of the table. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}

/** Splits a reason into its code and, where it has them, the words of what was seen. */
export function splitReason(reason: Reason): { readonly code: Code; readonly seen?: string } {
  const [code = '', seen] = reason.split(/: (.*)/s);
  return { code: code as Code, ...(seen !== undefined && { seen }) };
}

/** The reason that a finding or a probe states by its code and its evidence; undefined for a code of others. */
export function reasonOf(stated: {
  readonly code?: string | undefined;
  readonly evidence?: Readonly<Record<string, unknown>>;
}): Reason | undefined {
  const { code = '', evidence: { seen } = {} } = stated;
  if (!isCode(code)) return undefined;
  const { seen: known = {} }: CodeRow = CODES[code];
  return Object.hasOwn(known, String(seen)) ? (`${code}: ${seen}` as Reason) : code;
}

/** @param link whose kind the texts follow; where not given, those of a link with an endpoint */
export function factsOf(
  reason: Reason,
  link: { readonly hasEndpoint: boolean } = ANY_LINK,
): CodeFacts {
  const { code, seen = '' } = splitReason(reason);
  const { seen: known = {}, ...row }: CodeRow = CODES[code];
  const layers = [row, known[seen] ?? {}].flatMap(({ withoutEndpoint = {}, ...facts }) =>
    link.hasEndpoint ? [facts] : [facts, withoutEndpoint],
  );
  return Object.assign({}, ...layers);
}

/** The facts that differ by what was seen under one code: the words, with the facts that are their own. */
export function casesOf(code: Code) {
  const { seen = {}, exit: own }: CodeRow = CODES[code];
  return Object.entries(seen).map(([words, { title, cause, remedy, inspect, exit = own }]) => {
    const status = exit === own ? undefined : String(exit);
    const texts = Object.entries({ title, cause, remedy, inspect, exit: status });
    return {
      ...{ seen: words, exit, title: title ?? CODES[code].title },
      texts: texts.flatMap(([name, text]) => (text ? [{ name, text }] : [])),
    };
  });
}

/** Codes that may have been meant: with few other letters, else with the text as a word or at the start. */
export function nearCodes(text: string): readonly Code[] {
  const wanted = text.toLowerCase();
  const codes = Object.keys(CODES) as Code[];
  if (wanted.length > MAX_WRITTEN) return [];
  const near = nearTexts(wanted, codes);
  const alike = codes.filter(
    (code) => code.split(/[.-]/).includes(wanted) || (wanted !== '' && code.startsWith(wanted)),
  );
  return (near.length > 0 ? near : alike).slice(0, MAX_NEAR);
}
