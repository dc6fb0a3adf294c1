import { setMaxListeners } from 'node:events';
import { failedReasons } from '../../codes/stated.js';
import { RUN_TIMEOUT_MS } from '../model/options.js';
import type { ProbeResult } from '../model/verification.js';
import { type Attempt, linkContext } from '../transport/context.js';
import { observe } from '../transport/observe.js';
import { clock, serverTime } from './clocks.js';
import { firstBytes } from './first-bytes.js';
import {
  largeRequest,
  newConnection,
  noAuthorization,
  noCredential,
  serverNames,
} from './lost-packets.js';
import { ownAddress, pinnedAddress, proxy } from './other-ways.js';
import type { Probe } from './probe.js';
import { resolvers } from './resolvers.js';

/** The probes of a failed link, which run side by side. */
const PROBES: readonly Probe[] = [
  resolvers,
  pinnedAddress,
  serverNames,
  firstBytes,
  noCredential,
  largeRequest,
  newConnection,
  noAuthorization,
  proxy,
  clock,
  serverTime,
  ownAddress,
];

/** The probes may take at most as long as the check itself. */
const MAX_MS = 6_000;
const SHARE_OF_RUN = 0.5;

/** Tries a link that failed with one thing changed at a time, in time of its own. */
export async function runProbes(attempt: Attempt): Promise<readonly ProbeResult[]> {
  const { run, findings, seen } = attempt;
  const { signal: outside, probes = true } = run.options;
  const reasons = failedReasons(findings);
  const isCutOff = outside?.aborted || reasons.some((reason) => reason.startsWith('run.'));
  if (reasons.length === 0 || isCutOff || !probes) return [];
  const { seen: results, wasPaused } = await observe(
    () => probeAll(attempt),
    (all) => all.some(({ ok }) => !ok),
  );
  if (!wasPaused) return results;
  // Causes are read from what differs between probes: one that was lost for nothing would be one.
  seen.notes.add(UNPROBED);
  return [];
}

const UNPROBED =
  'this machine stood still while the cause was looked for, so nothing of that is shown';

async function probeAll({ run, link, findings, seen }: Attempt): Promise<readonly ProbeResult[]> {
  const { signal: outside, timeoutMs = RUN_TIMEOUT_MS } = run.options;
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, ...(outside ? [outside] : [])]);
  setMaxListeners(0, signal);
  const deadline = performance.now() + Math.min(MAX_MS, timeoutMs * SHARE_OF_RUN);
  const context = { ...linkContext(run, link, signal, deadline), findings, seen };
  try {
    // A probe that fails itself takes nothing from the report but its own part.
    const results = await Promise.all(PROBES.map((probe) => probe(context).catch(() => [])));
    return results.flat();
  } finally {
    own.abort();
  }
}
