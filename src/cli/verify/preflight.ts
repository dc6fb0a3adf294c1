import { usageError } from '../../codes/connectivity-error.js';
import { withWaitNotice } from '../../progress/waiting.js';
import { recordCheckStatus } from '../program/check-files.js';
import { reportError } from '../program/output.js';
import { type CommandLine, runOptions } from './command-line.js';

/** Proves that a check can run on this machine: credentials, private key, location. It sends no packet. */
export async function runPreflight({ flags, names }: CommandLine): Promise<number> {
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
