import { ConnectivityError } from '../../codes/connectivity-error.js';

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

/** What reads the formats of a command that has these. It throws ConnectivityError `usage.invalid`. */
export function formatCollector<Name extends string>(names: readonly Name[]) {
  return (value: string, previous: readonly Format<Name>[] = []): Format<Name>[] => {
    try {
      return [...previous, parseFormat(names, value)];
    } catch (error) {
      throw new ConnectivityError(
        'usage.invalid',
        `\`--format\` ${(error as Error).message}, got: "${value}"`,
      );
    }
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
