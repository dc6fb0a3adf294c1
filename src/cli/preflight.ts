import { Command } from 'commander';
import { usageError } from '../codes/connectivity-error.js';
import { logCheck } from './deploy/run-log.js';
import { collectTexts, parseArguments } from './program/arguments.js';
import { reportError } from './program/output.js';
import { sayingWhile } from './program/waiting.js';
import { runOptions, settingNames } from './verify/command-line.js';
import { CREDENTIAL_FLAGS } from './verify/flags/credentials.js';
import { addFlags, FLAGS, type Flags } from './verify/flags/table.js';

const ROWS = [...Object.values(CREDENTIAL_FLAGS), FLAGS.ownAddress, FLAGS.proxy, FLAGS.apiHost];

const ABOUT =
  'Proves that a check can run on this machine before anything is deployed: credentials, private key and location in the network. It sends no packets. A deploy runs it before its first resource.';

export default async function main(args: readonly string[]): Promise<number> {
  const command = addFlags(new Command('secure-connectivity preflight'), ROWS)
    .description(ABOUT)
    .option(
      '--network <cidr>',
      'a network that may call the service; repeatable (default: every network)',
      collectTexts,
    )
    .option('--report-only', 'print what is wrong, and exit 0');
  const flags = parseArguments<Flags & { readonly network?: readonly string[] }>(command, args);
  if (flags.apiHost === undefined) {
    throw usageError('`--api-host` is required');
  }
  const { proveReady } = await import('../verify/run/prove-ready.js');
  try {
    const needs = { apiHost: flags.apiHost, networks: flags.network ?? [] };
    const options = runOptions(flags, settingNames(command));
    const seen = await sayingWhile('the private key', () => proveReady(needs, options));
    process.stdout.write(`preflight: ${seen}\n`);
    return 0;
  } catch (error) {
    const exit = await reportError(error);
    if (flags.reportOnly) return 0;
    logCheck(exit);
    return exit;
  }
}
