import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { redact } from '../../codes/redact.js';
import { foreignCaller } from '../../net/foreign-caller.js';
import { type Answer, line, metrics, probe, targets } from './answers.js';
import type { LinkChecks } from './link-checks.js';
import { isLoopback, type ListenAddress, urlOf } from './listen-address.js';
import { ownMetrics } from './own-metrics.js';

const MOST_CONNECTIONS = 1_024;
const REQUEST_MS = 10_000;

interface Serving {
  readonly url: string;
  /** Ends listening, lets what is under way end, and closes every connection. */
  readonly stop: () => Promise<void>;
}

/** Serves probes and metrics. @throws ConnectivityError `usage.invalid` where the address cannot be had */
export async function serve(checks: LinkChecks, address: ListenAddress): Promise<Serving> {
  const startedAt = Date.now() / 1_000;
  const probes = new Map<number, number>();
  const underWay = new Set<Promise<void>>();
  let probesWaiting = 0;

  const countedProbe = async (...asked: Parameters<typeof probe>): Promise<Answer> => {
    probesWaiting += 1;
    try {
      const answer = await probe(...asked);
      probes.set(answer.status, (probes.get(answer.status) ?? 0) + 1);
      return answer;
    } finally {
      probesWaiting -= 1;
    }
  };
  const counts = () => ({
    startedAt,
    links: checks.names.length,
    checksRunning: checks.running,
    checksDone: checks.done,
    probesWaiting,
    probes,
  });
  const answer = async (request: IncomingMessage, left: AbortSignal): Promise<Answer> => {
    const foreign = isLoopback(address) ? foreignCaller(request.headers) : undefined;
    if (foreign !== undefined) return line(403, foreign);
    if (request.method !== 'GET') return line(405, `only GET is answered, got: ${request.method}`);
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    if (path === '/probe') {
      return await countedProbe(checks, new URLSearchParams(query), request.headers, left);
    }
    if (path === '/metrics') return metrics(ownMetrics(counts()));
    if (path === '/targets') return targets(checks.names);
    if (path === '/-/healthy') return line(200, 'healthy');
    return line(404, 'there are /probe?link=NAME, /targets, /metrics and /-/healthy');
  };
  const server = createServer((request, response) => {
    const handled = handle(answer, request, response).finally(() => underWay.delete(handled));
    underWay.add(handled);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;
  await listenAt(server, address);
  const { port } = server.address() as AddressInfo;
  return {
    url: urlOf({ ...address, port }),
    stop: async () => {
      server.close();
      while (underWay.size > 0) await Promise.all(underWay);
      server.closeAllConnections();
    },
  };
}

async function handle(
  answer: (request: IncomingMessage, left: AbortSignal) => Promise<Answer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  request.resume();
  const { status, text, type } = await answer(request, left.signal).catch((error: unknown) => {
    if (left.signal.aborted) return line(503, 'the caller has left');
    const bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`exporter: internal.bug: ${redact(bug)}\n`);
    return line(500, 'internal.bug: see the log of the exporter');
  });
  response.writeHead(status, {
    'content-type': type ?? 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 && { allow: 'GET' }),
  });
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.end(text, resolve);
  });
}

function listenAt(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const got = urlOf({ host, port }).replace('http://', '');
      reject(
        new ConnectivityError(
          'usage.invalid',
          `\`--listen\` must be an address of this machine with a free port, got: ${got} (${code})`,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}
