import { setTimeout as sleep } from 'node:timers/promises';
import type { Plugin } from '../../link/link.js';
import { timerMs } from '../../service/http/limits.js';
import type { BackendResult } from '../model/verification.js';
import { interfaceAddresses, isInside } from '../probes/own-address.js';
import { hostAndPort } from '../transport/host-port.js';
import { mapLimited } from '../transport/limiter.js';
import { readOwnAddresses } from '../transport/own-addresses.js';
import type { RunContext } from '../transport/run-context.js';
import { type ProbedServer, probeServer } from './probe-server.js';
import { retryDelay } from './retry-delay.js';

const SERVERS_AT_ONCE = 8;

/**
 * Checks the servers of private plugins as their load balancer does, again while they fail and the
 * time to wait lasts. From outside of their network nothing is dialled: another host may have the
 * address there.
 *
 * @param startedAt milliseconds of `performance.now()`, when the run began
 */
export async function checkBackends(
  run: RunContext,
  plugins: readonly Plugin[],
  startedAt: number,
): Promise<BackendResult[]> {
  const rows = plugins.flatMap((plugin) => {
    const servers = plugin.servers.length === 0 ? [undefined] : plugin.servers;
    return servers.map((server) => ({ plugin, server }));
  });
  return await mapLimited(rows, SERVERS_AT_ONCE, async ({ plugin, server }) => {
    const start = performance.now();
    const { name, serviceId } = plugin;
    const seen =
      server === undefined ? UNKNOWN_SERVERS : await checkServer(run, plugin, server, startedAt);
    const elapsedMs = Math.round(performance.now() - start);
    return { name, serviceId, ...(server !== undefined && { server }), ...seen, elapsedMs };
  });
}

const UNKNOWN_SERVERS: ProbedServer = {
  status: 'skipped',
  seen: 'the load balancer is not made by the stack, which does not know its servers',
};

const INTERRUPTED: ProbedServer = {
  status: 'failed',
  code: 'run.interrupted',
  seen: 'the run was interrupted',
};

async function checkServer(
  run: RunContext,
  plugin: Plugin,
  server: string,
  startedAt: number,
): Promise<ProbedServer> {
  const outside = await outsideOf(run, plugin, server);
  if (outside !== undefined) return { status: 'skipped', seen: outside };
  const { waitMs = 0, retryDelayMs, signal } = run.options;
  for (let failures = 1; ; failures += 1) {
    const found = await probeServer(run, plugin, server);
    if (found.status === 'passed') return found;
    if (signal?.aborted) return INTERRUPTED;
    const leftMs = startedAt + waitMs - performance.now();
    if (found.status === 'skipped' || leftMs <= 0) return found;
    const delay = retryDelay({ firstMs: retryDelayMs, failuresInARow: failures, leftMs });
    await sleep(timerMs(delay), undefined, signal && { signal }).catch(() => undefined);
  }
}

/** Why the server cannot be seen from here. A dial that a rule leads elsewhere is led from anywhere. */
async function outsideOf(
  { options: { ownAddresses }, rerouter }: RunContext,
  { networks }: Plugin,
  server: string,
): Promise<string | undefined> {
  const { host, port } = hostAndPort(server);
  if ((await rerouter.find(host, host, port)) !== undefined) return undefined;
  const own =
    ownAddresses === undefined ? interfaceAddresses() : await readOwnAddresses(ownAddresses);
  if (own.some((address) => isInside(address, networks))) return undefined;
  return `not checkable from here: this machine (${own.join(', ') || 'no address but loopback'}) is outside of ${networks.join(', ')}`;
}
