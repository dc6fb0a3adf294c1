import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, createSecureContext, type SecureContext } from 'node:tls';
import type { Code } from '../../../codes/codes.js';
import { withTimeout } from '../../../service/http/limits.js';
import { errorName, transportCode } from '../../../service/http/transport-code.js';
import type { Evidence, ProbeResult } from '../../model/verification.js';
import type { LinkContext } from '../context.js';
import { dialWithin, inSmallPackets } from '../dial.js';

/** The outcomes of a lost hello. */
export const LOST: readonly Code[] = ['tls.timeout', 'tls.reset'];

/** Makes a hello as large as that of OpenSSL 3.5, whose key share for a post-quantum curve fills it. */
const PADDING = Array.from({ length: 6 }, (_, i) => `padding-${i}-`.padEnd(225, 'x'));

const LARGE = '1.4 kB more';

/** The hellos in the order that shows whether size decides. */
const HELLOS = {
  small: {},
  [`${LARGE}, first try`]: { isLarge: true },
  [`${LARGE}, second try`]: { isLarge: true },
  // It differs from the large ones in the size of its packets alone.
  [`${LARGE}, in small packets`]: { isLarge: true, over: inSmallPackets },
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
 */
export async function sayHello(
  context: LinkContext,
  address: string,
  name: keyof typeof HELLOS,
): Promise<Pick<ProbeResult, 'ok' | 'evidence'> & { readonly code?: Code }> {
  const { isLarge = false, over = (socket) => socket }: Hello = HELLOS[name];
  const { tlsServerName, signal } = context;
  let plain: Duplex;
  try {
    plain = over(await dialWithin(context, address, context.budgetMs(2)));
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
    await withTimeout(context.budgetMs(1), signal, (own) => handshake(hello, own));
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

/** A context without the curves and ciphers that make a hello large. */
function smallContext(): SecureContext {
  const ciphers = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'ECDHE+AESGCM'];
  small ??= createSecureContext({ ecdhCurve: 'X25519:P-256', ciphers: ciphers.join(':') });
  return small;
}

type Outcome = Pick<ProbeResult, 'changed' | 'ok' | 'code'>;

/**
 * Tells whether small hellos are answered and large ones are not, twice: once would say nothing of sizes.
 *
 * @param tries the small one, two large ones, and a large one in small packets if there is one
 * @returns undefined where they do not show it
 */
export function lostBySize(
  tries: readonly Outcome[],
  lost: readonly string[],
): { readonly slow: Outcome | undefined; readonly evidence: Evidence } | undefined {
  const [small, first, second, slow] = tries;
  const isLost = [first, second].every((one) => one && !one.ok && lost.includes(one.code ?? ''));
  if (!small?.ok || !isLost) return undefined;
  const outcomes = tries.map(({ changed, ok, code = '' }) => [changed, ok ? 'answered' : code]);
  return { slow, evidence: Object.fromEntries(outcomes) };
}

/** Explains why a small hello is answered and a large one is not; undefined where that is not shown. */
export function whyLargeIsLost(tries: readonly Outcome[]) {
  const found = lostBySize(tries, LOST);
  if (found === undefined) return undefined;
  // In small packets it is no smaller, so what passes then is lost for the size of its packets.
  const code = found.slow?.ok ? 'path.mtu' : 'path.large-hello';
  return { code, evidence: found.evidence } as const;
}
