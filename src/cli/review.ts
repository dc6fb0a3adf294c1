import { Command } from 'commander';
import { parseArguments } from './program/parse-arguments.js';
import { formatCollector } from './program/report-formats.js';
import type { FormatName, ReviewFlags } from './review/review-trees.js';

const EXITS = `
Both folders are what \`cdktf synth --output FOLDER\` wrote; no cloud or network access is needed.
With a plan, expressions that only a plan can resolve are read, and each row says what a deploy does.
Exit status: 0 no change or narrower, 3 needs approval, 4 forbidden, 2 usage.`;

const FORMAT_NAMES: readonly FormatName[] = ['markdown', 'text', 'json', 'sarif', 'junit'];

/** `secure-connectivity review`: which access a change adds and removes. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = commandLine();
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const { reviewTrees } = await import('./review/review-trees.js');
  return await reviewTrees(command.opts<ReviewFlags>());
}

function commandLine(): Command {
  return new Command('secure-connectivity review')
    .description('Reports access changes between two synthesized trees.')
    .requiredOption(
      '--base <folder>',
      'the tree before the change; an empty folder means no stacks',
    )
    .requiredOption('--head <folder>', 'the tree with the change')
    .option(
      '--plan <[stack=]file>',
      'what `terraform show -json PLAN` prints for a stack of --head; repeatable',
      (value: string, previous: readonly string[] = []) => [...previous, value],
    )
    .option(
      '--format <name[=file]>',
      'markdown, text, json, sarif or junit; repeatable, once without a file (default: text)',
      formatCollector(FORMAT_NAMES),
    )
    .option('--today <YYYY-MM-DD>', 'the date by which exceptions expire (default: today, UTC)')
    .setOptionValue('today', new Date().toISOString().slice(0, 10))
    .addHelpText('after', EXITS);
}
