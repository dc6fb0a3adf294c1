import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { activeFaults, type FaultName } from '../faults/index.js';
import { makeAuthority } from '../listeners/certificates.js';
import { readJson } from '../listeners/json-over-http.js';
import { openListeners } from '../listeners/service-ports.js';
import { SANDBOX_SERVICE, type ServiceNames } from '../surroundings.js';
import { API, callApi } from './api.js';
import { type Application, applicationUnder } from './application.js';
import { apiError, newLogId, type Reply, type ServiceContext } from './endpoint.js';
import { ChatStore } from './stores.js';
import { exchange, tokenPath } from './token-endpoint.js';

const BEHIND_MS = 10 * 60 * 1000;
/** Less than the life of a JWT. */
const AHEAD_MS = 2 * 60 * 1000;

interface ServiceOptions {
  readonly application: Application;
  readonly enterpriseId: string;
  /** The parents of endpoints' domains. */
  readonly endpointSuffixes: readonly string[];
  /** @default - the sandbox's own */
  readonly names?: ServiceNames;
  readonly faults: () => ReadonlySet<FaultName>;
  /** @default - the agent has no plugins */
  readonly callPlugins?: ServiceContext['callPlugins'];
  /** The number of polls that find a chat in progress. @default 1 */
  readonly chatPolls?: number;
}

export async function startService(options: ServiceOptions) {
  const { application, enterpriseId, faults, names = SANDBOX_SERVICE } = options;
  const context: ServiceContext = {
    apiHosts: names.apiHosts,
    enterpriseId,
    tokens: new Map(),
    usedJwts: new Set(),
    chats: new ChatStore(options.chatPolls ?? 1),
    callPlugins: options.callPlugins ?? (async () => []),
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
  const [path = '', search] = (request.url ?? '').split('?');
  const enterpriseId = tokenPath(path);
  const isToken = enterpriseId !== undefined;
  if (intercepted(context, isToken, request, response)) return;
  const logId = newLogId(context.now());
  const { method = '', headers } = request;
  const replyTo = async (): Promise<Reply> => {
    const { authorization = '', 'content-type': contentType = '' } = headers;
    const body = method === 'POST' ? await readJson(request).catch(() => undefined) : undefined;
    if (isToken && method === 'POST') {
      return exchange(context, { enterpriseId, contentType, authorization, body });
    }
    const endpoint = API.find((each) => each.path === path && each.methods.includes(method));
    if (!endpoint) return apiError(404, 4200, 'not found', logId);
    const query = new URLSearchParams(search);
    return callApi(context, endpoint, { authorization, query, body, logId });
  };
  const reply = await replyTo().catch(() => apiError(500, 5000, 'internal error', logId));
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    date: new Date(context.now()).toUTCString(),
    'x-tt-logid': logId,
    ...reply.headers,
  });
  if (reply.events !== undefined) {
    // Each event in a write of its own, no faster than the client takes them.
    await pipeline(Readable.from(reply.events), response).catch(() => undefined);
    return;
  }
  const text = JSON.stringify(reply.body);
  const isCut = isToken && context.faults().has('token-truncated');
  response.end(isCut ? text.slice(0, text.length / 2) : text);
}

/** Faults in which something else than the service answers, or nothing. */
function intercepted(
  { faults }: ServiceContext,
  isToken: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const hasToken = !isToken && request.headers.authorization !== undefined;
  const rows = activeFaults(faults());
  const row = rows.find(({ standIn }) => standIn && (standIn.to === 'every-call' || hasToken));
  if (row?.standIn === undefined) return false;
  const { answer } = row.standIn;
  if (answer === 'connection-cut') request.socket.destroy();
  else if (answer !== 'none') response.writeHead(answer.status, answer.headers).end(answer.body);
  return true;
}
