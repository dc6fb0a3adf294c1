import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { toStop } from '../../service/http/limits.js';
import { errorName } from '../../service/http/transport-code.js';
import { withFiles } from '../../service/open-files.js';
import type { HostPort } from '../transport/addresses.js';
import { DialledHosts, type RunContext } from '../transport/context.js';
import { dial } from '../transport/dial.js';

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
