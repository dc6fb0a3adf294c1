import type { Code } from '../../codes/codes.js';
import { isOfTime } from '../../codes/stated.js';
import { present } from '../../files/json.js';
import type { Plugin } from '../../link/link.js';
import { mapLimited } from '../../lists/map-limited.js';
import { LINK_NETWORK } from '../../net/cidr.js';
import { readLocation } from '../../service/api-response.js';
import { connectService } from '../../service/http/connection.js';
import { withTimeout } from '../../service/http/limits.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { RUN_WAIT_MS } from '../model/options.js';
import type { BackendResult } from '../model/verification.js';
import { findOwnAddresses, hostAndPort, isInside } from '../transport/addresses.js';
import { DialledHosts, type RunContext } from '../transport/context.js';
import { dial } from '../transport/dial.js';
import { observe } from '../transport/observe.js';
import { pause, retryDelay } from './pause.js';

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
      server === undefined
        ? skipped('the load balancer is not made by the stack, which does not know its servers')
        : await checkServer(run, plugin, server, startedAt);
    const elapsedMs = Math.round(performance.now() - start);
    return { name, serviceId, ...present({ server }), ...seen, elapsedMs };
  });
}

type ProbedServer = Pick<BackendResult, 'status' | 'code' | 'seen' | 'connectedTo'>;

function passed(seen: string): ProbedServer {
  return { status: 'passed', seen };
}

function failed(code: Code, seen: string): ProbedServer {
  return { status: 'failed', code, seen };
}

function skipped(seen: string): ProbedServer {
  return { status: 'skipped', seen };
}

async function checkServer(
  run: RunContext,
  plugin: Plugin,
  server: string,
  startedAt: number,
): Promise<ProbedServer> {
  const outside = await findOutside(run, plugin, server);
  if (outside !== undefined) return skipped(outside);
  const { waitMs = RUN_WAIT_MS, signal } = run.options;
  for (let failures = 1; ; failures += 1) {
    const found = await probeObserved(run, plugin, server);
    if (found.status === 'passed') return found;
    if (signal?.aborted) return failed('run.interrupted', 'the run was interrupted');
    const leftMs = startedAt + waitMs - performance.now();
    if (found.status === 'skipped' || leftMs <= 0) return found;
    await pause(retryDelay(failures, run.options, leftMs), signal);
  }
}

/** Explains why the server cannot be seen from here. A dial that a rule leads elsewhere is led from anywhere. */
async function findOutside(
  { options, connectToRules }: RunContext,
  { networks }: Plugin,
  server: string,
): Promise<string | undefined> {
  const { host, port } = hostAndPort(server);
  if ((await connectToRules.find(host, host, port)) !== undefined) return undefined;
  const own = await findOwnAddresses(options);
  if (own.some((address) => isInside(address, networks))) return undefined;
  return `not checkable from here: this machine (${own.join(', ') || 'no address but loopback'}) is outside of ${networks.join(', ')}`;
}

type HealthCheck = NonNullable<Plugin['healthCheck']>;

/** The check of a server whose load balancer says nothing of its check. */
const PLAIN_CHECK: HealthCheck = { protocol: 'TCP', timeoutSeconds: 2 };

/** One health check, and another where the silence of the first may be this machine's own. */
async function probeObserved(
  run: RunContext,
  plugin: Plugin,
  server: string,
): Promise<ProbedServer> {
  const { seen, wasPaused } = await observe(
    () => probeServer(run, plugin, server),
    (found) => found.status === 'skipped' || isOfTime(found),
  );
  return wasPaused ? failed('run.machine-paused', 'this machine stood still meanwhile') : seen;
}

/** One health check of one server, as its load balancer makes it, by a connection straight to it. */
async function probeServer(
  run: RunContext,
  { healthCheck = PLAIN_CHECK }: Plugin,
  server: string,
): Promise<ProbedServer> {
  const { host, port } = hostAndPort(server);
  const connectTo = new Map<string, string>();
  const open = (signal: AbortSignal) => {
    const way = { run: { ...run, dialled: new DialledHosts() }, host, port, seen: { connectTo } };
    return dial({ ...way, proxy: undefined, isPlain: false }, host, signal);
  };
  const found = await probe(run, healthCheck, server, open);
  const [connectedTo] = connectTo.values();
  return { ...found, ...present({ connectedTo }) };
}

async function probe(
  { options: { signal } }: RunContext,
  { protocol, path = '/', timeoutSeconds }: HealthCheck,
  server: string,
  open: (signal: AbortSignal) => ReturnType<typeof dial>,
): Promise<ProbedServer> {
  const timeoutMs = timeoutSeconds * 1_000;
  const opened = await withTimeout(timeoutMs, signal, open).catch((error: unknown) => ({ error }));
  if ('error' in opened) return notOpened(opened.error, timeoutSeconds);
  if (protocol === 'TCP') {
    opened.destroy();
    return passed('accepts TCP connections, as the load balancer checks');
  }
  const connection = connectService(`http://${server}`, {
    open: async () => opened,
    anonymous: true,
  });
  try {
    const call = { timeoutMs, ...(signal && { signal }) };
    // The load balancer judges by the status, whatever becomes of the body.
    const request = { method: 'GET', path, accept: '*/*' } as const;
    const { status, headers, body } = await connection.stream(request, call);
    await body.return();
    const location = readLocation({ status, headers });
    const seen = `answers GET ${path} with ${status}${location === undefined ? '' : ` to ${location}`}`;
    return status >= 200 && status < 300 ? passed(seen) : failed('backend.unhealthy', seen);
  } catch (error) {
    return notAnswered(error, path, timeoutSeconds);
  } finally {
    await connection.close();
    opened.destroy();
  }
}

/** Silence decides nothing: the servers' own rules let nobody but the load balancer in. */
function notOpened(error: unknown, timeoutSeconds: number): ProbedServer {
  const code = transportCode(error, 'tcp');
  if (code === 'tcp.refused') return failed('backend.unhealthy', 'the connection is refused');
  const silence = `silence for ${timeoutSeconds} s, as when the server allows only ${LINK_NETWORK}`;
  return skipped(`not checkable from here: ${code === 'tcp.timeout' ? silence : errorName(error)}`);
}

function notAnswered(error: unknown, path: string, timeoutSeconds: number): ProbedServer {
  if (transportCode(error, 'http') === 'http.timeout') {
    return failed('backend.unhealthy', `no answer to GET ${path} within ${timeoutSeconds} s`);
  }
  return failed('backend.unhealthy', error instanceof Error ? error.message : errorName(error));
}
