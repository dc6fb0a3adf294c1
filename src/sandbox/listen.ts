import type { AddressInfo, Server } from 'node:net';

/** Every server of the sandbox listens here and nowhere else. */
export const LOOPBACK = '127.0.0.1';

/** Listens on a free loopback port and answers its number. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Closes a server and every connection that it still holds. */
export async function close(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections?.();
  });
}
