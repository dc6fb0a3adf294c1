import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { jwtVerify } from 'jose';
import { onTestFinished } from 'vitest';
import { API_HOST, APPLICATION, PUBLIC_KEY } from './application.js';
import type { Certificate } from './certificates.js';

export const TOKEN = 'czs_secret-access-token';
export const LOG_ID = '20251121000000AB';

/** The answer to a request. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of an answer. */
  readonly raw?: string;
  /** Sent as they are, one by one, in place of an answer. */
  readonly pieces?: readonly string[];
  /** True if the connection ends after `raw`. */
  readonly isLast?: boolean;
}

export type Handler = (request: SeenRequest) => Reply | 'silent' | 'reset' | undefined;

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ServiceServer {
  readonly port: number;
  readonly requests: SeenRequest[];
  readonly count: { connections: number; handshakes: number };
  /** Replies before the ordinary ones; undefined leaves a request to them. */
  handler: Handler;
}

/** The service on loopback, over TLS where it has a certificate; JWTs are verified and used up. */
export async function startService(
  certificate?: Certificate,
  options: { readonly requestCert?: boolean; readonly ca?: string } = {},
): Promise<ServiceServer> {
  const used = new Set<string>();
  const sockets = new Set<Socket>();
  const state: ServiceServer = {
    port: 0,
    requests: [],
    count: { connections: 0, handshakes: 0 },
    handler: () => undefined,
  };
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const seen = await readRequest(request);
    state.requests.push(seen);
    const reply = state.handler(seen) ?? (await ordinaryReply(seen, used));
    if (reply === 'silent') return;
    if (reply === 'reset') for (const socket of sockets) socket.resetAndDestroy();
    else send(response, reply);
  };
  const server = certificate
    ? createHttps({ ...certificate, ...options, rejectUnauthorized: true }, listener)
    : createHttp(listener);
  server.on('connection', (socket) => {
    sockets.add(socket);
    state.count.connections += 1;
  });
  server.on('secureConnection', () => {
    state.count.handshakes += 1;
  });
  return Object.assign(state, { port: await listen(server) });
}

/** Starts a server on a free port of loopback and ends it, connections and all, with the test. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<{ destroy: () => void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body };
}

function send(response: ServerResponse, reply: Reply): void {
  const { status = 200, headers = {}, body, raw, pieces, isLast } = reply;
  if (pieces !== undefined) return void sendPieces(response.socket, pieces);
  if (raw !== undefined) {
    response.socket?.write(raw);
    if (isLast) response.socket?.end();
    return;
  }
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...headers,
  });
  response.end(isText ? body : JSON.stringify(body));
}

async function sendPieces(socket: Socket | null, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket?.write(piece);
    await setImmediate();
  }
}

async function ordinaryReply(request: SeenRequest, used: Set<string>): Promise<Reply> {
  const headers = { 'x-tt-logid': LOG_ID };
  const credential = request.headers.authorization?.replace('Bearer ', '') ?? '';
  if (request.path.endsWith('/token')) {
    return { headers, ...(await tokenReply(request, credential, used)) };
  }
  if (credential !== TOKEN) {
    const msg = credential === '' ? 'no authentication' : 'authentication is invalid';
    return { status: 401, headers, body: { code: 4100, msg } };
  }
  const workspaces = [{ id: 'w1', name: 'First' }, { id: 'w2' }];
  return { headers, body: { code: 0, msg: '', data: { workspaces, total_count: 2 } } };
}

async function tokenReply(request: SeenRequest, jwt: string, used: Set<string>): Promise<Reply> {
  const path = `/api/permission/oauth2/enterprise_id/${encodeURIComponent(APPLICATION.enterpriseId)}/token`;
  if (request.path !== path) return tokenError('invalid_request', 'invalid request: enterprise_id');
  if (jwt === '') return tokenError('invalid_client', 'verify jwt empty error');
  try {
    const { payload, protectedHeader } = await jwtVerify(jwt, PUBLIC_KEY, {
      algorithms: ['RS256'],
      typ: 'JWT',
      audience: API_HOST,
      issuer: APPLICATION.appId,
      requiredClaims: ['iat', 'exp', 'jti'],
    });
    if (protectedHeader.kid !== APPLICATION.keyId) {
      return tokenError('invalid_client', 'invalid jwt: kid not been registred');
    }
    if (used.has(payload.jti ?? '')) return tokenError('invalid_client', 'jti used');
    used.add(payload.jti ?? '');
    const expiresIn = Math.floor(Date.now() / 1000) + 900;
    return { body: { access_token: TOKEN, expires_in: expiresIn } };
  } catch {
    return tokenError('invalid_client', '');
  }
}

export function tokenError(code: string, message: string, status = 401): Reply {
  return {
    status,
    headers: { 'x-tt-logid': LOG_ID },
    body: { error_code: code, error_message: message, error: code },
  };
}
