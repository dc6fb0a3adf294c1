import { ConnectivityError } from '../../codes/connectivity-error.js';

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

/** A report to write; without a file it goes to standard output. */
export interface Format {
  readonly name: FormatName;
  readonly file?: string;
}

/** Reads `text`, `html=FILE`, … @throws RangeError naming the rule */
export function parseFormat(value: string): Format {
  const [, name = '', file] = /^([a-z]+)(?:=(.+))?$/s.exec(value) ?? [];
  const found = FORMAT_NAMES.find((known) => known === name);
  if (found === undefined) {
    throw new RangeError(`must be one of ${FORMAT_NAMES.join(', ')}, alone or with =FILE`);
  }
  return { name: found, ...(file !== undefined && { file }) };
}

/** The formats to write: standard output always gets one, and only one. */
export function chosenFormats(
  formats: readonly Format[] = [],
  fallback: FormatName = 'text',
): readonly Format[] {
  const toStdout = formats.filter(({ file }) => file === undefined);
  if (toStdout.length > 1) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--format\` can be given once without a file, got: ${toStdout.map(({ name }) => name).join(', ')}`,
    );
  }
  return toStdout.length === 1 ? formats : [...formats, { name: fallback }];
}
