import { usageError } from '../../codes/connectivity-error.js';
import { counted } from '../../lists/counted.js';
import { pipeWaitMs, type RunOptions } from '../../verify/model/options.js';
import type { LinkResult, Verification } from '../../verify/model/verification.js';
import { readTargets } from '../../verify/run/many/targets.js';
import { prepareRun } from '../../verify/run/prepare-run.js';
import { proveReady } from '../../verify/run/prove-ready.js';
import { untilSignal } from '../program/signals.js';
import { refuseOtherSources, runOptions } from '../verify/command-line.js';
import type { Flags } from '../verify/flags/table.js';
import { readLinks } from '../verify/read-links.js';
import { LinkChecks, type ProbedLink } from './link-checks.js';
import { isLoopback, type ListenAddress, serve } from './serve.js';

/** The flags of `verify` that it takes too, and its own. */
export interface ExporterFlags extends Flags {
  readonly listen?: ListenAddress;
  /** Milliseconds. */
  readonly timeoutOffset?: number;
}

const DEFAULT_LISTEN: ListenAddress = { host: '127.0.0.1', port: 9464 };

/** Serves probes until a signal comes, and answers the exit status. */
export async function runExporter(flags: ExporterFlags, names: Readonly<Record<string, string>>) {
  const { listen = DEFAULT_LISTEN, timeoutOffset: timeoutOffsetMs } = flags;
  const options = runOptions(flags, names);
  refuseInput(options);
  const links = await readProbedLinks(flags);
  await prove(links, options);
  const checks = new LinkChecks(links, { ...options, timeoutOffsetMs }, resultLog());
  const { url, stop } = await serve(checks, listen);
  // Before the line that says so: whoever waits for it may send one at once.
  const signalled = untilSignal();
  const count = counted(links.length, 'link');
  process.stderr.write(`exporter: ${count} at ${url}/probe?link=NAME\n`);
  if (!isLoopback(listen)) {
    process.stderr.write('exporter: anyone who can reach this address can start checks\n');
  }
  await signalled;
  process.stderr.write('exporter: stopping; checks in progress will finish\n');
  await stop();
  return 0;
}

/** The key is read at each check, so that a new one is used without a restart. */
function refuseInput({ credentials, names = {} }: RunOptions): void {
  if (credentials?.privateKeyFile !== '-') return;
  throw usageError(
    `\`${names.privateKeyFile ?? 'privateKeyFile'}\` must name a file, which is read at each check, got: -`,
  );
}

/**
 * Judges what all links share before the first scrape; a target's own settings are judged at its
 * checks.
 */
async function prove(links: readonly ProbedLink[], options: RunOptions): Promise<void> {
  await prepareRun(options);
  if (options.auth === false) return;
  const sharing = links.filter(({ credentials }) => Object.keys(credentials).length === 0);
  for (const apiHost of new Set(sharing.map(({ link }) => link.apiHost))) {
    await proveReady({ apiHost, networks: [] }, options);
  }
}

/** Says on standard error when a link begins to be seen otherwise than before, and not each time it is seen. */
function resultLog(): (verification: Verification) => void {
  const last = new Map<string, string>();
  return ({ links }) => {
    for (const link of links) {
      const now = words(link);
      const before = last.get(link.name) ?? 'reachable';
      last.set(link.name, now);
      if (now !== before) process.stderr.write(`exporter: ${link.name}: ${now}\n`);
    }
  };
}

function words({ verdict, stages }: LinkResult): string {
  const seen = stages
    .filter(({ status }) => status === 'failed' || status === 'warned')
    .map(({ stage, address, code }) => [stage, address, code].filter(Boolean).join(' '));
  return [verdict, ...new Set(seen)].join(', ');
}

/** Reads the links from the one source that the flags name. @throws ConnectivityError */
async function readProbedLinks(flags: Flags): Promise<ProbedLink[]> {
  const read = flags.targets === undefined ? await fromStacks(flags) : await fromTargets(flags);
  const names = read.map(({ link: { name } }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return read;
  throw usageError(
    `each link must have a name of its own, by which it is probed, got: ${JSON.stringify(twice)} twice`,
  );
}

async function fromTargets(flags: Flags): Promise<ProbedLink[]> {
  refuseOtherSources(flags);
  const { targets = '', allowPlainHttp = false, timeout } = flags;
  const options = { allowPlainHttp, pipeWaitMs: pipeWaitMs(timeout) };
  const probed: ProbedLink[] = [];
  for await (const target of readTargets(targets, options)) probed.push(target);
  if (probed.length > 0) return probed;
  throw usageError(`\`--targets\` must hold at least one target, got: ${targets} without one`);
}

async function fromStacks(flags: Flags): Promise<ProbedLink[]> {
  const { links, connections, plugins } = await readLinks(flags);
  const others = connections.length + plugins.length;
  const named = counted(others, 'connection or plugin', 'connections and plugins');
  if (links.length === 0) {
    throw usageError(
      `at least one link to the service is needed, got: ${named} alone, which \`secure-connectivity verify\` checks`,
    );
  }
  if (others > 0) {
    process.stderr.write(
      `exporter: ${named} without a probe; \`secure-connectivity verify\` checks that\n`,
    );
  }
  return links.map((link) => ({ link, credentials: {} }));
}
