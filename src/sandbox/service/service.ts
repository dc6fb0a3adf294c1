import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { activeFaults, type FaultName } from '../faults/index.js';
import { makeAuthority } from '../listeners/certificates.js';
import { readJson } from '../listeners/json-over-http.js';
import { type Listeners, openListeners } from '../listeners/service-ports.js';
import { SANDBOX_SERVICE, type ServiceNames } from '../surroundings.js';
import { API, callApi } from './api.js';
import { type Application, applicationUnder } from './application.js';
import { apiError, newLogId, type Reply, type ServiceContext } from './endpoint.js';
import { ChatStore, TokenStore } from './stores.js';
import { exchange, tokenPath } from './token-endpoint.js';

const BEHIND_MS = 10 * 60 * 1000;
/** Less than the life of a JWT. */
const AHEAD_MS = 2 * 60 * 1000;

export interface ServiceOptions {
  readonly application: Application;
  readonly enterpriseId: string;
  /** The parents of endpoints' domains. */
  readonly endpointSuffixes: readonly string[];
  /** @default - the sandbox's own */
  readonly names?: ServiceNames;
  readonly faults: () => ReadonlySet<FaultName>;
  /** How many polls find a chat in progress. @default 1 */
  readonly chatPolls?: number;
}

export async function startService(options: ServiceOptions): Promise<Listeners> {
  const { application, enterpriseId, faults, names = SANDBOX_SERVICE } = options;
  const context: ServiceContext = {
    apiHosts: names.apiHosts,
    enterpriseId,
    tokens: new TokenStore(),
    chats: new ChatStore(options.chatPolls ?? 1),
    faults,
    application: () => applicationUnder(faults(), application),
    now: () => Date.now() + offsetUnder(faults()),
  };
  const certified = [
    ...names.apiHosts,
    ...names.fixedIpHosts,
    ...names.tlsNames,
    ...options.endpointSuffixes.map((suffix) => `*.${suffix}`),
  ];
  const [trusted, untrusted] = await Promise.all([
    makeAuthority('Sandbox Throw-away CA'),
    makeAuthority('Another CA'),
  ]);
  const handler: RequestListener = (request, response) => void handle(context, request, response);
  return openListeners(handler, certified, trusted, untrusted);
}

function offsetUnder(faults: ReadonlySet<FaultName>): number {
  if (faults.has('clock-skew')) return -BEHIND_MS;
  return faults.has('clock-ahead') ? AHEAD_MS : 0;
}

async function handle(
  context: ServiceContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (intercepted(context, request, response)) return;
  const logId = newLogId(context.now());
  const { status, body, headers, events } = await replyTo(context, request, logId).catch(() =>
    apiError(500, 5000, 'internal error', logId),
  );
  response.writeHead(status, {
    'content-type': 'application/json',
    date: new Date(context.now()).toUTCString(),
    'x-tt-logid': logId,
    ...headers,
  });
  if (events !== undefined) {
    // Each event in a write of its own, no faster than the client takes them.
    await pipeline(Readable.from(events), response).catch(() => undefined);
    return;
  }
  const text = JSON.stringify(body);
  const isToken = tokenPath(readPath(request)) !== undefined;
  const isCut = isToken && context.faults().has('token-truncated');
  response.end(isCut ? text.slice(0, text.length / 2) : text);
}

/** Faults in which something else than the service answers, or nothing. */
function intercepted(
  { faults }: ServiceContext,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const isToken = tokenPath(readPath(request)) !== undefined;
  const hasToken = !isToken && request.headers.authorization !== undefined;
  const rows = activeFaults(faults());
  const row = rows.find(({ standIn }) => standIn && (standIn.to === 'every-call' || hasToken));
  if (row?.standIn === undefined) return false;
  const { answer } = row.standIn;
  if (answer === 'connection-cut') request.socket.destroy();
  else if (answer !== 'none') response.writeHead(answer.status, answer.headers).end(answer.body);
  return true;
}

async function replyTo(
  context: ServiceContext,
  request: IncomingMessage,
  logId: string,
): Promise<Reply> {
  const path = readPath(request);
  const query = new URLSearchParams(request.url?.split('?')[1]);
  const authorization = request.headers.authorization ?? '';
  const body =
    request.method === 'POST' ? await readJson(request).catch(() => undefined) : undefined;
  const enterpriseId = tokenPath(path);
  if (enterpriseId !== undefined && request.method === 'POST') {
    const contentType = request.headers['content-type'] ?? '';
    return exchange(context, { enterpriseId, contentType, authorization, body });
  }
  const { method = '' } = request;
  const endpoint = API.find((each) => each.path === path && each.methods.includes(method));
  if (!endpoint) return apiError(404, 4200, 'not found', logId);
  return callApi(context, endpoint, { authorization, query, body, logId });
}

function readPath(request: IncomingMessage): string {
  return request.url?.split('?')[0] ?? '/';
}
