import { realpathSync } from 'node:fs';
import { usageError } from '../codes/connectivity-error.js';
import type { Figure } from '../report/document.js';
import { REPORT_WRITERS } from '../report/write.js';
import type { compareTrees } from '../review/compare-trees.js';
import type { ReviewReport } from '../review/report-schema.js';
import {
  chosenFormats,
  collectTexts,
  type Format,
  formatOption,
  MAX_READS,
  maxReadsOption,
  parseArguments,
} from './program/arguments.js';
import { readForStacks, readNamedFile, writeOutput } from './program/named-files.js';
import { newCommand } from './program/new-command.js';
import { terminalOf } from './program/output.js';

const EXITS = `
Both folders are what \`secure-connectivity synth --out FOLDER\` wrote; no cloud or network access is needed. With
--base live the base is the cloud as it is, read with the credentials of each stack's provider: whatever
differs from what the last deploy left needs approval. With --base state:FILE it is what a deploy left.
With a plan, expressions that only a plan can resolve are read, and each row says what a deploy does.
Exit status: 0 no change or narrower, 3 needs approval, 4 forbidden, 2 usage.`;

interface Flags {
  readonly base: readonly string[];
  readonly maxReads?: number;
  readonly head: string;
  readonly plan?: readonly string[];
  readonly format?: readonly Format<keyof typeof REPORT_WRITERS>[];
  readonly today: string;
  readonly verbose?: true;
}

/** `secure-connectivity review`: which access a change adds and removes. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = newCommand('review')
    .requiredOption(
      '--base <folder>',
      'the tree before the change (an empty folder means no stacks), `live`, or `state:[stack=]file`, repeatable',
      collectTexts,
    )
    .requiredOption('--head <folder>', 'the tree with the change')
    .option(
      '--plan <[stack=]file>',
      'what `terraform show -json PLAN` prints for a stack of --head; repeatable',
      collectTexts,
    )
    .addOption(maxReadsOption('--base live'))
    .addOption(formatOption(REPORT_WRITERS))
    .option(
      '--verbose',
      'also print what no decision depends on: intents that hold, tickets, digests',
    )
    .option('--today <YYYY-MM-DD>', 'the date by which exceptions expire (default: today, UTC)')
    .setOptionValue('today', new Date().toISOString().slice(0, 10))
    .addHelpText('after', EXITS);
  return await reviewTrees(parseArguments<Flags>(command, args));
}

/** Reviews one tree against another, writes the reports and answers the exit status. */
async function reviewTrees(flags: Flags): Promise<number> {
  const [{ isDay }, { readPlan }, { readTrees }, { exitOf, review }] = await Promise.all([
    import('../net/duration.js'),
    import('../review/plan/review-plan.js'),
    import('./review-base.js'),
    import('../review/review.js'),
  ]);
  const { today } = flags;
  if (!isDay(today)) {
    throw usageError(`\`--today\` must be YYYY-MM-DD, got: "${today}"`);
  }
  const formats = chosenFormats(flags.format ?? [], 'text');
  const { base, head, intentsIn, ...found } = await readTrees(
    flags.base,
    flags.head,
    flags.maxReads ?? MAX_READS,
  );
  const stacks = [...head.values()];
  const plans = await readForStacks(
    '--plan',
    flags.plan ?? [],
    ['--head', stacks],
    async (file, stack) => readPlan(await readNamedFile('--plan', file), stack, file),
  );
  const { readIntentGroups } = await import('../reach/intents/intent-groups.js');
  const intents = {
    base: readIntentGroups(intentsIn, [...base.keys()]),
    head: readIntentGroups(flags.head, [...head.keys()]),
  };
  const notes = found.notes ?? [];
  const { treeDigest, why } = await digestOf(flags.head);
  const report = review(base, head, today, {
    plans,
    intents,
    ...found,
    treeDigest,
    notes: why === undefined ? notes : [...notes, why],
  });
  const { reviewDocument, reviewResults } = await import('../review/reports/document.js');
  for (const { name, file } of formats) {
    const written = await REPORT_WRITERS[name]({
      document: async () => reviewDocument(report, await drawChanges(report, base, head, plans)),
      text: { ...terminalOf(file), isVerbose: flags.verbose === true },
      data: report,
      results: async () => reviewResults(report),
    });
    writeOutput('--format', file, written);
  }
  return exitOf(report);
}

/** Returns the digest of a tree, or why it cannot be deployed by one. */
async function digestOf(tree: string): Promise<{ treeDigest?: string; why?: string }> {
  const { readTreeFiles, treeDigest, UndeployableTree } = await import(
    '../terraform/tree-digest.js'
  );
  try {
    return { treeDigest: treeDigest(readTreeFiles(realpathSync(tree))) };
  } catch (error) {
    if (!(error instanceof UndeployableTree)) throw error;
    return {
      why: `the tree has no digest, and \`deploy --reviewed\` refuses it: ${error.message}`,
    };
  }
}

/** Draws the change, if there is one: reviewers of an unchanged model need no picture of it. */
async function drawChanges(
  { changes }: ReviewReport,
  ...trees: Parameters<typeof compareTrees>
): Promise<Figure[]> {
  if (changes.length === 0) return [];
  const [{ compareTrees }, { reachedStack }, { makePicture }, { pictureFigure }] =
    await Promise.all([
      import('../review/compare-trees.js'),
      import('../review/stacks/reviewed-trees.js'),
      import('../picture/make-picture.js'),
      import('../picture/page.js'),
    ]);
  const { before, filled } = compareTrees(...trees);
  const read = (tree: typeof before) => ({ stacks: [...tree.values()].map(reachedStack) });
  return [pictureFigure(() => makePicture(read(filled), read(before)))];
}
