import { connect, type Socket } from 'node:net';
import { bracketed } from './host-port.js';
import type { LinkContext } from './link-context.js';

/**
 * Opens one TCP connection to one address, in one attempt: Node's own racing of addresses would
 * hide which one works, and cuts each attempt short.
 */
export async function dial(
  { run, host, port, seen }: LinkContext,
  address: string,
  signal: AbortSignal,
): Promise<Socket> {
  const rule = await run.rerouter.find(host, address, port);
  signal.throwIfAborted();
  if (rule !== undefined) {
    seen.reroutes.set(`${bracketed(address)}:${port}`, `${bracketed(rule.address)}:${rule.port}`);
  }
  return await new Promise((resolve, reject) => {
    const socket = connect({
      host: rule?.address ?? address,
      port: rule?.port ?? port,
      autoSelectFamily: false,
      noDelay: true,
    });
    const stop = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    // Stays for good: an error between two uses of the socket must not end the process.
    socket.on('error', reject);
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop);
      resolve(socket);
    });
  });
}
