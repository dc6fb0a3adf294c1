import { appendFile } from 'node:fs/promises';
import { usageError } from '../../../codes/connectivity-error.js';
import type { TextOptions } from '../../../report/text.js';
import type { Verification } from '../../../verify/model/verification.js';
import { writeOutput } from '../../program/named-files.js';
import { terminalOf } from '../../program/output.js';
import type { Format, FormatName } from '../flags/row.js';

type Write = (verification: Verification, options?: TextOptions) => string;

const written = () => import('../../../verify/reports/written.js');
const json = () => import('../../../verify/reports/json.js');

/** A format's module is loaded with it, for a run needs one or two of them. */
const WRITE = {
  text: async () => (await import('../../../verify/reports/text-report.js')).textReport,
  json: async () => (await json()).jsonReport,
  jsonl: async () => (await json()).jsonLinesReport,
  junit: async () => (await written()).junitReport,
  github: async () => (await written()).githubReport,
  markdown: async () => (await written()).markdownReport,
  prometheus: async () => (await import('../../../verify/reports/prometheus.js')).prometheusReport,
  html: async () => (await written()).htmlReport,
} as const satisfies Record<FormatName, () => Promise<Write>>;

/** Writes standard output first, and a file also where another one cannot be written. */
export async function writeReports(
  verification: Verification,
  formats: readonly Format[],
  isVerbose = false,
): Promise<void> {
  const files = formats.filter(({ file }) => file !== undefined);
  for (const { name } of formats.filter(({ file }) => file === undefined)) {
    const layout = { ...terminalOf(undefined, 80), isVerbose };
    process.stdout.write(await write(name, verification, layout));
  }
  const ends = await Promise.allSettled([
    ...files.map(async ({ name, file }) => {
      writeOutput('--format', file, await write(name, verification, { isVerbose }));
    }),
    formats.some(({ name }) => name === 'github') && addStepSummary(verification),
  ]);
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}

async function write(name: FormatName, ...asked: Parameters<Write>): Promise<string> {
  const report: Write = await WRITE[name]();
  return report(...asked);
}

/** GitHub Actions shows what a step adds to this file on the page of the run. */
async function addStepSummary(verification: Verification): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (file === '') return;
  const text = await write('markdown', verification);
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
