import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer } from 'node:net';
import { type Authority, type Leaf, VALID } from './certificates.js';
import { type FilterRules, openBlackHole, openFilter, openRefusingPort } from './faulty-ports.js';
import { type Listener, listen } from './listen.js';

/** The listeners that a dial can meet; each is a port on loopback. */
export type ListenerKind = keyof ReturnType<typeof openEach>;

export type ServicePorts = Readonly<Record<ListenerKind, number>>;

const EXPIRED = [-60, -2] as const;
const NOT_YET_VALID = [2, 60] as const;

/** Every OpenSSL of today refuses a key of so few bits, and loads it only where it is configured to. */
const WEAK = { rsaBits: 768, ciphers: 'DEFAULT@SECLEVEL=0' } as const;

/** The first byte of what begins a TLS handshake. */
const HANDSHAKE = 22;
/** A call without credential is smaller, one with a JWT larger. */
const MAX_SMALL_BYTES = 700;
/** Loses what is large, but for the beginning of a handshake, which some clients fill up. */
const NARROW: FilterRules = {
  stops: (bytes) => bytes[0] !== HANDSHAKE && bytes.length > MAX_SMALL_BYTES,
};

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
) {
  const opened = await Promise.all(
    Object.entries(openEach(handler, names, trusted, untrusted)).map(
      async ([kind, listener]) => [kind, await listener] as const,
    ),
  );
  const ports = Object.fromEntries(opened.map(([kind, { port }]) => [kind, port]));
  return {
    ports: ports as ServicePorts,
    /** The authority that clients of the service must trust, PEM. */
    caCertificate: trusted.cert,
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
) {
  const own = trusted.issue(names);
  const tls = (leaf: () => Promise<Leaf>, options?: ServerOptions) =>
    openTls(leaf, handler, options);
  const https = tls(() => own);
  const filter = async (rules: FilterRules) => openFilter((await https).port, rules);
  return {
    https,
    http: listen(createHttpServer(handler)),
    untrusted: tls(() => untrusted.issue(names)),
    expired: tls(() => trusted.issue(names, EXPIRED)),
    'intermediate-expired': tls(() => intermediateExpired(trusted, names)),
    'not-yet-valid': tls(() => trusted.issue(names, NOT_YET_VALID)),
    'weak-key': tls(() => trusted.issue(names, VALID, WEAK.rsaBits), { ciphers: WEAK.ciphers }),
    'wrong-name': tls(() => trusted.issue(['other.example'])),
    'api-host-only': tls(() => trusted.issue(names.slice(0, 1))),
    'client-certificate': tls(() => own, { requestCert: true, ca: trusted.cert }),
    'name-filter': filter(nameFilter(names)),
    sizeLimited: filter(NARROW),
    noResponse: openTls(
      () => own,
      () => undefined,
    ),
    silent: listen(createServer((socket) => socket.resume())),
    reset: listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))),
    refusing: openRefusingPort(),
    'black-hole': openBlackHole(),
  };
}

/** Makes the server, and its certificate, with the first connection: most faults are never met. */
function openTls(
  leaf: () => Promise<Leaf>,
  handler: RequestListener,
  options: ServerOptions = {},
): Promise<Listener> {
  const make = async () =>
    createHttpsServer({ ...(await leaf()), ...options }, handler)
      // A client that breaks off a handshake is what half of the faults are about.
      .on('tlsClientError', () => undefined);
  let made: ReturnType<typeof make> | undefined;
  const front = createServer({ allowHalfOpen: true, noDelay: true }, async (socket) => {
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
  return listen(front);
}

/** The server's own certificate is in time; the authority between it and the trusted one is not. */
async function intermediateExpired(root: Authority, names: readonly string[]): Promise<Leaf> {
  const between = await root.under('Sandbox Intermediate CA', EXPIRED);
  const leaf = await between.issue(names);
  return { ...leaf, cert: `${leaf.cert}\n${between.cert}` };
}

/** Cuts a connection that names the service unencrypted, as every handshake with a server name does. */
function nameFilter(names: readonly string[]): FilterRules {
  const parts = names.map((name) => name.replace('*', ''));
  return {
    stops: (bytes) => parts.some((part) => bytes.includes(part)),
    refuse: (socket) => socket.resetAndDestroy(),
  };
}
