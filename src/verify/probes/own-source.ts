import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const UNSPECIFIED = new Set(['0.0.0.0', '::']);

/**
 * Finds the address and interface that this machine uses to reach an address; no packet is sent to find out.
 *
 * @param open makes the socket that is asked
 */
export async function findSource(host: string, open = createSocket) {
  const socket = open(isIP(host) === 6 ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.connect(9, host, resolve);
    });
    const { address } = socket.address();
    // Where a route of this machine ends the way, the system names no address.
    if (UNSPECIFIED.has(address)) return undefined;
    const all = Object.entries(networkInterfaces());
    const [device = ''] = all.find(([, own]) => own?.some((one) => one.address === address)) ?? [];
    return { address, device };
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

/** Interfaces behind which another address is seen. */
export function isTunnel(device: string): boolean {
  return /^(tun|tap|utun|wg|ppp|ipsec|gre|sit|tailscale|zt|cscotun)/i.test(device);
}
