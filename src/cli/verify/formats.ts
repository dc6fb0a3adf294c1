import { writeFile } from 'node:fs/promises';
import { styleText } from 'node:util';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { type TextStyle, textReport } from '../../verify/reports/text.js';
import type { Verification } from '../../verify/verification.js';

type FormatName = 'text' | 'json';

/** A report to write; without a file it goes to standard output. */
export interface Format {
  readonly name: FormatName;
  readonly file?: string;
}

const COLOURS = {
  passed: 'green',
  warned: 'yellow',
  failed: 'red',
  skipped: 'gray',
  strong: 'bold',
  weak: 'gray',
} as const;

const COLOURED: TextStyle = (text, as) => styleText(COLOURS[as], text);

const RENDER: Record<FormatName, (verification: Verification, style?: TextStyle) => string> = {
  text: textReport,
  json: (verification) => `${JSON.stringify(verification, undefined, 2)}\n`,
};

/** Reads `text`, `json` or `json=FILE`. @throws RangeError naming the rule */
export function parseFormat(value: string): Format {
  const [, name = '', file] = /^([a-z]+)(?:=(.+))?$/s.exec(value) ?? [];
  if (!isFormatName(name)) throw new RangeError('must be text or json, alone or with =FILE');
  return { name, ...(file !== undefined && { file }) };
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

export async function writeReports(
  verification: Verification,
  formats: readonly Format[],
): Promise<void> {
  for (const { name, file } of formats) {
    if (file !== undefined) await writeReport(file, RENDER[name](verification));
    else process.stdout.write(RENDER[name](verification, wantsColour() ? COLOURED : undefined));
  }
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConnectivityError(
      'usage.invalid',
      `\`--format\` must name a file that can be written, got: ${file} (${code})`,
      { cause },
    );
  }
}

function wantsColour(): boolean {
  return process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';
}

function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(RENDER, name);
}
