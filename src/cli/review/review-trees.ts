import { ConnectivityError } from '../../codes/connectivity-error.js';
import { mermaidDiagram } from '../../render/targets/mermaid.js';
import { markedRules } from '../../review/changes/drawn-rules.js';
import { isDay } from '../../review/exceptions.js';
import { type ReviewPlan, readPlan } from '../../review/plan/review-plan.js';
import {
  readTree,
  type SynthesizedStack,
  type SynthesizedTree,
} from '../../review/read/read-tree.js';
import type { ReviewReport } from '../../review/report-schema.js';
import { junitReport } from '../../review/reports/junit.js';
import { markdownReport } from '../../review/reports/markdown.js';
import { sarifReport } from '../../review/reports/sarif.js';
import { textReport } from '../../review/reports/text.js';
import { exitOf, review } from '../../review/review.js';
import { readNamedFile } from '../program/read-named-file.js';
import { chosenFormats, type Format } from '../program/report-formats.js';
import { writeNamedFile } from '../program/write-named-file.js';

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

/**
 * Reads the plans of `--plan`, each `STACK=FILE`, or `FILE` where the tree has one stack.
 *
 * @throws ConnectivityError `usage.invalid`, `review.plan`
 */
export async function readPlans(
  values: readonly string[],
  head: SynthesizedTree,
): Promise<ReadonlyMap<string, ReviewPlan>> {
  const plans = new Map<string, ReviewPlan>();
  for (const value of values) {
    const { stack, file } = splitValue(value, head);
    if (plans.has(stack.name)) {
      throw new ConnectivityError(
        'usage.invalid',
        `\`--plan\` can be given once for each stack, got: ${JSON.stringify(stack.name)} twice`,
      );
    }
    plans.set(stack.name, readPlan(await readNamedFile('--plan', file), stack, file));
  }
  return plans;
}

/** A path may hold an equals sign too: only the name of a stack before it counts. */
function splitValue(
  value: string,
  head: SynthesizedTree,
): { stack: SynthesizedStack; file: string } {
  const at = value.indexOf('=');
  const named = at < 0 ? undefined : head.get(value.slice(0, at));
  if (named !== undefined) return { stack: named, file: value.slice(at + 1) };
  const [only, ...others] = head.values();
  if (only !== undefined && others.length === 0) return { stack: only, file: value };
  const names = [...head.keys()].join(', ');
  throw new ConnectivityError(
    'usage.invalid',
    `\`--plan\` must be STACK=FILE with a stack of \`--head\`, which has ${names || 'none'}, got: "${value}"`,
  );
}
