import { connect, createServer, type Socket } from 'node:net';
import { close, LOOPBACK, listen } from './listen.js';

/** A port that refuses connections, kept from everyone else's use. */
export interface RefusingPort {
  readonly port: number;
  stop(): Promise<void>;
}

/** Holds a port by using it as the near end of a connection: it is taken, and nothing listens on it. */
export async function openRefusingPort(): Promise<RefusingPort> {
  const server = createServer((socket) => accepted.push(socket));
  const accepted: Socket[] = [];
  const port = await listen(server);
  const socket = await new Promise<Socket>((resolve, reject) => {
    const held = connect(port, LOOPBACK, () => resolve(held));
    held.once('error', reject);
  });
  return {
    port: socket.localPort ?? 0,
    stop: async () => {
      socket.destroy();
      for (const each of accepted) each.destroy();
      await close(server);
    },
  };
}
