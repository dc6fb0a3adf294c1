import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { RunOptions } from '../../verify/model/options.js';
import type { LinkResult, Verification } from '../../verify/model/verification.js';
import { prepareRun } from '../../verify/run/prepare-run.js';
import { proveReady } from '../../verify/run/prove-ready.js';
import { untilSignal } from '../program/signals.js';
import { runOptions } from '../verify/run-options.js';
import type { ExporterFlags } from './flags.js';
import { LinkChecks } from './link-checks.js';
import { DEFAULT_LISTEN, isLoopback } from './listen-address.js';
import { type ProbedLink, readProbedLinks } from './read-probed-links.js';
import { serve } from './serve.js';

/** Serves probes until a signal comes, and answers the exit status. */
export async function runExporter(
  flags: ExporterFlags,
  names: Readonly<Record<string, string>>,
): Promise<number> {
  const { listen = DEFAULT_LISTEN, timeoutOffset: timeoutOffsetMs } = flags;
  const options = runOptions(flags, names);
  refuseInput(options);
  const links = await readProbedLinks(flags);
  await prove(links, options);
  const log = new ResultLog();
  const checks = new LinkChecks(links, { ...options, timeoutOffsetMs }, (seen) => log.add(seen));
  const { url, stop } = await serve(checks, listen);
  const count = `${links.length} ${links.length === 1 ? 'link' : 'links'}`;
  process.stderr.write(`exporter: ${count} at ${url}/probe?link=NAME\n`);
  if (!isLoopback(listen)) {
    process.stderr.write('exporter: whoever reaches this address can start checks\n');
  }
  await untilSignal();
  process.stderr.write('exporter: no longer listening; what is under way ends\n');
  await stop();
  return 0;
}

/** The key is read at each check, so that a new one is used without a restart. */
function refuseInput({ credentials, names = {} }: RunOptions): void {
  if (credentials?.privateKeyFile !== '-') return;
  throw new ConnectivityError(
    'usage.invalid',
    `\`${names.privateKeyFile ?? 'privateKeyFile'}\` must name a file, which is read at each check, got: -`,
  );
}

/** What all links share is judged before the first scrape; what is a target's own, at its checks. */
async function prove(links: readonly ProbedLink[], options: RunOptions): Promise<void> {
  await prepareRun(options);
  if (options.auth === false) return;
  const sharing = links.filter(({ credentials }) => Object.keys(credentials).length === 0);
  for (const apiHost of new Set(sharing.map(({ link }) => link.apiHost))) {
    await proveReady({ apiHost, networks: [] }, options);
  }
}

/** Says on standard error when a link begins to be seen otherwise than before, and not each time it is seen. */
export class ResultLog {
  readonly #last = new Map<string, string>();

  add({ links }: Verification): void {
    for (const link of links) {
      const now = words(link);
      const before = this.#last.get(link.name) ?? 'reachable';
      this.#last.set(link.name, now);
      if (now !== before) process.stderr.write(`exporter: ${link.name}: ${now}\n`);
    }
  }
}

function words({ verdict, stages }: LinkResult): string {
  const seen = stages
    .filter(({ status }) => status === 'failed' || status === 'warned')
    .map(({ stage, address, code }) => [stage, address, code].filter(Boolean).join(' '));
  return [verdict, ...new Set(seen)].join(', ');
}
