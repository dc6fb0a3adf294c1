import { basename, relative, resolve, sep } from 'node:path';
import { usageError } from '../codes/connectivity-error.js';
import type { Figure } from '../report/document.js';
import { REPORT_WRITERS } from '../report/write.js';
import type { compareTrees } from '../review/compare-trees.js';
import type { ReviewReport } from '../review/report-schema.js';
import type { SettingsFile } from '../review/reports/setting-line.js';
import {
  chosenFormats,
  collectTexts,
  type Format,
  formatOption,
  maxReadsOption,
  parseArguments,
} from './program/arguments.js';
import { writeOutput } from './program/named-files.js';
import { newCommand } from './program/new-command.js';
import { terminalOf } from './program/output.js';
import type { ReviewedFlags } from './reviewed-trees.js';

const EXITS = `
Both folders are what \`secure-connectivity synth --out FOLDER\` wrote; no cloud or network access is needed. With
--base live the base is the cloud as it is, read with the credentials of each stack's provider: whatever
differs from what the last deploy left needs approval. With --base state:FILE it is what a deploy left.
With a plan beside them, each row says what a deploy does. --plan alone needs neither: what a plan found in the
cloud is compared with what its deploy leaves, for any Terraform, with modules.
Exit status: 0 no change or narrower, 3 needs approval, 4 forbidden, 2 usage.`;

interface Flags extends ReviewedFlags {
  readonly format?: readonly Format<keyof typeof REPORT_WRITERS>[];
  readonly settings?: readonly string[];
  readonly today: string;
  readonly verbose?: true;
}

/** `secure-connectivity review`: which access a change adds and removes. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = newCommand('review')
    .option(
      '--base <folder>',
      'the tree before the change (an empty folder means no stacks), `live`, or `state:[stack=]file`, repeatable',
      collectTexts,
    )
    .option('--head <folder>', 'the tree with the change')
    .option(
      '--plan <[stack=]file>',
      'what `terraform show -json PLAN` prints: for a stack of --head, or alone; repeatable',
      collectTexts,
    )
    .option(
      '--settings <file>',
      'the settings that --head was made from: `sarif` points to their lines; repeatable',
      collectTexts,
    )
    .addOption(maxReadsOption('--base live'))
    .addOption(formatOption(REPORT_WRITERS))
    .option(
      '--verbose',
      'name resources by their Terraform addresses, and print what no decision depends on',
    )
    .option('--today <YYYY-MM-DD>', 'the date by which exceptions expire (default: today, UTC)')
    .setOptionValue('today', new Date().toISOString().slice(0, 10))
    .addHelpText('after', EXITS);
  return await reviewTrees(parseArguments<Flags>(command, args));
}

/** Reviews one tree against another, or plans, writes the reports and answers the exit status. */
async function reviewTrees(flags: Flags): Promise<number> {
  const [{ isDay }, { readReviewed }, { exitOf, review }] = await Promise.all([
    import('../net/duration.js'),
    import('./reviewed-trees.js'),
    import('../review/review.js'),
  ]);
  const { today } = flags;
  if (!isDay(today)) {
    throw usageError(`\`--today\` must be YYYY-MM-DD, got: "${today}"`);
  }
  const formats = chosenFormats(flags.format ?? [], 'text');
  const { base, head, options } = await readReviewed(flags);
  const settings = await readSettingsOf(head, flags.settings ?? []);
  const report = review(base, head, today, options);
  const { reviewDocument, reviewResults } = await import('../review/reports/document.js');
  for (const { name, file } of formats) {
    const written = await REPORT_WRITERS[name]({
      document: async () =>
        reviewDocument(
          report,
          await drawChanges(report, base, head),
          flags.verbose ? String : undefined,
        ),
      text: { ...terminalOf(file), isVerbose: flags.verbose === true },
      data: report,
      results: async () => reviewResults(report, settings),
    });
    writeOutput('--format', file, written);
  }
  return exitOf(report);
}

/** Reads the settings of stacks, in which results have their lines. @throws ConnectivityError `usage.invalid` */
async function readSettingsOf(
  head: ReadonlyMap<string, unknown>,
  files: readonly string[],
): Promise<SettingsFile[]> {
  if (files.length === 0) return [];
  const [{ readNamedFile }, { parseSettings, stackNames }, { settingsFile }] = await Promise.all([
    import('./program/named-files.js'),
    import('../settings/load-settings.js'),
    import('../review/reports/setting-line.js'),
  ]);
  return await Promise.all(
    files.map(async (file) => {
      const text = await readNamedFile('--settings', file);
      parseSettings(text, file);
      const path = relative(process.cwd(), resolve(file)).split(sep);
      const stacks = Object.values(stackNames(basename(file, '.json')));
      const read = settingsFile(stacks, path, text);
      if (stacks.some((stack) => head.has(stack))) return read;
      throw usageError(
        `\`--settings\` must be the settings of a stack of --head (${[...head.keys()].join(', ')}), got: ${file}`,
      );
    }),
  );
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
  const { before, head } = compareTrees(...trees);
  const read = (tree: typeof before) => ({ stacks: [...tree.values()].map(reachedStack) });
  return [pictureFigure(() => makePicture(read(head), read(before)))];
}
