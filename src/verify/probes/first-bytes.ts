import type { Socket } from 'node:net';
import { safeText } from '../../codes/redact.js';
import { TimeLimit } from '../../service/http/time-limit.js';
import { alertName } from '../../service/http/tls-alert.js';
import type { LooseEvidence } from '../model/findings.js';
import { FIRST_BYTES } from '../model/verification-names.js';
import type { Attempt } from '../transport/context.js';
import { dialWithin, inSmallPackets } from '../transport/dial.js';
import {
  addressesFailedWith,
  failedWith,
  type Probe,
  probed,
  type Tried,
  tryTls,
} from './probe.js';

/** Failures that may lie in the port's protocol, or in the program that listens on it. */
const OVER_TLS = /^tls\.(timeout|reset|not-tls|failed(: out of turn)?)$/;
const IN_THE_CLEAR = /^http\.(timeout|reset|unexpected-answer)$/;

/** A server that speaks first mostly does so at once; after a silence, a slow one is waited for. */
const GREETING_MS = 1_500;
const SLOW_GREETING_MS = 5_000;
const SHOWN_BYTES = 200;

/** A ClientHello of TLS 1.2 whose only cipher is none: whoever speaks TLS refuses it in a few bytes. */
const REFUSED_HELLO = Buffer.from(`160301002d010000290303${'00'.repeat(32)}00000200000100`, 'hex');

/**
 * Reads what a port sends that does not speak as expected: by itself, or to a few bytes.
 */
export const firstBytes: Probe = async (context) => {
  if (context.proxy !== undefined) return [];
  const form = context.isPlain ? IN_THE_CLEAR : OVER_TLS;
  const [address] = addressesFailedWith(context, form);
  if (address === undefined) return [];
  const { nothing, words, hello, smallPackets } = FIRST_BYTES;
  const listen = (name: string, bytes: Buffer) =>
    probed('first-bytes', name, () => listenTo(context, address, bytes));
  const request = Buffer.from('GET / HTTP/1.0\r\n\r\n');
  const handshake = () =>
    probed('first-bytes', smallPackets, () => tryTls(context, address, inSmallPackets));
  return await Promise.all([
    listen(nothing, Buffer.alloc(0)),
    listen(hello, REFUSED_HELLO),
    ...(context.isPlain ? [] : [listen(words, request)]),
    // Twice: once may be luck.
    ...(failedWith(context, /^tls\.timeout$/) ? [handshake(), handshake()] : []),
  ]);
};

async function listenTo(context: Attempt, address: string, bytes: Buffer): Promise<Tried> {
  let socket: Socket;
  try {
    socket = await dialWithin(context, address, context.budgetMs(2));
  } catch {
    return { ok: false, evidence: {} };
  }
  try {
    if (bytes.length > 0) socket.write(bytes);
    const isSilent = failedWith(context, /^(tls|http)\.timeout$/);
    const waitMs = isSilent ? SLOW_GREETING_MS : GREETING_MS;
    const answer = await firstChunk(socket, Math.min(waitMs, context.budgetMs(1)));
    if (typeof answer === 'string') return { ok: false, reason: answer, evidence: { bytes: 0 } };
    return { ok: true, evidence: { bytes: answer.length, ...describeBytes(answer) } };
  } finally {
    socket.destroy();
  }
}

/** Waits for the first bytes. @returns a code where none come: the end of a connection is no silence */
function firstChunk(
  socket: Socket,
  timeoutMs: number,
): Promise<Buffer | 'tls.reset' | 'tls.timeout'> {
  return new Promise((resolve) => {
    const end = (result: Buffer | 'tls.reset' | 'tls.timeout') => {
      limit.end();
      resolve(result);
    };
    const limit = new TimeLimit(timeoutMs, () => end('tls.timeout'));
    socket.once('data', end);
    socket.once('close', () => end('tls.reset'));
    socket.once('end', () => end('tls.reset'));
  });
}

/** The first bytes of records of TLS. */
const ALERT = 21;
const HANDSHAKE = 22;
const OTHER_RECORDS = new Map([
  [20, 'a change of cipher'],
  [23, 'encrypted data'],
]);

/** The message of a handshake that no server sends. */
const CLIENT_HELLO = 1;

function describeBytes(bytes: Buffer): LooseEvidence {
  // A record has its version behind its type, and an alert ends with its number.
  const [type, version, , , , message, number] = bytes;
  const isRecord = version === undefined || version === 3;
  if (type === ALERT && isRecord) {
    const name = number === undefined ? '' : ` (${alertName(number)})`;
    return { isTls: true, says: `an alert of TLS${name}` };
  }
  if (type === HANDSHAKE && message === CLIENT_HELLO) return { says: 'the client’s own words' };
  if (type === HANDSHAKE && isRecord) return { isTls: true, says: 'the beginning of a handshake' };
  const other = type === undefined || version !== 3 ? undefined : OTHER_RECORDS.get(type);
  if (other !== undefined) return { isTls: true, says: `a record of TLS: ${other}` };
  const text = bytes.toString('latin1', 0, SHOWN_BYTES);
  return { says: safeText(text.split('\r\n')[0] ?? '') || `${bytes.length} bytes` };
}
