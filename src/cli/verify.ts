import { Command } from 'commander';
import { EXIT } from '../codes/codes.js';
import type { VerifiableLink, VerifyOptions } from '../verify/options.js';
import { exitOf } from '../verify/verdict.js';
import type { Verification } from '../verify/verification.js';
import { verify } from '../verify/verify.js';
import { parseArguments } from './parse-arguments.js';
import { addFlags, type Flags } from './verify/flags.js';
import { chosenFormats, writeReports } from './verify/formats.js';
import { progressPrinter } from './verify/progress.js';
import { readLinks } from './verify/read-links.js';
import { repeatCommand } from './verify/repeat-command.js';
import { KEY_VARIABLE, settingSources } from './verify/setting-sources.js';

const EXITS = `
Exit status: 0 all is well, 2 usage or preflight, 10 dns, 11 address, 12 tcp, 13 tls, 14 http,
15 token, 16 workspaces, 20 deadline, 21 warning with --strict, 70 a bug, 130 interrupted.
Over several links the lowest wins. Durations are 500ms, 10s, 5m; a bare number is seconds.`;

export default async function main(args: readonly string[]): Promise<number> {
  const command = addFlags(new Command('secure-connectivity verify'))
    .description('Checks each link to the service, stage by stage, and names the broken one.')
    .addHelpText('after', EXITS);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const flags = command.opts<Flags>();
  const formats = chosenFormats(flags.format);
  const links = await readLinks(flags);
  const progress = progressPrinter();
  const verification = await interruptible((signal) =>
    verify({
      ...verifyOptions(flags),
      links,
      settings: settingSources(command),
      signal,
      onProgress: progress.print,
    }),
  );
  progress.clear();
  await writeReports(verification, formats);
  printRepeats(verification, links, flags);
  leaveSoon();
  const exit = exitOf(verification, { strict: flags.strict ?? false });
  return flags.reportOnly && exit !== EXIT.interrupted ? 0 : exit;
}

function verifyOptions(flags: Flags): Omit<VerifyOptions, 'links'> {
  const { enterpriseId, appId, keyId, privateKeyFile, durationSeconds, sessionName } = flags;
  const credentials = { enterpriseId, appId, keyId, privateKeyFile, durationSeconds, sessionName };
  return {
    credentials: { ...credentials, privateKey: process.env[KEY_VARIABLE] },
    auth: flags.auth,
    dnsServer: flags.dnsServer,
    connectTo: flags.connectTo,
    caFile: flags.caFile,
    timeoutMs: flags.timeout,
    waitMs: flags.wait,
  };
}

/** The first signal ends the run with a partial report; a second one ends the process. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function printRepeats(
  { links: results }: Verification,
  links: readonly VerifiableLink[],
  flags: Flags,
): void {
  results.forEach((result, i) => {
    const link = links[i];
    if (link === undefined || exitOf({ links: [result] }) === 0) return;
    process.stderr.write(`verify: to check ${link.name} again:\n  ${repeatCommand(link, flags)}\n`);
  });
}

/** A name lookup that hangs in the system's library cannot be cancelled, and would hold the process. */
function leaveSoon(): void {
  setTimeout(() => process.exit(), 100).unref();
}
