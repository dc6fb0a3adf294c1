import type { Socket } from 'node:net';
import { safeText } from '../../codes/redact.js';
import type { ProbeResult } from '../model/verification.js';
import type { Attempt } from '../transport/context.js';
import { dialWithin } from '../transport/dial.js';
import { addressesFailedWith, type Probe, probed, type Tried, tryRoute } from './probe.js';

/** Failures that may lie in the port's protocol, or in the program that listens on it. */
const OVER_TLS = ['tls.timeout', 'tls.reset', 'tls.not-tls', 'tls.failed'];
const IN_THE_CLEAR = ['http.timeout', 'http.reset', 'http.unexpected-answer'];

/** A server that speaks first does so at once. */
const GREETING_MS = 1_500;
const SHOWN_BYTES = 200;

/** Names no address: whoever expects the header takes the connection's own. */
const PROXY_HEADER = 'PROXY UNKNOWN\r\n';

export const FIRST_BYTES = {
  nothing: 'nothing sent',
  words: 'plain HTTP',
  proxyHeader: 'PROXY header',
} as const;

/**
 * Reads what a port sends that does not speak as expected: by itself, to plain words, or after a
 * header.
 */
export const firstBytes: Probe = async (context) => {
  if (context.proxy !== undefined) return [];
  const codes = context.isPlain ? IN_THE_CLEAR : OVER_TLS;
  const [address] = addressesFailedWith(context, ...codes);
  if (address === undefined) return [];
  return await Promise.all([
    probed('first-bytes', FIRST_BYTES.nothing, () => listenTo(context, address, '')),
    ...(context.isPlain ? [] : [askPlainly(context, address)]),
    withHeader(context, address),
  ]);
};

function askPlainly(context: Attempt, address: string): Promise<ProbeResult> {
  return probed('first-bytes', FIRST_BYTES.words, () =>
    listenTo(context, address, 'GET / HTTP/1.0\r\n\r\n'),
  );
}

function withHeader(context: Attempt, address: string): Promise<ProbeResult> {
  return probed('first-bytes', FIRST_BYTES.proxyHeader, () =>
    tryRoute(context, address, undefined, (socket) => {
      socket.write(PROXY_HEADER);
      return socket;
    }),
  );
}

async function listenTo(context: Attempt, address: string, words: string): Promise<Tried> {
  let socket: Socket;
  try {
    socket = await dialWithin(context, address, context.budgetMs(2));
  } catch {
    return { ok: false, evidence: {} };
  }
  try {
    if (words !== '') socket.write(words);
    const bytes = await firstChunk(socket, Math.min(GREETING_MS, context.budgetMs(1)));
    if (bytes === undefined) return { ok: false, evidence: { bytes: 0 } };
    return { ok: true, evidence: { bytes: bytes.length, says: describeBytes(bytes) } };
  } finally {
    socket.destroy();
  }
}

function firstChunk(socket: Socket, timeoutMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    const end = (bytes?: Buffer) => {
      clearTimeout(timer);
      resolve(bytes);
    };
    socket.once('data', end);
    socket.once('close', () => end());
    socket.once('end', () => end());
  });
}

/** The first byte of an alert of TLS. */
const ALERT = 21;

function describeBytes(bytes: Buffer): string {
  if (bytes[0] === ALERT) return 'an alert of TLS';
  const text = bytes.toString('latin1', 0, SHOWN_BYTES);
  return safeText(text.split('\r\n')[0] ?? '') || `${bytes.length} bytes`;
}
