import { Command } from 'commander';
import type { ImportTarget } from '../../adopt/import-blocks.js';
import { usageError } from '../../codes/connectivity-error.js';
import { readImportTarget } from '../import-blocks.js';
import { collect, parseArguments, parseDuration, readFlag } from '../program/arguments.js';
import { onSignal, signalStatus } from '../program/signals.js';

const MORE_HELP = `
When Terraform or the provider is killed while it creates an object, the object exists in the cloud but
not in the state. This command finds it, by the tags or the description that every object of a stack
has and by the objects that it refers to, and imports it:

  secure-connectivity adopt api-access-production
  secure-connectivity deploy api-access-production

An object that was created to replace another one takes its place in the state, and the next deploy
deletes the other one. What the deploy would delete and no longer exists in the cloud is removed from
the state.

Anything ambiguous is left unchanged and listed: several objects for one resource, or an object that
differs from the plan. The command only reads the cloud, with the provider's credentials.

Exit status: 0 adopted, or nothing to adopt; 2 another run holds the state's lock; 22 something needs a
decision; 130 interrupted between two changes: run it again.`;

interface Flags {
  readonly id?: readonly ImportTarget[];
  readonly withDifferences?: true;
  readonly forgetGone?: true;
  readonly dryRun?: true;
  readonly wait: string;
  readonly lockTimeout: string;
}

/** `secure-connectivity adopt`: takes into the state what an interrupted deploy left in the cloud. */
export default async function adopt(args: readonly string[]): Promise<number> {
  const command = commandLine();
  const {
    id: chosen = [],
    withDifferences = false,
    forgetGone = false,
    ...flags
  } = parseArguments<Flags>(command, args);
  const wrong = chosen.find(({ address, id }) => address === '' || id === '');
  if (wrong !== undefined) {
    throw usageError(`\`--id\` must be ADDRESS=ID, got: "${wrong.address}"`);
  }
  const [{ adoptStack }, { findAdoptable }, { openStackFolder }] = await Promise.all([
    import('./adopt-stack.js'),
    import('./search-cloud.js'),
    import('./terraform-folder.js'),
  ]);
  const stack = openStackFolder(command.args[0] ?? '', flags.lockTimeout);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const waitMs = readFlag('--wait', flags.wait, parseDuration);
  const note = (line: string) => say(`note: ${line}`);
  const options = { chosen, withDifferences, forgetGone, waitMs, say, note };
  if (flags.dryRun) {
    process.stdout.write(await findAdoptable(stack, options));
    return 0;
  }
  return untilInterrupted(async (signal) => {
    const done = Object.entries(await adoptStack(stack, { ...options, signal }));
    const counts = done.flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
    say(`${stack.name}: ${counts.length === 0 ? 'nothing to adopt' : counts.join(', ')}`);
  });
}

function commandLine(): Command {
  return new Command('secure-connectivity adopt')
    .description('Imports into the state what an interrupted deploy left in the cloud.')
    .argument('<stack>', 'name of a synthesized stack, or its folder')
    .option(
      '--id <address=id>',
      'the object to adopt, if several are found; repeatable',
      collect(readImportTarget),
    )
    .option(
      '--with-differences',
      'also adopt objects that differ from the plan in what can be changed in place',
    )
    .option('--forget-gone', 'remove from the state what no longer exists in the cloud')
    .option('--dry-run', 'print import blocks for what is found, and change nothing')
    .option('--wait <duration>', 'how long to wait for what the cloud is still creating', '5m')
    .option('--lock-timeout <time>', "how long to wait for a deploy's lock", '1m')
    .addHelpText('after', MORE_HELP);
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
