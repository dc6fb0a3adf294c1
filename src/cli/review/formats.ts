import { ConnectivityError } from '../../codes/connectivity-error.js';

const FORMAT_NAMES = ['markdown', 'text', 'json', 'sarif', 'junit'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** A report to write; without a file it goes to standard output. */
export interface Format {
  readonly name: FormatName;
  readonly file?: string;
}

/** Reads `text`, `markdown=FILE`, … @throws ConnectivityError `usage.invalid` */
export function collectFormat(value: string, previous: readonly Format[] = []): Format[] {
  const [, name = '', file] = /^([a-z]+)(?:=(.+))?$/s.exec(value) ?? [];
  const found = FORMAT_NAMES.find((known) => known === name);
  if (found === undefined) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--format\` must be ${FORMAT_NAMES.slice(0, -1).join(', ')} or ${FORMAT_NAMES.at(-1)}, alone or with =FILE, got: "${value}"`,
    );
  }
  return [...previous, { name: found, ...(file !== undefined && { file }) }];
}

/** The formats to write: standard output always gets one, and only one. */
export function chosenFormats(formats: readonly Format[] = []): readonly Format[] {
  const toStdout = formats.filter(({ file }) => file === undefined);
  if (toStdout.length > 1) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--format\` can be given once without a file, got: ${toStdout.map(({ name }) => name).join(', ')}`,
    );
  }
  return toStdout.length === 1 ? formats : [...formats, { name: 'text' }];
}
