import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, createSecureContext } from 'node:tls';
import type { Code } from '../../codes/codes.js';
import { withTimeout } from '../../service/http/limits.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import type { LooseEvidence } from '../model/findings.js';
import { dialWithin } from '../transport/dial.js';
import { inSmallPackets } from './in-small-packets.js';
import { addressesFailedWith, type Probe, type ProbeContext } from './probe.js';
import { probed } from './probe-result.js';

/** What a lost hello ends with. */
const LOST: readonly Code[] = ['tls.timeout', 'tls.reset'];

/** Makes a hello as large as that of OpenSSL 3.5, whose key share for a post-quantum curve fills it. */
const PADDING = Array.from({ length: 5 }, (_, i) => `padding-${i}-`.padEnd(250, 'x'));

export const SMALL_HELLO = 'small';
export const LARGE_HELLO = '1.3 kB more';

/** How the try is named that differs from the large ones in the size of its packets alone. */
export const LARGE_HELLO_SLOWLY = `${LARGE_HELLO}, in small packets`;

/**
 * A small ClientHello and, twice, a large one: some firewalls read no more than its first packet. Nothing
 * is sent behind it, so nobody has to be who it says it is.
 */
export const helloSize: Probe = {
  applies: (context) => addressesFailedWith(context, ...LOST).length > 0,
  run: async (context) => {
    const [address = ''] = addressesFailedWith(context, ...LOST);
    const small = { secureContext: smallContext(), ALPNProtocols: ['http/1.1'] };
    const large = { secureContext: smallContext(), ALPNProtocols: ['http/1.1', ...PADDING] };
    const send = (changed: string, hello: ConnectionOptions, over?: (socket: Socket) => Duplex) =>
      probed('hello-size', changed, () => sayHello(context, address, hello, over));
    return await Promise.all([
      send(SMALL_HELLO, small),
      send(`${LARGE_HELLO}, first try`, large),
      send(`${LARGE_HELLO}, second try`, large),
      send(LARGE_HELLO_SLOWLY, large, inSmallPackets),
    ]);
  },
};

/** Whatever the other side says to a hello proves that it has arrived. */
async function sayHello(
  context: ProbeContext,
  address: string,
  hello: ConnectionOptions,
  over: (socket: Socket) => Duplex = (socket) => socket,
): Promise<{ ok: boolean; code?: Code; evidence: LooseEvidence }> {
  const { tlsServerName, signal, budgetMs } = context;
  const servername = isIP(tlsServerName) === 0 ? tlsServerName : '';
  try {
    const plain = over(await dialWithin(context, address, budgetMs(2), signal));
    const work = (own: AbortSignal) => handshake({ ...hello, socket: plain, servername }, own);
    await withTimeout(budgetMs(1), signal, work).finally(() => plain.destroy());
    return { ok: true, evidence: {} };
  } catch (error) {
    const code = transportCode(error, 'tls');
    return { ok: !LOST.includes(code), code, evidence: { error: errorName(error) } };
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

/** Without the curves and ciphers that make a hello large. */
function smallContext() {
  const ciphers = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'ECDHE+AESGCM'];
  return createSecureContext({ ecdhCurve: 'X25519:P-256', ciphers: ciphers.join(':') });
}
