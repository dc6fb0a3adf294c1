import { connect, createServer, type Socket } from 'node:net';
import { type Listener, LOOPBACK, listen } from './listen.js';

/**
 * Opens a port that refuses connections and is kept from everyone else's use: it is the near end of
 * a connection, so it is taken, and nothing listens on it.
 */
export async function openRefusingPort(): Promise<Listener> {
  const server = await listen(createServer((accepted) => accepted.resume()));
  const socket = await new Promise<Socket>((resolve, reject) => {
    const held = connect(server.port, LOOPBACK, () => resolve(held));
    held.once('error', reject);
  });
  return {
    port: socket.localPort ?? 0,
    stop: async () => {
      socket.destroy();
      await server.stop();
    },
  };
}
