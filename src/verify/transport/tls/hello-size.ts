import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, createSecureContext, type SecureContext } from 'node:tls';
import type { Code } from '../../../codes/codes.js';
import { withTimeout } from '../../../service/http/limits.js';
import { errorName, transportCode } from '../../../service/http/transport-code.js';
import type { Evidence, ProbeResult } from '../../model/verification.js';
import type { LinkContext } from '../context.js';
import { dialWithin, inSmallPackets } from '../dial.js';

/** What a lost hello ends with. */
export const LOST: readonly Code[] = ['tls.timeout', 'tls.reset'];

/** More than fits into one packet of any usual size, as that of OpenSSL 3.5 does. */
export const LARGE_HELLO_BYTES = 1_500;

/** Makes a hello as large as that of OpenSSL 3.5, whose key share for a post-quantum curve fills it. */
const PADDING = Array.from({ length: 6 }, (_, i) => `padding-${i}-`.padEnd(225, 'x'));

const SMALL = 'small';
const LARGE = '1.4 kB more';

/** The attempt that differs from the large ones in the size of its packets alone. */
const LARGE_SLOWLY = `${LARGE}, in small packets`;

const HELLOS = {
  [SMALL]: {},
  [`${LARGE}, first try`]: { isLarge: true },
  [`${LARGE}, second try`]: { isLarge: true },
  [LARGE_SLOWLY]: { isLarge: true, over: inSmallPackets },
} as const satisfies Readonly<Record<string, Hello>>;

/** The names of the hellos that show whether size decides. */
export const HELLO_NAMES = Object.keys(HELLOS) as readonly (keyof typeof HELLOS)[];

interface Hello {
  readonly isLarge?: boolean;
  /** @default the connection itself */
  readonly over?: (socket: Socket) => Duplex;
}

/**
 * Sends one hello to an address, on a connection of its own. Whatever the other side says to it proves
 * that it has arrived; nothing is sent behind it, so nobody has to be who it says it is.
 *
 * @param mostMs for the connection, and again for the answer
 */
export async function sayHello(
  context: LinkContext,
  address: string,
  name: keyof typeof HELLOS,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<Pick<ProbeResult, 'ok' | 'evidence'> & { readonly code?: Code }> {
  const { isLarge = false, over = (socket) => socket }: Hello = HELLOS[name];
  const { tlsServerName, signal } = context;
  const budgetMs = (steps: number) => Math.min(mostMs, context.budgetMs(steps));
  let plain: Duplex;
  try {
    plain = over(await dialWithin(context, address, budgetMs(2)));
  } catch (error) {
    return { ok: false, code: transportCode(error, 'tcp'), evidence: { error: errorName(error) } };
  }
  const hello = {
    socket: plain,
    secureContext: smallContext(),
    ALPNProtocols: ['http/1.1', ...(isLarge ? PADDING : [])],
    servername: isIP(tlsServerName) === 0 ? tlsServerName : '',
  };
  try {
    await withTimeout(budgetMs(1), signal, (own) => handshake(hello, own));
    return { ok: true, evidence: {} };
  } catch (error) {
    const code = transportCode(error, 'tls');
    return { ok: !LOST.includes(code), code, evidence: { error: errorName(error) } };
  } finally {
    plain.destroy();
  }
}

function handshake(options: ConnectionOptions, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // Nothing is sent, and the certificate is not what is asked for.
    const socket = connect({ ...options, rejectUnauthorized: false }, () => {
      socket.destroy();
      resolve();
    });
    signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true });
    socket.once('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

let small: SecureContext | undefined;

/** Without the curves and ciphers that make a hello large. */
function smallContext(): SecureContext {
  const ciphers = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'ECDHE+AESGCM'];
  small ??= createSecureContext({ ecdhCurve: 'X25519:P-256', ciphers: ciphers.join(':') });
  return small;
}

/**
 * Why a small hello is answered and a large one is not, twice: once would say nothing of sizes.
 *
 * @returns undefined where the results do not show it
 */
export function whyLargeIsLost(
  results: readonly Pick<ProbeResult, 'changed' | 'ok' | 'code'>[],
): { readonly code: 'path.large-hello' | 'path.mtu'; readonly evidence: Evidence } | undefined {
  const find = (name: string) => results.find(({ changed }) => changed === name);
  const [first, second, slow] = HELLO_NAMES.slice(1).map(find);
  const isLost = [first, second].every((one) => one && LOST.some((code) => code === one.code));
  if (!find(SMALL)?.ok || !isLost) return undefined;
  const evidence = Object.fromEntries(
    results.map(({ changed, ok, code = '' }) => [changed, ok ? 'answered' : code]),
  );
  // In small packets it is no smaller, so what passes then is lost for the size of its packets.
  return { code: slow?.ok ? 'path.mtu' : 'path.large-hello', evidence };
}
