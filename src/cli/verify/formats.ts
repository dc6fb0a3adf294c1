import { appendFile } from 'node:fs/promises';
import { styleText } from 'node:util';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { TextStyle } from '../../verify/reports/text-style.js';
import type { Verification } from '../../verify/verification.js';
import { writeWhole } from './write-whole.js';

type Render = (verification: Verification, style?: TextStyle) => string;

/** Each report in a module of its own, for a run needs one or two of them. */
const RENDER = {
  text: async () => (await import('../../verify/reports/text.js')).textReport,
  json: async () => (await import('../../verify/reports/json.js')).jsonReport,
  jsonl: async () => (await import('../../verify/reports/json-lines.js')).jsonLinesReport,
  junit: async () => (await import('../../verify/reports/junit.js')).junitReport,
  github: async () => (await import('../../verify/reports/github.js')).githubReport,
  markdown: async () => (await import('../../verify/reports/markdown.js')).markdownReport,
  prometheus: async () => (await import('../../verify/reports/prometheus.js')).prometheusReport,
  html: async () => (await import('../../verify/reports/html/page.js')).htmlReport,
} as const satisfies Record<string, () => Promise<Render>>;

type FormatName = keyof typeof RENDER;
export const FORMAT_NAMES = Object.keys(RENDER) as readonly FormatName[];

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

export async function writeReports(
  verification: Verification,
  formats: readonly Format[],
): Promise<void> {
  for (const { name, file } of formats) {
    const render: Render = await RENDER[name]();
    if (file !== undefined) await writeWhole(file, render(verification));
    else process.stdout.write(render(verification, wantsColour() ? COLOURED : undefined));
  }
  if (formats.some(({ name }) => name === 'github')) await addStepSummary(verification);
}

/** GitHub Actions shows what a step adds to this file on the page of the run. */
async function addStepSummary(verification: Verification): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (file === '') return;
  const render: Render = await RENDER.markdown();
  try {
    await appendFile(file, render(verification));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConnectivityError(
      'usage.invalid',
      `GITHUB_STEP_SUMMARY must name a file that can be written, got: ${file} (${code})`,
      { cause },
    );
  }
}

function wantsColour(): boolean {
  return process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';
}
