import { ConnectivityError } from '../../codes/connectivity-error.js';
import { mermaidDiagram } from '../../render/targets/mermaid.js';
import { markedRules } from '../../review/changes/drawn-rules.js';
import { isDay } from '../../review/policy/exceptions.js';
import { readTree, type SynthesizedTree } from '../../review/read/read-tree.js';
import type { ReviewReport } from '../../review/report-schema.js';
import { junitReport } from '../../review/reports/junit.js';
import { markdownReport } from '../../review/reports/markdown.js';
import { sarifReport } from '../../review/reports/sarif.js';
import { textReport } from '../../review/reports/text.js';
import { exitOf, review } from '../../review/review.js';
import { chosenFormats, type Format } from '../program/report-formats.js';
import { writeNamedFile } from '../program/write-named-file.js';
import { readPlans } from './plans.js';

export type FormatName = 'markdown' | 'text' | 'json' | 'sarif' | 'junit';

export interface ReviewFlags {
  readonly base: string;
  readonly head: string;
  readonly plan?: readonly string[];
  readonly format?: readonly Format<FormatName>[];
  readonly today: string;
}

type Writer = (report: ReviewReport, base: SynthesizedTree, head: SynthesizedTree) => string;

const WRITERS = {
  markdown: (report, base, head) => markdownReport(report, diagramOf(report, base, head)),
  text: textReport,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  sarif: sarifReport,
  junit: junitReport,
} as const satisfies Record<FormatName, Writer>;

/** Reviews one tree against another, writes the reports and answers the exit status. */
export async function reviewTrees(flags: ReviewFlags): Promise<number> {
  checkDay(flags.today);
  const formats = chosenFormats(flags.format ?? [], 'text');
  const base = readTree(flags.base, '--base');
  const head = readTree(flags.head, '--head');
  const plans = await readPlans(flags.plan ?? [], head);
  const report = review(base, head, flags.today, { plans });
  for (const { name, file } of formats) {
    const text = WRITERS[name](report, base, head);
    if (file === undefined) process.stdout.write(text);
    else writeNamedFile('--format', file, text);
  }
  return exitOf(report);
}

function checkDay(day: string): void {
  if (isDay(day)) return;
  throw new ConnectivityError('usage.invalid', `\`--today\` must be YYYY-MM-DD, got: "${day}"`);
}

/** Drawn where something changed; reviewers of an unchanged model need no picture of it. */
function diagramOf(
  { changes }: ReviewReport,
  base: SynthesizedTree,
  head: SynthesizedTree,
): string | undefined {
  return changes.length === 0 ? undefined : mermaidDiagram(markedRules(head, base));
}
