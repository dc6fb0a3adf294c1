import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { openBlackHole } from '../black-hole.js';
import { type Listener, listen } from '../listen.js';
import { openRefusingPort } from '../refusing-port.js';
import type { Face } from '../reroutes.js';
import type { Authority, Leaf } from './certificates.js';

/** A port for each thing that a dial can meet. */
export interface Listeners {
  readonly ports: Readonly<Record<Face, number>>;
  stop(): Promise<void>;
}

const DAYS = { expired: [-60, -2], 'not-yet-valid': [2, 60] } as const;

/** Opens every face of the service on a free loopback port of its own. */
export async function openListeners(
  handler: RequestListener,
  names: readonly string[],
  trusted: Authority,
  untrusted: Authority,
): Promise<Listeners> {
  const tls = async (leaf: Promise<Leaf>) => serve(createHttpsServer(await leaf, handler));
  const issue = (days: readonly [number, number]) =>
    trusted.issue(names, { fromDays: days[0], toDays: days[1] });
  const opening: Record<Face, Promise<Listener>> = {
    https: tls(trusted.issue(names)),
    http: serve(createHttpServer(handler)),
    untrusted: tls(untrusted.issue(names)),
    expired: tls(issue(DAYS.expired)),
    'not-yet-valid': tls(issue(DAYS['not-yet-valid'])),
    'wrong-name': tls(trusted.issue(['other.example'])),
    silent: listen(createServer((socket) => socket.resume())),
    reset: listen(createServer(resetOnData)),
    refusing: openRefusingPort(),
    'black-hole': openBlackHole(),
  };
  const opened = await Promise.all(
    Object.entries(opening).map(async ([face, listener]) => [face, await listener] as const),
  );
  return {
    ports: Object.fromEntries(opened.map(([face, { port }]) => [face, port])) as Record<
      Face,
      number
    >,
    stop: async () => {
      await Promise.all(opened.map(([, listener]) => listener.stop()));
    },
  };
}

function serve(server: Server): Promise<Listener> {
  // A client that breaks off a handshake is what half of the faults are about.
  server.on('tlsClientError', () => undefined);
  return listen(server);
}

function resetOnData(socket: Socket): void {
  socket.once('data', () => socket.resetAndDestroy());
}
