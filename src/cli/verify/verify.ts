import { Option } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { withWaitNotice } from '../../progress/waiting.js';
import { parseArguments } from '../program/arguments.js';
import { recordCheckStatus } from '../program/check-files.js';
import { newCommand } from '../program/new-command.js';
import { reportError } from '../program/output.js';
import { type CommandLine, readCommandLine, runOptions } from './command-line.js';
import { MODE_FLAGS, refuseMixedModes } from './flags/modes.js';
import { VARIABLE_PREFIX } from './flags/row.js';
import { addFlags, FLAG_GROUPS } from './flags/table.js';

const ENDS = `
$: also as a variable, such as ${VARIABLE_PREFIX}CA_FILE for --ca-file.
Durations are 500ms, 10s, 5m; a bare number is seconds.
docs/verify.md explains every flag.

Exit status: 0 passed, 2 usage or preflight, 10 dns, 11 address, 12 tcp, 13 tls,
14 http, 15 token, 16 workspaces, 18 a private plugin's connection or server,
19 clocks more than 60 s apart, 20 deadline, no check at the vantage point, or
saved results that do not show everything, 21 warning with --strict, 23 a door
is open that must be closed, 70 a bug, 74 output lost (disk full, reader gone),
130 interrupted. Of several the lowest wins, and 23 before all.`;

export default async function main(args: readonly string[]): Promise<number> {
  const command = newCommand('verify')
    .addHelpOption(new Option('-h, --help', 'print this help').helpGroup('Help:'))
    .configureHelp({
      optionDescription: ({ description, argChoices, envVar }) =>
        `${description}${argChoices ? `: ${argChoices.join(', ')}` : ''}${envVar ? '\u00A0$' : ''}`,
    })
    .addHelpText('after', ENDS);
  for (const [heading, rows] of Object.entries(FLAG_GROUPS)) addFlags(command, rows, heading);
  addFlags(command, Object.values(MODE_FLAGS), 'In place of a check');
  parseArguments(command, args);
  const line = readCommandLine(command);
  refuseMixedModes(command);
  // What speaks with the network is loaded only now: help and wrong usage need none of it.
  const { targets, preflight, from } = line.flags;
  if (preflight) return await runPreflight(line);
  if (from !== undefined) {
    return await (await import('./saved-results.js')).reportSaved(from, line.flags);
  }
  if (targets !== undefined) {
    const { verifyTargets } = await import('./verify-targets.js');
    return await verifyTargets(targets, line);
  }
  const { verifyLinks } = await import('./verify-links.js');
  const exit = await verifyLinks(line);
  if (line.flags.linksFromEnvironment) recordCheckStatus(exit);
  return exit;
}

/** Proves that a check can run on this machine: credentials, private key, location. It sends no packet. */
async function runPreflight({ flags, names }: CommandLine): Promise<number> {
  const { apiHost, preflight, reportOnly, title = 'preflight' } = flags;
  if (apiHost === undefined) throw usageError('`--preflight` needs `--api-host` beside it');
  const { proveReady } = await import('../../verify/run/prove-ready.js');
  try {
    const needs = { apiHost, networks: typeof preflight === 'object' ? preflight : [] };
    const { seen, warnings } = await withWaitNotice('the private key', () =>
      proveReady(needs, runOptions(flags, names)),
    );
    for (const { message } of warnings) process.stderr.write(`${title}: ${message}\n`);
    process.stdout.write(`${title}: ${seen}\n`);
    return 0;
  } catch (error) {
    const exit = await reportError(error);
    if (reportOnly) return 0;
    recordCheckStatus(exit);
    return exit;
  }
}
