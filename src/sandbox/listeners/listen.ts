import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Every server of the sandbox listens here and nowhere else. */
export const LOOPBACK = '127.0.0.1';

export interface Listener {
  readonly port: number;
  /** Closes the port and every connection to it. */
  stop(): Promise<void>;
}

/** Listens on a free loopback port. */
export async function listen(server: Server): Promise<Listener> {
  const sockets = new Set<Socket>();
  // Also what is still in its TLS handshake, which an HTTP server does not count among its connections.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, LOOPBACK), 'listening');
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port: (server.address() as AddressInfo).port, stop };
}

/** Parts that were started, to be stopped in the opposite order. */
export class StopStack {
  readonly #parts: (() => void | Promise<void>)[] = [];

  /** Keeps a started part and answers it. */
  keep<T extends { stop(): Promise<void> }>(part: T): T {
    this.#parts.push(() => part.stop());
    return part;
  }

  onStop(action: () => void): void {
    this.#parts.push(action);
  }

  /** Stops everything once; a second call finds nothing left. */
  async stop(): Promise<void> {
    for (const stop of this.#parts.splice(0).reverse()) await stop();
  }
}
