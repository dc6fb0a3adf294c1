import { type Command, Option } from 'commander';
import type { ImportTarget } from '../adopt/import-blocks.js';
import { usageError } from '../codes/connectivity-error.js';
import { parseDuration } from '../net/duration.js';
import { findStackFolder } from '../terraform/configuration-files.js';
import { collect, lockTimeoutOption, parseArguments, readFlag } from './program/arguments.js';
import { newCommand } from './program/new-command.js';
import { onSignal, signalStatus } from './program/signals.js';

const MORE_HELP = `
When Terraform or the provider is killed while it creates an object, the object exists in the cloud but
not in the state. This command finds it, by the tags or the description that every object of a stack
has and by the objects that it refers to, and imports it:

  secure-connectivity adopt api-access-production
  secure-connectivity deploy api-access-production

What the deploy would delete and no longer exists in the cloud is removed from the state.

With --import-blocks, it prints instead how Terraform imports objects that exist already: a block for each
--id, and a comment with the form of the id for every other resource:

  secure-connectivity adopt api-access-production --import-blocks \\
    --id volcenginecc_vpc_vpc.network=vpc-1a2b > cdktf.out/stacks/api-access-production/imports.tf

What is ambiguous is left and listed with Terraform's own commands: several objects for one resource, one that
differs from the plan, or one that replaces another. The cloud is only read, with the provider's credentials.

Exit status: 0 adopted, or nothing to adopt; 2 another run holds the state's lock; 22 something needs a
decision; 130 interrupted between two changes: run it again.`;

interface Flags {
  readonly id?: readonly ImportTarget[];
  readonly dryRun?: true;
  readonly importBlocks?: true;
  readonly wait: string;
  readonly lockTimeout: string;
}

/** `secure-connectivity adopt`: takes into the state what an interrupted deploy left in the cloud. */
export default async function adopt(args: readonly string[]): Promise<number> {
  const command = commandLine();
  const { id: chosen = [], ...flags } = parseArguments<Flags>(command, args);
  const wrong = chosen.find(({ address, id }) => address === '' || id === '');
  if (wrong !== undefined) {
    throw usageError(`\`--id\` must be ADDRESS=ID, got: "${wrong.address}"`);
  }
  const waitMs = readFlag('--wait', flags.wait, parseDuration);
  if (flags.importBlocks) return await printImportBlocks(command.args[0] ?? '', chosen);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const { adoptStack, openOwnStack } = await import('../adopt/adopt-stack.js');
  const stack = await openOwnStack(command.args[0] ?? '', flags.lockTimeout, say);
  if (flags.dryRun) {
    const { findAdoptable } = await import('../adopt/search-cloud.js');
    process.stdout.write(await findAdoptable(stack, chosen));
    return 0;
  }
  return untilInterrupted(async (signal) => {
    const done = Object.entries(await adoptStack(stack, { chosen, waitMs, say, signal }));
    const counts = done.flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
    say(`${stack.name}: ${counts.length === 0 ? 'nothing to adopt' : counts.join(', ')}`);
  });
}

function commandLine(): Command {
  return newCommand('adopt')
    .argument('<stack>', 'name of a synthesized stack, or its folder')
    .option(
      '--id <address=id>',
      'the object to adopt, if several are found; repeatable',
      collect(readImportTarget),
    )
    .option('--dry-run', 'print import blocks for what is found, and change nothing')
    .addOption(
      new Option(
        '--import-blocks',
        'print import blocks for objects that exist already, named with --id; reads no cloud',
      ).conflicts('dryRun'),
    )
    .option('--wait <duration>', 'how long to wait for what the cloud is still creating', '5m')
    .addOption(lockTimeoutOption())
    .addHelpText('after', MORE_HELP);
}

/** Reads `ADDRESS=ID`. An id may hold `=`; an address cannot. */
function readImportTarget(text: string): ImportTarget {
  const [address = '', ...id] = text.split('=');
  return { address, id: id.join('=') };
}

async function printImportBlocks(stack: string, chosen: readonly ImportTarget[]): Promise<number> {
  const { importBlocks, readStack } = await import('../adopt/import-blocks.js');
  const folder = findStackFolder('<stack>', stack);
  process.stdout.write(importBlocks(readStack(folder), chosen));
  return 0;
}

/** The first interrupt ends the work between two changes; a second one ends the process. */
async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const interrupt = new AbortController();
  let status = 0;
  const stop = onSignal((signal) => {
    stop();
    status = signalStatus(signal);
    interrupt.abort();
  });
  try {
    await work(interrupt.signal);
  } catch (error) {
    if (status === 0) throw error;
  }
  return status;
}
