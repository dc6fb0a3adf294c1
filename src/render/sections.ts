import { createHash } from 'node:crypto';
import { ACCESS_SCHEMA, type AccessModel } from '../access/access-model.js';
import type { AccessRule } from '../access/access-rule.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { type Cidr, parseCidr } from '../net/cidr.js';
import { ALL_PORTS, type CidrOpening, type Opening, type Target, toOpening } from './model.js';

/** Comment lines that say what a file was made from; a parser needs stack and subject of them. */
export function header(target: string, { stack, digest }: AccessModel, subject: string): string[] {
  return [
    `# secure-connectivity render ${target}: made from access rules, do not edit`,
    `# stack: ${stack}`,
    `# subject: ${subject}`,
    `# access digest: ${digest}`,
  ];
}

const MAX_LENGTH = 40;

/**
 * A name of lower-case letters, digits and single hyphens. A text that is such a name stays as it is;
 * any other gets a hash, so that two texts never share a name.
 */
export function slug(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (plain === text && text.length <= MAX_LENGTH && text !== '') return text;
  const stem = plain.slice(0, MAX_LENGTH - 9).replace(/-$/, '');
  return [stem, shortHash(text)].filter(Boolean).join('-');
}

/** Eight hexadecimal digits. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Addresses of one family that are open for one service, as a set with a name. */
export interface AddressSet extends Omit<Opening, 'peer'> {
  readonly name: string;
  readonly family: 4 | 6;
  readonly cidrs: readonly Cidr[];
}

/** The sets of an opening, one for each family that it has addresses of. */
export function toSets(
  { cidrs, ...service }: CidrOpening,
  nameOf: (service: Omit<Opening, 'peer'>, family: 4 | 6) => string,
): AddressSet[] {
  return ([4, 6] as const).flatMap((family) => {
    const own = cidrs.filter((cidr) => cidr.family === family);
    if (own.length === 0) return [];
    return [{ ...service, name: nameOf(service, family), family, cidrs: own }];
  });
}

/** A target that reads its rendering back: what is read is rendered again, to the same text. */
export function readBack(
  target: Omit<Target, 'parse'>,
  read: (text: string) => AccessModel,
): Target {
  const { name, render } = target;
  const parse = (text: string) =>
    readable(name, () => {
      requireLines(name, text);
      const model = read(text);
      requireSameLines(name, text, render(model));
      return model.rules.map(toOpening);
    });
  return { ...target, parse };
}

interface Sections extends Omit<Target, 'parse'> {
  /** The addresses of a text with the name of the set that each is in. */
  readonly elements: (text: string) => readonly { set: string; cidr: string }[];
  /** Direction, protocol, first port and, where it is another, last port of a set's name. */
  readonly readService: (set: string) => readonly (string | undefined)[] | undefined;
}

/** A target that keeps its addresses in named sets. */
export function sectionsTarget({ elements, readService, ...target }: Sections): Target {
  return readBack(target, (text) => {
    const stack = headerValue(target.name, text, 'stack');
    const subject = headerValue(target.name, text, 'subject');
    const openings = elements(text).map(({ set, cidr }) => {
      const service = readService(set);
      if (service === undefined) throw unreadable(target.name, undefined, set);
      return toCidrOpening(subject, parseCidr(cidr).text, service);
    });
    return toModel(stack, openings);
  });
}

/** A model that opens this, for rendering it again. */
export function toModel(stack: string, openings: readonly Opening[]): AccessModel {
  const rules = openings.map(
    (opening): AccessRule => ({ ...opening, via: 'fixed-ip-egress', reason: 'read from a file' }),
  );
  return { schema: ACCESS_SCHEMA, stack, digest: '', rules };
}

/** Refuses what no target writes: nothing at all, and lines that end as on Windows. */
export function requireLines(target: string, text: string): void {
  if (text.trim() === '') throw unreadable(target, undefined, 'an empty file');
  const lines = text.split('\n');
  const i = lines.findIndex((line) => line.endsWith('\r'));
  if (i >= 0) throw unreadable(target, i + 1, `${lines[i]?.trim()}, and a line end of CRLF`);
}

/** Reports whatever goes wrong while reading as a text that was edited. */
export function readable<T>(target: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConnectivityError && error.code === 'render.unreadable') throw error;
    throw unreadable(target, undefined, error instanceof Error ? error.message : String(error));
  }
}

/** @param service direction, protocol, first port and, where it is another, last port */
export function toCidrOpening(
  subject: string,
  cidr: string,
  [direction, protocol, first, last = first]: readonly (string | undefined)[],
): Opening {
  return {
    subject,
    direction: direction as Opening['direction'],
    protocol: protocol as Opening['protocol'],
    ports: first === undefined ? ALL_PORTS : { first: Number(first), last: Number(last) },
    peer: { kind: 'cidr', cidr },
  };
}

/**
 * Refuses a text whose lines are not those that would be written for what was read in it. Blank
 * lines and comments of their own line do not count.
 *
 * @throws ConnectivityError `render.unreadable` with the number of the first line that differs
 */
export function requireSameLines(target: string, text: string, written: string): void {
  const found = significantLines(text);
  const expected = significantLines(written);
  for (let i = 0; i < Math.max(found.length, expected.length); i += 1) {
    const [line, want] = [found[i], expected[i]];
    if (line?.text === want?.text) continue;
    const misplaced = findMisplaced(found, expected, i);
    if (misplaced !== undefined) {
      throw unreadable(
        target,
        misplaced.number,
        `${misplaced.text.trim()}, which belongs before line ${line?.number}`,
      );
    }
    throw unreadable(target, line?.number, line?.text ?? 'the end of the file', want?.text);
  }
}

/** Finds the line that was added further down where it would be written here, and all others are in place. */
function findMisplaced(found: readonly Line[], expected: readonly Line[], i: number) {
  const j = found.findIndex(({ text }, at) => at > i && text === expected[i]?.text);
  const others = found.filter((_, at) => at !== j);
  const isAlone = others.slice(i, j).every(({ text }, at) => text === expected[i + 1 + at]?.text);
  return j >= 0 && isAlone ? found[j] : undefined;
}

interface Line {
  readonly text: string;
  readonly number: number;
}

/** The error for a text that a target did not write. */
export function unreadable(
  target: string,
  line: number | undefined,
  got: string,
  expected?: string,
): ConnectivityError {
  const place = line === undefined ? '' : ` in line ${line}`;
  const want = expected === undefined ? '' : ` \`${expected.trim()}\``;
  return new ConnectivityError(
    'render.unreadable',
    `\`${target}\` was edited after rendering${place}${want && `: rendered as${want}`}, got: ${JSON.stringify(got.trim() || 'an empty line')}`,
  );
}

/** The value of a `# name: value` line of the header. */
function headerValue(target: string, text: string, name: string): string {
  const prefix = `# ${name}: `;
  const lines = text.split('\n').filter((line) => line.startsWith(prefix));
  const [line] = lines;
  if (line !== undefined && lines.length === 1) return line.slice(prefix.length);
  throw unreadable(target, undefined, `${lines.length} lines of the header`, prefix);
}

function significantLines(text: string): Line[] {
  return text
    .split('\n')
    .map((line, index) => ({ text: line, number: index + 1 }))
    .filter(({ text: line }) => line.trim() !== '' && !/^#($| )/.test(line));
}
