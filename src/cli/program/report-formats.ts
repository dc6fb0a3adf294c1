import { ConnectivityError } from '../../codes/connectivity-error.js';

/** A report to write; without a file it goes to standard output. */
export interface Format<Name extends string> {
  readonly name: Name;
  readonly file?: string;
}

/** Reads `text`, `markdown=FILE`, … one after the other. */
type FormatCollector<Name extends string> = (
  value: string,
  previous?: readonly Format<Name>[],
) => Format<Name>[];

/** What reads the formats of a command that has these. It throws ConnectivityError `usage.invalid`. */
export function formatCollector<Name extends string>(
  names: readonly Name[],
): FormatCollector<Name> {
  return (value, previous = []) => {
    const [, name = '', file] = /^([a-z]+)(?:=(.+))?$/s.exec(value) ?? [];
    const found = names.find((known) => known === name);
    if (found === undefined) {
      throw new ConnectivityError(
        'usage.invalid',
        `\`--format\` must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, alone or with =FILE, got: "${value}"`,
      );
    }
    return [...previous, { name: found, ...(file !== undefined && { file }) }];
  };
}

/** The formats to write: standard output always gets one, and only one. */
export function chosenFormats<Name extends string>(
  formats: readonly Format<Name>[],
  fallback: Name,
): readonly Format<Name>[] {
  const toStdout = formats.filter(({ file }) => file === undefined);
  if (toStdout.length > 1) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--format\` can be given once without a file, got: ${toStdout.map(({ name }) => name).join(', ')}`,
    );
  }
  return toStdout.length === 1 ? formats : [...formats, { name: fallback }];
}
