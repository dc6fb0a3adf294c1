import { statSync } from 'node:fs';
import { type Command, CommanderError, Option } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { refuseSecrets } from '../../codes/misplaced-secrets.js';
import { shownLines } from '../../codes/redact.js';
import { parseDuration } from '../../net/duration.js';
import { Ended } from './output.js';

/**
 * Parses a command's arguments and answers its options.
 *
 * @throws Ended when commander has printed help or what is wrong; ConnectivityError
 * `credentials.missing`
 */
export function parseArguments<Flags extends object>(
  command: Command,
  args: readonly string[],
): Flags {
  try {
    // Commander repeats what it does not understand.
    command.configureOutput({ writeErr: (text) => process.stderr.write(shownLines(text)) });
    command.exitOverride().parse(args, { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? new Ended(error.exitCode) : error;
  }
  const flags = command.opts<Flags>();
  refuseSecrets({ ...flags, ...argumentsOf(command) }, (path) => nameIn(command, path));
  return flags;
}

/** The words that are no options, by the names that the help gives them. */
function argumentsOf({ args, registeredArguments }: Command): Record<string, string> {
  const named = args.map((word, index) => {
    const place = registeredArguments[index] ?? registeredArguments.at(-1);
    return [`<${place?.name() ?? 'argument'}>${index === 0 ? '' : ` ${index + 1}`}`, word];
  });
  return Object.fromEntries(named);
}

/** The flag, or the variable that the value came from. @param path to the value, from the attribute on */
export function nameIn(command: Command, path: string): string {
  const [attribute = ''] = path.split('.');
  const option = command.options.find((one) => one.attributeName() === attribute);
  const isFromVariable = command.getOptionValueSource(attribute) === 'env';
  return (isFromVariable ? option?.envVar : option?.long) ?? attribute;
}

/** Returns a parser that appends each value of a repeatable option, which is true where it had none. */
export function collect<T>(read: (text: string) => T) {
  return (text: string, previous?: true | readonly T[]): T[] => [
    ...(previous === undefined || previous === true ? [] : previous),
    read(text),
  ];
}

/** Collects the values of a repeatable option as they are. */
export const collectTexts = collect((text) => text);

/** Reads the text of a flag by what throws the rule that it breaks. @throws ConnectivityError `usage.invalid` */
export function readFlag<T>(flag: string, text: string, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    const { message } = error as Error;
    throw usageError(`\`${flag}\` ${message}, got: "${text}"`);
  }
}

/** Returns the option `--lock-timeout`, whose value is in the form that Terraform takes. */
export function lockTimeoutOption(): Option {
  return new Option('--lock-timeout <duration>', "how long to wait for another deploy's lock")
    .default('1m')
    .argParser((text) => {
      readFlag('--lock-timeout', text, parseDuration);
      return text.trim().replace(/\d$/, '$&s');
    });
}

/** @throws ConnectivityError `usage.invalid` */
export function requireFolder(flag: string, folder: string): void {
  try {
    if (statSync(folder).isDirectory()) return;
  } catch {
    // What is not there, is out of reach or has too long a name is no folder either.
  }
  throw usageError(`\`${flag}\` must be a folder, got: "${folder}"`);
}

/** A report to write; without a file it goes to standard output. */
export interface Format<Name extends string> {
  readonly name: Name;
  readonly file?: string;
}

/** Reads `text`, `markdown=FILE`, … @throws RangeError naming the rule */
export function parseFormat<Name extends string>(
  names: readonly Name[],
  value: string,
): Format<Name> {
  const [, name = '', file] = /^([a-z]+)(?:=(.+))?$/s.exec(value) ?? [];
  const found = names.find((known) => known === name);
  if (found === undefined) {
    throw new RangeError(`must be one of ${names.join(', ')}, alone or with =FILE`);
  }
  return { name: found, ...(file !== undefined && { file }) };
}

/** The option of a command that writes these reports, named by their keys. */
export function formatOption(writers: object): Option {
  const names = Object.keys(writers);
  const about = `${names.join(', ')}: repeatable, once without a file (default: text)`;
  const read = (value: string) => readFlag('--format', value, (text) => parseFormat(names, text));
  return new Option('--format <name[=file]>', about).argParser(collect(read));
}

/** The formats to write: standard output always gets one, and only one. */
export function chosenFormats<Name extends string>(
  formats: readonly Format<Name>[],
  fallback: Name,
): readonly Format<Name>[] {
  const toStdout = formats.filter(({ file }) => file === undefined);
  if (toStdout.length > 1) {
    throw usageError(
      `\`--format\` can be given once without a file, got: ${toStdout.map(({ name }) => name).join(', ')}`,
    );
  }
  return toStdout.length === 1 ? formats : [...formats, { name: fallback }];
}

/** The limit of calls that read one stack; a large account is not read through. */
export const MAX_READS = 500;

/** Returns the option `--max-reads`. @param needed the flag by which the cloud is read */
export function maxReadsOption(needed: string): Option {
  const about = `limit of calls with ${needed}, per stack (default: ${MAX_READS})`;
  return new Option('--max-reads <count>', about).argParser((text) => {
    if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
    throw usageError(`\`--max-reads\` must be a whole number from 1, got: "${text}"`);
  });
}
