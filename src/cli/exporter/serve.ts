import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, isIP, Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { redact } from '../../codes/redact.js';
import { foreignCaller } from '../../net/host-name.js';
import { TimedOut } from '../../service/http/limits.js';
import { notSeenReport, prometheusReport } from '../../verify/reports/prometheus.js';
import { Busy, type LinkChecks, Paused } from './link-checks.js';
import { ownMetrics } from './own-metrics.js';

export interface ListenAddress {
  /** An IP address. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** Tells whether only this machine reaches it. */
export function isLoopback({ host }: ListenAddress): boolean {
  return host === '::1' || host.startsWith('127.');
}

function listenUrl({ host, port }: ListenAddress): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

const MAX_CONNECTIONS = 1_024;
const REQUEST_MS = 10_000;

/**
 * Longer than the usual time between two scrapes. After a standstill, a shorter limit would end
 * connections on which a request waits.
 */
const IDLE_MS = 120_000;

/** A caller that does not read its answer would otherwise keep one of the connections for ever. */
const UNREAD_MS = 60_000;

/** Requests that are on their way get an answer, rather than the end of their connection. */
const DRAIN_MS = 500;

/** Kubernetes kills what has not ended after 30 s. */
const MAX_STOP_MS = 20_000;
const MAX_READ_MS = 2_000;

/** Answers what is asked at an address, and counts its own probes for the metrics. */
function makeAnswer(checks: LinkChecks, address: ListenAddress) {
  const startedAt = Date.now() / 1_000;
  const probes = new Map<number, number>();
  let probesWaiting = 0;

  const countedProbe = async (...asked: Parameters<typeof probe>): Promise<Answer> => {
    probesWaiting += 1;
    const answer = await probe(...asked).finally(() => {
      probesWaiting -= 1;
    });
    probes.set(answer.status, (probes.get(answer.status) ?? 0) + 1);
    return answer;
  };
  return async (request: IncomingMessage, left: AbortSignal): Promise<Answer> => {
    if (checks.isStopping) return line(503, 'the exporter is stopping');
    const foreign = isLoopback(address) ? foreignCaller(request.headers) : undefined;
    if (foreign !== undefined) return line(403, foreign);
    if (request.method !== 'GET') return line(405, `only GET is answered, got: ${request.method}`);
    const [path = '', ...queries] = (request.url ?? '').split('?');
    const query = queries.join('?');
    if (path === '/probe') {
      return await countedProbe(checks, new URLSearchParams(query), request.headers, left);
    }
    if (path === '/metrics') {
      const { names, running, done } = checks;
      const links = names.length;
      const counts = { startedAt, links, checksRunning: running, checksDone: done };
      return metrics(ownMetrics({ ...counts, probesWaiting, probes }));
    }
    if (path === '/targets') {
      // As Prometheus discovers them over HTTP: a label `__address__` holds the name of each link.
      const text = `${JSON.stringify([{ targets: checks.names }])}\n`;
      return { status: 200, text, type: 'application/json' };
    }
    if (path === '/-/healthy') return line(200, 'healthy');
    return line(404, 'there are /probe?link=NAME, /targets, /metrics and /-/healthy');
  };
}

/** Serves probes and metrics. @throws ConnectivityError `usage.invalid` where the address cannot be had */
export async function serve(checks: LinkChecks, address: ListenAddress) {
  const answer = makeAnswer(checks, address);
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const handled = handle(answer, checks, request, response).finally(() =>
      underWay.delete(handled),
    );
    underWay.add(handled);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;
  server.keepAliveTimeout = IDLE_MS;
  // One request after the other without a pause waits for the end of its connection.
  server.on('connection', (socket) => socket.setMaxListeners(0));
  await listenAt(server, address);
  const { port } = server.address() as AddressInfo;
  return {
    url: listenUrl({ ...address, port }),
    /** Answers with 503 for a moment, lets the checks in progress end for a while, and closes every connection. */
    stop: async (): Promise<void> => {
      checks.stop();
      const limits = [
        setTimeout(() => checks.cut(), MAX_STOP_MS),
        // A caller may not read its answer.
        setTimeout(() => server.closeAllConnections(), MAX_STOP_MS + MAX_READ_MS),
      ];
      await sleep(DRAIN_MS);
      // A timer comes before connections that wait to be accepted.
      await setImmediate();
      // The method of HTTP servers would also end connections on which a request is on its way.
      NetServer.prototype.close.call(server);
      await sleep(DRAIN_MS);
      while (underWay.size > 0) await Promise.all(underWay);
      limits.forEach(clearTimeout);
      server.closeAllConnections();
    },
  };
}

async function handle(
  answer: ReturnType<typeof makeAnswer>,
  checks: LinkChecks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  // Comes after the answer, or when the caller leaves: what is written then never ends.
  const closed = untilClosed(request, response);
  closed.then(() => left.abort());
  request.resume();
  const { status, text, type } = await answer(request, left.signal).catch((error: unknown) => {
    if (left.signal.aborted) return line(503, 'the caller has left');
    const bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`exporter: internal.bug: ${redact(bug)}\n`);
    return line(500, 'internal.bug: see the log of the exporter');
  });
  // Whoever scrapes without pauses would otherwise keep its connection, and this process.
  if (checks.isStopping) response.shouldKeepAlive = false;
  response.writeHead(status, {
    'content-type': type ?? 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 && { allow: 'GET' }),
  });
  response.end(text);
  response.setTimeout(UNREAD_MS);
  await closed;
}

/** Waits for the end of an answer, or of its connection: an answer behind others on it has no end of its own. */
function untilClosed({ socket }: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const close = () => {
      socket.off('close', close);
      resolve();
    };
    socket.once('close', close);
    response.once('close', close);
  });
}

async function listenAt(server: Server, address: ListenAddress): Promise<void> {
  try {
    await once(server.listen(address), 'listening');
  } catch (error) {
    const got = `${listenUrl(address).replace('http://', '')} (${(error as NodeJS.ErrnoException).code})`;
    throw usageError(
      `\`--listen\` must be an address of this machine with a free port, got: ${got}`,
    );
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** @default 'text/plain; charset=utf-8' */
  readonly type?: string;
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const SCRAPE_TIMEOUT = 'x-prometheus-scrape-timeout-seconds';

function metrics(text: string): Answer {
  return { status: 200, text, type: METRICS_TYPE };
}

/** One line for whoever asked. */
function line(status: number, text: string): Answer {
  return { status, text: `${redact(text)}\n` };
}

/** Checks the link that the query names. @param signal ends when the caller has left */
async function probe(
  checks: LinkChecks,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
  signal: AbortSignal,
): Promise<Answer> {
  const other = [...query.keys()].find((name) => name !== 'link');
  if (other !== undefined) {
    return line(400, `the only parameter is \`link\`, got: ${JSON.stringify(other)}`);
  }
  const [name = '', ...more] = query.getAll('link');
  if (name === '' || more.length > 0) {
    return line(400, '`link` must be given once, as /probe?link=NAME');
  }
  const { [SCRAPE_TIMEOUT]: scrapeSeconds } = headers;
  const scrapeMs = scrapeSeconds === undefined ? undefined : Number(scrapeSeconds) * 1_000;
  if (scrapeMs !== undefined && !(scrapeMs > 0 && Number.isFinite(scrapeMs))) {
    return line(
      400,
      `\`${SCRAPE_TIMEOUT}\` must be a number of seconds above 0, got: ${JSON.stringify(scrapeSeconds)}`,
    );
  }
  try {
    const verification = await checks.check(name, signal, scrapeMs);
    return verification === undefined
      ? line(404, `no link has the name ${JSON.stringify(name)}; /targets lists them`)
      : metrics(prometheusReport(verification));
  } catch (error) {
    if (error instanceof Paused) return metrics(notSeenReport(name, 'run.machine-paused'));
    if (error instanceof TimedOut || error instanceof Busy) return line(503, error.message);
    if (error instanceof ConnectivityError) return line(500, error.message);
    throw error;
  }
}
