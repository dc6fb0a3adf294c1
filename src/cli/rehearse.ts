import { Command, Option } from 'commander';
import { parseArguments } from './program/parse-arguments.js';
import { formatCollector } from './program/report-formats.js';
import type { FormatName, RehearseFlags } from './rehearse/rehearse-trees.js';

const EXITS = `
Both folders are what \`cdktf synth --output FOLDER\` wrote. It needs Terraform, but no cloud or network access.
Exit status: 0 clean, 3 a link goes down, something opens during the deploy or a client must change,
4 the deploy, the check, a second plan, the rollback or the destroy fails, 2 usage.`;

const FORMAT_NAMES: readonly FormatName[] = ['text', 'markdown', 'json', 'html'];

/** `secure-connectivity rehearse`: a change as clients would notice it, deployed in a sandbox. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = commandLine();
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const { rehearseTrees } = await import('./rehearse/rehearse-trees.js');
  return await rehearseTrees(command.opts<RehearseFlags>());
}

function commandLine(): Command {
  return new Command('secure-connectivity rehearse')
    .description('Deploys a change in a sandbox, and reports what clients notice at each step.')
    .requiredOption('--base <folder>', 'the tree before the change')
    .requiredOption('--head <folder>', 'the tree with the change')
    .option(
      '--format <name[=file]>',
      'text, markdown, json or html; repeatable, once without a file (default: text)',
      formatCollector(FORMAT_NAMES),
    )
    .option('--provider-mirror <folder>', 'use the genuine providers in this filesystem mirror')
    .option(
      '--state <[stack=]file>',
      'start from what is deployed, as `terraform show -json` prints it; repeatable, one per stack',
      (value: string, previous: readonly string[] = []) => [...previous, value],
    )
    .option('--with <file>', 'resources that the cloud has from the start, as JSON by type and id')
    .addOption(
      new Option(
        '--interrupt <steps>',
        'kill the deploy after each step in turn, and check that deploying again recovers',
      ).choices(['all']),
    )
    .addHelpText('after', EXITS);
}
