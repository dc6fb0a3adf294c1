import { appendFile } from 'node:fs/promises';
import { styleText } from 'node:util';
import { usageError } from '../../../codes/connectivity-error.js';
import type { Verification } from '../../../verify/model/verification.js';
import type { TextOptions, TextStyle } from '../../../verify/reports/text-layout.js';
import type { Format as ReportFormat } from '../../program/arguments.js';
import { writeOutput } from '../../program/named-files.js';

export type Format = ReportFormat<FormatName>;

type Render = (verification: Verification, options?: Partial<TextOptions>) => string;

/** Each report in a module of its own, for a run needs one or two of them. */
const RENDER = {
  text: async () => (await import('../../../verify/reports/text.js')).textReport,
  json: async () => (await import('../../../verify/reports/json.js')).jsonReport,
  jsonl: async () => (await import('../../../verify/reports/json.js')).jsonLinesReport,
  junit: async () => (await import('../../../verify/reports/junit.js')).junitReport,
  github: async () => (await import('../../../verify/reports/github.js')).githubReport,
  markdown: async () => (await import('../../../verify/reports/markdown.js')).markdownReport,
  prometheus: async () => (await import('../../../verify/reports/prometheus.js')).prometheusReport,
  html: async () => (await import('../../../verify/reports/html/page.js')).htmlReport,
} as const satisfies Record<string, () => Promise<Render>>;

type FormatName = keyof typeof RENDER;

export const FORMAT_NAMES = Object.keys(RENDER) as FormatName[];

const COLOURS = {
  passed: 'green',
  warned: 'yellow',
  failed: 'red',
  skipped: 'gray',
  strong: 'bold',
  weak: 'gray',
} as const;

const COLOURED: TextStyle = (text, as) => styleText(COLOURS[as], text);

/** Writes standard output first, and a file also where another one cannot be written. */
export async function writeReports(
  verification: Verification,
  formats: readonly Format[],
  isVerbose = false,
): Promise<void> {
  const files = formats.filter(({ file }) => file !== undefined);
  for (const { name } of formats.filter(({ file }) => file === undefined)) {
    const text = await render(name, verification, { ...terminalOptions(), isVerbose });
    process.stdout.write(await forLog(name, text));
  }
  const ends = await Promise.allSettled([
    ...files.map(async ({ name, file }) => {
      writeOutput('--format', file, await render(name, verification, { isVerbose }));
    }),
    formats.some(({ name }) => name === 'github') && addStepSummary(verification),
  ]);
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}

/** A runner of GitHub obeys commands in any line of a log, say in what a server said. */
async function forLog(name: FormatName, text: string): Promise<string> {
  if (process.env.GITHUB_ACTIONS !== 'true') return text;
  const { inert, inertJson } = await import('../../../verify/reports/github.js');
  if (name === 'text') return inert(text);
  return name === 'json' || name === 'jsonl' ? inertJson(text) : text;
}

async function render(name: FormatName, ...asked: Parameters<Render>): Promise<string> {
  const report: Render = await RENDER[name]();
  return report(...asked);
}

/** GitHub Actions shows what a step adds to this file on the page of the run. */
async function addStepSummary(verification: Verification): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (file === '') return;
  const text = await render('markdown', verification);
  try {
    await appendFile(file, text);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw usageError(
      `GITHUB_STEP_SUMMARY must name a file that can be written, got: ${file} (${code})`,
      cause,
    );
  }
}

/** A terminal gets its own width, and colours unless they are not wanted. */
function terminalOptions(): Partial<TextOptions> {
  const { isTTY, columns } = process.stdout;
  if (isTTY !== true) return {};
  const hasColours = (process.env.NO_COLOR ?? '') === '';
  return { ...(columns > 0 && { width: columns }), ...(hasColours && { style: COLOURED }) };
}
