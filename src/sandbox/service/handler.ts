import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readJson } from '../read-json.js';
import { API, callApi } from './api.js';
import { newLogId } from './log-id.js';
import { apiError, type Reply } from './reply.js';
import type { ServiceContext } from './service-context.js';
import { exchange, tokenPath } from './token-endpoint.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const PAGE = '<!doctype html><title>Welcome</title><h1>It works!</h1>\n';
const GATEWAY_PAGE = '<!doctype html><title>403 Forbidden</title><h1>Request blocked</h1>\n';

/** The service, for a server with TLS or without. */
export function serviceHandler(context: ServiceContext): Handler {
  return (request, response) => {
    void handle(context, request, response);
  };
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
  const text = JSON.stringify(body) ?? '';
  const isCut = context.faults().has('token-truncated') && tokenPath(pathOf(request)) !== undefined;
  if (events === undefined) response.end(isCut ? text.slice(0, text.length / 2) : text);
  else await sendEvents(response, events);
}

/** Each event in a write of its own, no faster than the client takes them. */
async function sendEvents(response: ServerResponse, events: readonly string[]): Promise<void> {
  await pipeline(Readable.from(events), response).catch(() => undefined);
}

/** Faults in which something else than the service answers, or nothing. */
function intercepted(
  context: ServiceContext,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const faults = context.faults();
  const isToken = tokenPath(pathOf(request)) !== undefined;
  const isAuthorized = !isToken && request.headers.authorization !== undefined;
  if (faults.has('http-silent') || (faults.has('api-silent') && isAuthorized)) return true;
  if (faults.has('not-the-service')) {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  } else if (faults.has('http-redirect')) {
    response.writeHead(302, { location: 'https://portal.sandbox.example/login' }).end();
  } else if (faults.has('server-error')) {
    response.writeHead(503, { 'content-type': 'text/plain' }).end('Service Unavailable\n');
  } else if (faults.has('api-server-error') && isAuthorized) {
    response.writeHead(502, { 'content-type': 'text/plain' }).end('Bad Gateway\n');
  } else if (faults.has('gateway-page') && isAuthorized) {
    response.writeHead(403, { 'content-type': 'text/html' }).end(GATEWAY_PAGE);
  } else if (faults.has('gateway-unauthorized') && isAuthorized) {
    const own = JSON.stringify({ code: 401, msg: 'Unauthorized' });
    response.writeHead(401, { 'content-type': 'application/json' }).end(own);
  } else {
    return false;
  }
  return true;
}

async function replyTo(
  context: ServiceContext,
  request: IncomingMessage,
  logId: string,
): Promise<Reply> {
  const path = pathOf(request);
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

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?')[0] ?? '/';
}
