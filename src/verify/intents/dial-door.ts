import { createSocket } from 'node:dgram';
import { isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { toStop } from '../../service/http/limits.js';
import { errorName } from '../../service/http/transport-code.js';
import { withFiles } from '../../service/open-files.js';
import type { HostPort } from '../transport/addresses.js';
import { DialledHosts, type RunContext } from '../transport/context.js';
import { dial } from '../transport/dial.js';

/** Time for several SYNs: they follow after 1, 3 and 7 seconds. */
export const DIAL_MS = 7_000;

/** The outcome of one new TCP connection. */
export type Dialled =
  | { readonly kind: 'connected'; readonly answers: boolean }
  | { readonly kind: 'silent' }
  | { readonly kind: 'error'; readonly error: string };

interface DialOptions {
  readonly timeoutMs: number;
  /** Wait for bytes of the other side, which a proxy that takes every connection does not send. */
  readonly listens?: boolean;
}

/** Dials a door once, from a fresh source port and through no proxy; nothing secret is sent. */
export async function dialDoor(
  run: RunContext,
  { host, port }: HostPort,
  { timeoutMs, listens = false }: DialOptions,
): Promise<Dialled> {
  const own = { ...run, dialled: new DialledHosts() };
  const way = {
    run: own,
    host,
    port,
    seen: { connectTo: new Map() },
    proxy: undefined,
    isPlain: false,
  };
  const sockets: Socket[] = [];
  const open = async () => {
    const { signal } = run.options;
    const socket = await withFiles(timeoutMs, signal && toStop(signal), (own) =>
      dial(way, host, own),
    );
    sockets.push(socket);
    return socket;
  };
  try {
    const socket = await open();
    return { kind: 'connected', answers: listens && (await hasAnswer(socket, open)) };
  } catch (cause) {
    const error = errorName(cause);
    const isSilence = error === 'TimedOut' || error === 'ETIMEDOUT';
    return isSilence ? { kind: 'silent' } : { kind: 'error', error };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Time for a banner, and then for an answer to the first words of TLS and of HTTP. */
export const ANSWER_MS = 2_000;

/** Waits for words of the other side, and then says the first ones: many servers of HTTP hang up on those of TLS. */
async function hasAnswer(socket: Socket, open: () => Promise<Socket>): Promise<boolean> {
  if (await hasBytes(socket)) return true;
  const overTls = async () => {
    connectTls({ socket, rejectUnauthorized: false }).on('error', () => undefined);
    return await hasBytes(socket);
  };
  const inTheClear = async () => {
    const another = await open();
    another.write('GET / HTTP/1.0\r\n\r\n');
    return await hasBytes(another);
  };
  const answers = await Promise.all([overTls(), inTheClear().catch(() => false)]);
  return answers.includes(true);
}

async function hasBytes(socket: Socket): Promise<boolean> {
  const ends = performance.now() + ANSWER_MS;
  socket.resume();
  while (performance.now() < ends && socket.bytesRead === 0 && !socket.destroyed) await sleep(20);
  return socket.bytesRead > 0;
}

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

/** Tells whether a rule of the user leads dials of a place elsewhere. */
export async function isRerouted(
  { connectToRules }: RunContext,
  { host, port }: HostPort,
): Promise<boolean> {
  return (await connectToRules.find(host, host, port)) !== undefined;
}

/** Interfaces behind which another address is seen. */
export function isTunnel(device: string): boolean {
  return /^(tun|tap|utun|wg|ppp|ipsec|gre|sit|tailscale|zt|cscotun)/i.test(device);
}
