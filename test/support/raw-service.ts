import type { Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { vi } from 'vitest';
import { trustingDefaults } from '../../src/verify/transport/tls/trust.js';
import { ENDPOINT_HOST } from './application.js';
import { type Authority, createAuthority } from './certificates.js';
import { LOG_ID, listen, TOKEN } from './service-server.js';
import { ADDRESS, type World } from './verifiable-link.js';

/**
 * The bytes of a server in answer to a request, which is the n-th on its connection; undefined where it answers
 * as the service does.
 */
export type RawAnswer = (request: string, n: number) => string | Buffer | undefined;

/** An answer with its head; a header of undefined is left out. */
export function written(
  status: string,
  body = '',
  headers: Readonly<Record<string, string | undefined>> = {},
): string {
  const all = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n');
}

export function tokenText(change: object = {}): string {
  const expiresIn = Math.floor(Date.now() / 1000) + 900;
  return JSON.stringify({ access_token: TOKEN, expires_in: expiresIn, ...change });
}

export function isTokenCall(request: string): boolean {
  return /^POST \S+\/token /.test(request);
}

export function isApiCall(request: string): boolean {
  return request.includes(`Bearer ${TOKEN}`);
}

/** The service's own answer. */
export function ordinary(request: string): string {
  const detail = { logid: LOG_ID };
  if (isTokenCall(request)) return written('200 OK', tokenText());
  const data = { workspaces: [{ id: 'w1' }], total_count: 1 };
  return isApiCall(request)
    ? written('200 OK', JSON.stringify({ code: 0, msg: '', data, detail }))
    : written('401 Unauthorized', JSON.stringify({ code: 4100, msg: 'no', detail }));
}

/**
 * Puts a server in the place of a world's service that writes its answers byte for byte.
 *
 * @returns its port
 */
export async function answerRaw(
  world: World,
  answer: RawAnswer,
  authority: Authority = world.authority,
  options: TlsOptions = {},
): Promise<number> {
  const certificate = await authority.issue([ENDPOINT_HOST]);
  const server = createServer({ ...certificate, ...options }, (socket) => {
    let seen = '';
    let n = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      for (let size = requestSize(seen); size !== undefined; size = requestSize(seen)) {
        const request = seen.slice(0, size);
        seen = seen.slice(size);
        n += 1;
        socket.write(answer(request, n) ?? ordinary(request));
      }
    });
  });
  const port = await listen(server as never);
  await world.connectTo({ [ADDRESS]: port });
  return port;
}

function requestSize(bytes: string): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const body = Number(/content-length: (\d+)/i.exec(bytes.slice(0, end))?.[1] ?? 0);
  return bytes.length < end + 4 + body ? undefined : end + 4 + body;
}

/** Answers a handshake with bytes, and closes the connection unless it is to stay open. */
export function afterHello(bytes: Buffer, staysOpen = false): (socket: Socket) => void {
  return (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => (staysOpen ? socket.write(bytes) : socket.end(bytes)));
  };
}

let made = 0;

/**
 * Makes an authority that counts among the default ones, as if Node.js came with it, and a world's options
 * that add none.
 */
export async function trustedByDefault(world: World) {
  for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_USE_SYSTEM_CA']) {
    vi.stubEnv(name, '');
  }
  made += 1;
  const authority = await createAuthority(`Default Authority ${made}`);
  const { context } = trustingDefaults() as unknown as {
    readonly context: { readonly addCACert: (pem: string) => void };
  };
  context.addCACert(authority.ca);
  const { caFile: _, ...options } = world.options;
  return { authority, world: Object.assign(Object.create(world), world, { options }) as World };
}
