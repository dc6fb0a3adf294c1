import type { Plugin } from '../../link/link.js';
import { LINK_NETWORK } from '../../net/cidr.js';
import { connectService } from '../../service/http/connection.js';
import { withTimeout } from '../../service/http/limits.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import type { BackendResult } from '../model/verification.js';
import { DialledHosts } from '../transport/contacted-hosts.js';
import { dial } from '../transport/dial.js';
import { hostAndPort } from '../transport/host-port.js';
import type { RunContext } from '../transport/run-context.js';

export type ProbedServer = Pick<BackendResult, 'status' | 'code' | 'seen' | 'rerouted'>;

type HealthCheck = NonNullable<Plugin['healthCheck']>;

/** For a server whose load balancer says nothing of its check. */
const PLAIN_CHECK: HealthCheck = { protocol: 'TCP', timeoutSeconds: 2 };

/** One health check of one server, as its load balancer makes it, by a connection straight to it. */
export async function probeServer(
  run: RunContext,
  { healthCheck = PLAIN_CHECK }: Plugin,
  server: string,
): Promise<ProbedServer> {
  const { host, port } = hostAndPort(server);
  const reroutes = new Map<string, string>();
  const open = (signal: AbortSignal) => {
    const way = { run: { ...run, dialled: new DialledHosts() }, host, port, seen: { reroutes } };
    return dial({ ...way, proxy: undefined, isPlain: false }, host, signal);
  };
  const found = await probe(run, healthCheck, server, open);
  const rerouted = reroutes.values().next().value;
  return { ...found, ...(rerouted !== undefined && { rerouted }) };
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
    return { status: 'passed', seen: 'takes TCP connections, as the load balancer checks' };
  }
  const connection = connectService(`http://${server}`, {
    open: async () => opened,
    anonymous: true,
  });
  try {
    const call = { timeoutMs, ...(signal && { signal }) };
    const { status } = await connection.request({ method: 'GET', path, accept: '*/*' }, call);
    const seen = `answers GET ${path} with ${status}`;
    if (status >= 200 && status < 300) return { status: 'passed', seen };
    return { status: 'failed', code: 'backend.unhealthy', seen };
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
  if (code === 'tcp.refused') {
    return { status: 'failed', code: 'backend.refused', seen: 'the connection is refused' };
  }
  const seen = code === 'tcp.timeout' ? `silence for ${timeoutSeconds} s` : errorName(error);
  return {
    status: 'skipped',
    seen: `not checkable from here: ${seen}, as where the server lets only ${LINK_NETWORK} in`,
  };
}

function notAnswered(error: unknown, path: string, timeoutSeconds: number): ProbedServer {
  if (transportCode(error, 'http') === 'http.timeout') {
    const seen = `no answer to GET ${path} within ${timeoutSeconds} s`;
    return { status: 'failed', code: 'backend.silent', seen };
  }
  const { cause } = error as { cause?: unknown };
  const seen = `no HTTP answer to GET ${path}: ${errorName(cause ?? error)}`;
  return { status: 'failed', code: 'backend.not-http', seen };
}
