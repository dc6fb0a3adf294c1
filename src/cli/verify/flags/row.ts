import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { parseVantagePoint } from '../../../link/vantage-point.js';
import { parseNetwork } from '../../../net/cidr.js';
import { parseDuration } from '../../../net/duration.js';
import type { Credentials, RunOptions, VerifiableLink } from '../../../verify/model/options.js';
import { parseShard } from '../../../verify/run/many/shard.js';
import { type Format as NamedFormat, parseFormat } from '../../program/arguments.js';

/** Begins the name of each variable that gives a value where no flag does. */
export const VARIABLE_PREFIX = 'SECURE_CONNECTIVITY_';

/** An option of the library, as a path: `dnsServer`, `credentials.appId`. */
export type OptionName = keyof RunOptions | `credentials.${keyof Credentials}`;

export type OptionValue<Name> = Name extends `credentials.${infer Field extends keyof Credentials}`
  ? Credentials[Field]
  : Name extends keyof RunOptions
    ? RunOptions[Name]
    : never;

/** The words after a flag; true is the flag alone, several values repeat it. */
export type Words = string | number | boolean | readonly string[] | undefined;

/** All that there is to know of a flag of `verify`. */
export interface FlagRow {
  /** As the help shows it. */
  readonly flag: string;
  readonly about: string;
  /** Without {@link VARIABLE_PREFIX}. */
  readonly variable?: string;
  readonly choices?: readonly string[];
  readonly isRepeatable?: true;
  /** @default the text as it is; of a repeatable flag it must not be empty */
  readonly read?: (text: string) => unknown;
  /** The value names a file, or is listed and can be `@FILE`; paths count from where the command runs. */
  readonly file?: 'named' | 'listed';
  /** The option of the library that it sets. */
  readonly option?: OptionName;
  /** The report then shows the value and where it came from. */
  readonly shownInReport?: true | ((value: never) => string);
  /**
   * The use in the command that repeats the check of one link: `never` what concerns which links are
   * checked, and where reports go.
   *
   * @param typed what the command line gave: variables stay set for whoever repeats the check, and
   * the files that they name may be gone by then
   * @param given what the command line or a variable gave
   * @default as it was typed, with files named so that it works from any folder
   */
  readonly repeat?: 'never' | ((typed: never, link: VerifiableLink, given: never) => Words);
}

/** Makes a reader of texts that match; the rule says it of others. */
export function matching(pattern: RegExp, rule: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`It must ${rule}.`);
  };
}

export const readText = matching(/./s, 'not be empty');
export const readNetwork = explained((value) => parseNetwork(value).text);
export const readDuration = explained(parseDuration);
/** The formats of a check's report. */
export const FORMAT_NAMES = [
  'text',
  'json',
  'jsonl',
  'junit',
  'github',
  'markdown',
  'prometheus',
  'html',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

export type Format = NamedFormat<FormatName>;

export const readFormat = explained((value): Format => parseFormat(FORMAT_NAMES, value));
export const readVantagePoint = explained(parseVantagePoint);
export const readShard = explained(parseShard, 'must be I/N with I from 1 to N');

const readDigits = matching(/^\d+$/, 'be a whole number');
const readCounted = matching(/^[1-9]\d{0,3}$/, 'be a whole number from 1 to 9999');

export function readFamily(value: string): 4 | 6 {
  return matching(/^[46]$/, 'be 4 or 6')(value) === '4' ? 4 : 6;
}

export const readWholeNumber = (value: string): number => Number(readDigits(value));
export const readCount = (value: string): number => Number(readCounted(value));

/** Makes a reader of the command line from another one. @param rule what a text must be. @default - what the reader throws says it */
function explained<T>(read: (text: string) => T, rule?: string): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw new InvalidArgumentError(`It ${rule ?? (error as Error).message}.`);
    }
  };
}

export function asTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : `${milliseconds}ms`;
}

/** Negated flags are typed to say no. */
export function asNegation(value: boolean | undefined): boolean {
  return value === false;
}

/** A value that means the same in any folder. Standard input and open descriptors have no other name. */
export function inAnyFolder(text: string, file: FlagRow['file']): string {
  if (file === undefined) return text;
  if (file === 'listed') {
    return text.startsWith('@') ? `@${inAnyFolder(text.slice(1), 'named')}` : text;
  }
  return text === '-' || text.startsWith('/dev/') ? text : resolve(text);
}

export function withoutCredentials(url: string | undefined): string | undefined {
  return url?.replace(/^([a-z]+:\/\/)?.*@/i, '$1');
}
