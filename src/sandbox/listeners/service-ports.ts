import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { ListenerKind } from '../faults/fault.js';
import { type Authority, type Leaf, VALID } from './certificates.js';
import { openBlackHole, openFilter, openRefusingPort } from './faulty-ports.js';
import { type Listener, listen } from './listen.js';

/** A port for each thing that a dial can meet. */
export interface Listeners {
  readonly ports: Readonly<Record<ListenerKind, number>>;
  stop(): Promise<void>;
}

const DAYS = { expired: [-60, -2], 'not-yet-valid': [2, 60] } as const;

/** Every OpenSSL of today refuses a key of so few bits, and loads it only where it is configured to. */
const WEAK = { rsaBits: 768, ciphers: 'DEFAULT@SECLEVEL=0' } as const;

/** The first byte of what begins a TLS handshake. */
const HANDSHAKE = 22;
/** A call without credential is smaller, one with a JWT larger. */
const MAX_SMALL_BYTES = 700;

/**
 * Opens every listener of the service on a free loopback port of its own.
 *
 * @param names of its certificate, that of the public API host first
 */
export async function openListeners(
  handler: RequestListener,
  names: readonly string[],
  trusted: Authority,
  untrusted: Authority,
): Promise<Listeners> {
  const opened = await Promise.all(
    Object.entries(openEach(handler, names, trusted, untrusted)).map(
      async ([kind, listener]) => [kind, await listener] as const,
    ),
  );
  const ports = Object.fromEntries(opened.map(([kind, { port }]) => [kind, port]));
  return {
    ports: ports as Record<ListenerKind, number>,
    stop: async () => {
      await Promise.all(opened.map(([, listener]) => listener.stop()));
    },
  };
}

function openEach(
  handler: RequestListener,
  names: readonly string[],
  trusted: Authority,
  untrusted: Authority,
): Record<ListenerKind, Promise<Listener>> {
  const own = trusted.issue(names);
  const https = openTls(() => own, handler);
  const tls = (leaf: () => Promise<Leaf>) => openTls(leaf, handler);
  const issued = ([fromDays, toDays]: readonly [number, number]) =>
    tls(() => trusted.issue(names, { fromDays, toDays }));
  const weak = () => trusted.issue(names, VALID, WEAK.rsaBits);
  return {
    https,
    http: listen(createHttpServer(handler)),
    untrusted: tls(() => untrusted.issue(names)),
    expired: issued(DAYS.expired),
    'intermediate-expired': tls(() => intermediateExpired(trusted, names)),
    'not-yet-valid': issued(DAYS['not-yet-valid']),
    'weak-key': openTls(weak, handler, { ciphers: WEAK.ciphers }),
    'wrong-name': tls(() => trusted.issue(['other.example'])),
    'api-host-only': tls(() => trusted.issue(names.slice(0, 1))),
    'client-certificate': openTls(() => own, handler, { requestCert: true, ca: trusted.cert }),
    'name-filter': openNameFilter(https, names),
    narrow: openNarrow(https),
    mute: openTls(
      () => own,
      () => undefined,
    ),
    silent: listen(createServer((socket) => socket.resume())),
    reset: listen(createServer(resetOnData)),
    refusing: openRefusingPort(),
    'black-hole': openBlackHole(),
  };
}

function openTls(
  leaf: () => Promise<Leaf>,
  handler: RequestListener,
  options: ServerOptions = {},
): Promise<Listener> {
  return listen(
    withServer(async () => {
      const server = createHttpsServer({ ...(await leaf()), ...options }, handler);
      // A client that breaks off a handshake is what half of the faults are about.
      return server.on('tlsClientError', () => undefined);
    }),
  );
}

/** The server's own certificate is in time; the authority between it and the trusted one is not. */
async function intermediateExpired(root: Authority, names: readonly string[]): Promise<Leaf> {
  const [fromDays, toDays] = DAYS.expired;
  const between = await root.under('Sandbox Intermediate CA', { fromDays, toDays });
  const leaf = await between.issue(names);
  return { ...leaf, cert: `${leaf.cert}\n${between.cert}` };
}

/** Makes the server, and its certificate, with the first connection: most faults are never met. */
function withServer(make: () => Promise<Server>): Server {
  let made: Promise<Server> | undefined;
  return createServer({ allowHalfOpen: true, noDelay: true }, async (socket) => {
    try {
      made ??= make();
      const server = await made;
      if (!socket.destroyed) server.emit('connection', socket);
    } catch (error) {
      // A newer OpenSSL may refuse what a fault asks for; the rest of the sandbox works without it.
      process.emitWarning(`the sandbox cannot serve a connection: ${error}`);
      socket.destroy();
    }
  });
}

function resetOnData(socket: Socket): void {
  socket.once('data', () => socket.resetAndDestroy());
}

/** Cuts a connection that names the service unencrypted, as every handshake with a server name does. */
async function openNameFilter(
  behind: Promise<Listener>,
  names: readonly string[],
): Promise<Listener> {
  const parts = names.map((name) => name.replace('*', ''));
  return openFilter((await behind).port, {
    stops: (bytes) => parts.some((part) => bytes.includes(part)),
    refuse: (socket) => socket.resetAndDestroy(),
  });
}

/** Loses what is large, but for the beginning of a handshake, which some clients fill up. */
async function openNarrow(behind: Promise<Listener>): Promise<Listener> {
  return openFilter((await behind).port, {
    stops: (bytes) => bytes[0] !== HANDSHAKE && bytes.length > MAX_SMALL_BYTES,
  });
}
