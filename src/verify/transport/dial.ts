import { connect, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { isFileShortage } from '../../codes/file-shortage.js';
import { checkStaysInside } from '../../service/http/base-url.js';
import { TimedOut } from '../../service/http/limits.js';
import { errorName } from '../../service/http/transport-code.js';
import { withFiles } from '../../service/open-files.js';
import { bracketed, type HostPort } from './addresses.js';
import type { LinkContext } from './context.js';
import { openTunnel, type ProxyTarget } from './proxy/proxy.js';

type DialContext = Pick<LinkContext, 'run' | 'host' | 'port' | 'proxy' | 'isPlain'> & {
  readonly seen: Pick<LinkContext['seen'], 'connectTo'>;
};

/**
 * Dials like {@link dial}, within a time of its own. A proxy that takes no connection, or does not
 * answer, is no silence of the address behind it.
 *
 * @param onTry called again where the dial had to wait until this process could open a connection
 * @throws as {@link dial}; TimedOut without a proxy; ConnectivityError `run.too-many-files`
 */
export async function dialWithin(
  context: DialContext & Pick<LinkContext, 'signal'>,
  address: string,
  timeoutMs: number,
  onTry?: () => void,
): Promise<Socket> {
  let reached: Socket | undefined;
  try {
    return await withFiles(timeoutMs, context.signal, (own) => {
      onTry?.();
      return dial(context, address, own, (socket) => {
        reached = socket;
      });
    });
  } catch (error) {
    const { proxy } = context;
    if (proxy === undefined || !(error instanceof TimedOut)) throw error;
    const must = reached ? `answer CONNECT for ${context.host}` : 'take connections';
    const got = reached?.bytesRead ? `${reached.bytesRead} bytes of an answer` : 'nothing';
    throw new ConnectivityError(
      'proxy.refused: no answer',
      `the proxy ${proxy.shown} must ${must}, got: ${got} within ${Math.round(timeoutMs)} ms`,
      { cause: error },
    );
  }
}

/**
 * Opens one TCP connection to one address, in one attempt: Node's own racing of addresses would
 * hide which one works, and cuts each attempt short.
 *
 * @param onProxy called when a connection to the proxy is open
 * @throws ConnectivityError `proxy.refused`, and `address.plain-http` where what
 * is sent in plain http would leave the private networks; the system's error without a proxy
 */
export async function dial(
  { run, host, port, seen, proxy, isPlain }: DialContext,
  address: string,
  signal: AbortSignal,
  onProxy?: (socket: Socket) => void,
): Promise<Socket> {
  const rule = await run.connectToRules.find(host, address, port);
  signal.throwIfAborted();
  if (rule !== undefined) {
    seen.connectTo.set(`${bracketed(address)}:${port}`, `${bracketed(rule.address)}:${rule.port}`);
  }
  const target = { host: rule?.address ?? address, port: rule?.port ?? port };
  // Whatever led there: DNS, a rule, a proxy, or a name that the system resolves once more.
  if (isPlain && isIP(target.host) !== 0) checkStaysInside(host, target.host);
  run.dialled.add('service', { host, port }, target);
  if (proxy !== undefined) run.dialled.add('proxy', proxy, proxy);
  const socket =
    proxy === undefined
      ? await open(target, signal)
      : await openThrough(proxy, target, signal, onProxy);
  try {
    if (isPlain && !socket.destroyed) checkStaysInside(host, socket.remoteAddress ?? '');
    return socket;
  } catch (refusal) {
    socket.destroy();
    throw refusal;
  }
}

async function openThrough(
  proxy: ProxyTarget,
  target: HostPort,
  signal: AbortSignal,
  onProxy: ((socket: Socket) => void) | undefined,
): Promise<Socket> {
  const socket = await openProxy(proxy, signal);
  onProxy?.(socket);
  const stop = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await openTunnel(socket, proxy, target);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function openProxy(proxy: ProxyTarget, signal: AbortSignal): Promise<Socket> {
  try {
    const socket = await open(proxy, signal);
    if (socket.errored) throw socket.errored;
    return socket;
  } catch (cause) {
    signal.throwIfAborted();
    if (isFileShortage(cause)) throw cause;
    throw new ConnectivityError(
      'proxy.refused: no answer',
      `the proxy ${proxy.shown} must take connections, got: ${errorName(cause)}`,
      { cause },
    );
  }
}

async function open({ host, port }: HostPort, signal: AbortSignal): Promise<Socket> {
  return await new Promise((resolve, reject) => {
    const socket = connect({ host, port, autoSelectFamily: false, noDelay: true });
    const isReset = (error: Error) => errorName(error) === 'ECONNRESET';
    const stop = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    // Stays for good: an error between two uses of the socket must not end the process.
    // A connection is refused or taken; one that is reset before we look was taken.
    socket.on('error', (error) => (isReset(error) ? resolve(socket) : reject(error)));
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop);
      resolve(socket);
    });
  });
}

/** Fits every path that IPv6 may take, with all headers. */
const PACKET_BYTES = 800;

/** The pause between writes, without which the system would send them in one packet. */
const PAUSE_MS = 5;

/** A connection on which no packet from here is large, however much is written at a time. */
export function inSmallPackets(socket: Socket): Duplex {
  const stream = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _, done) => {
      writeSlowly(socket, chunk).then(() => done(), done);
    },
    final: (done) => {
      socket.end(done);
    },
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk) => {
    if (!stream.push(chunk)) socket.pause();
  });
  socket.on('end', () => stream.push(null));
  socket.on('error', (error) => stream.destroy(error));
  socket.on('close', () => stream.destroy());
  return stream;
}

async function writeSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += PACKET_BYTES) {
    if (start > 0) await sleep(PAUSE_MS);
    await new Promise<void>((resolve, reject) => {
      socket.write(bytes.subarray(start, start + PACKET_BYTES), (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }
}
