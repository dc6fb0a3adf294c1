import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StandIn } from '../faults/fault.js';
import { FAULTS } from '../faults/index.js';
import { readJson } from '../listeners/json-over-http.js';
import { API, callApi } from './api.js';
import { apiError, newLogId, type Reply, type ServiceContext } from './endpoint.js';
import { exchange, tokenPath } from './token-endpoint.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

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
  { faults }: ServiceContext,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const active = faults();
  const isToken = tokenPath(pathOf(request)) !== undefined;
  const hasToken = !isToken && request.headers.authorization !== undefined;
  const standIns = FAULTS.flatMap((fault) =>
    'standIn' in fault && active.has(fault.name) ? [fault.standIn] : [],
  );
  const standIn: StandIn | undefined = standIns.find(({ to }) => to === 'every-call' || hasToken);
  if (standIn === undefined) return false;
  const { answer } = standIn;
  if (answer === 'connection-cut') request.socket.destroy();
  else if (answer !== 'none') response.writeHead(answer.status, answer.headers).end(answer.body);
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
