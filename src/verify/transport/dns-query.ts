import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { isFileShortage } from '../../codes/file-shortage.js';
import { tryAddress } from '../../net/address.js';
import { TimedOut, withTimeout } from '../../service/http/limits.js';
import { TimeLimit } from '../../service/http/time-limit.js';
import { errorName } from '../../service/http/transport-code.js';
import { bracketed, hostAndPort } from './addresses.js';
import {
  type AddressFamily,
  type Answered,
  dnsError,
  isReplyTo,
  readReply,
  writeQuery,
} from './dns-message.js';

/**
 * Asks a DNS server for the addresses of a host, over UDP, and over TCP where that cuts the answer off. The library of Node.js does not say whose the
 * records of an answer are, so it takes those of any name.
 *
 * @param server `IP:PORT`
 * @param tryMs for the first of two tries, so that one lost packet is no failure; the second waits twice as long
 * @throws Error with a code of `node:dns`: `ENOTFOUND`, `ENODATA`, `EBADRESP`, …; `ETRUNCATED`; the signal's reason
 */
export async function queryAddresses(
  server: string,
  host: string,
  family: AddressFamily,
  tryMs: number,
  signal: AbortSignal,
): Promise<Answered> {
  signal.throwIfAborted();
  const query = writeQuery(host, family);
  query.writeUInt16BE(randomInt(0x1_0000), 0);
  const reply = await new Promise<Buffer>((resolve, reject) => {
    const closers: (() => void)[] = [];
    let strays = 0;
    const end = (settle: () => void) => {
      limit.end();
      signal.removeEventListener('abort', stop);
      for (const close of closers.splice(0)) close();
      settle();
    };
    const onError = (error: Error) => end(() => reject(error));
    const onReply = (message: Buffer) => end(() => resolve(message));
    const onStray = () => {
      strays += 1;
    };
    const stop = () => onError(signal.reason as Error);
    const ask = (isOpen: boolean) =>
      closers.push(send(server, query, isOpen, { onReply, onError, onStray }));
    let limit = new TimeLimit(tryMs, () => {
      limit = new TimeLimit(2 * tryMs, () => onError(noAnswer(strays, 3 * tryMs)));
      ask(true);
    });
    signal.addEventListener('abort', stop, { once: true });
    ask(false);
  });
  const answered = readReply(query, reply);
  if (answered !== undefined) return answered;
  const whole = await queryOverTcp(server, query, 2 * tryMs, signal);
  const found = isReplyTo(query, whole) ? readReply(query, whole) : undefined;
  if (found === undefined) throw dnsError('EBADRESP', 'no whole answer to the question over TCP');
  return found;
}

interface Listener {
  readonly onReply: (reply: Buffer) => void;
  readonly onError: (error: Error) => void;
  /** A message came that does not reply to the query. */
  readonly onStray: () => void;
}

/**
 * Sends a query from a socket of its own. A socket that is connected to the server learns that nothing listens
 * there, and one that is open that replies come from elsewhere.
 *
 * @returns closes it
 */
function send(server: string, query: Buffer, isOpen: boolean, listener: Listener): () => void {
  const { onReply, onError, onStray } = listener;
  const { host, port } = hostAndPort(server);
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  const onSent = (error: Error | null) => error && onError(error);
  socket.on('error', onError);
  socket.on('message', (reply, from) => {
    const isOurs = isReplyTo(query, reply) && reply.readUInt16BE(0) === query.readUInt16BE(0);
    if (!isOurs) return isOpen ? undefined : onStray();
    if (from.port === port && isSame(from.address, host)) return onReply(reply);
    const place = `${bracketed(from.address)}:${from.port}`;
    onError(dnsError('EBADRESP', `the reply comes from ${place}, which was not asked`));
  });
  if (isOpen) socket.send(query, port, host, onSent);
  else socket.once('connect', () => socket.send(query, onSent)).connect(port, host);
  return () => socket.removeAllListeners('connect').close();
}

function isSame(one: string, other: string): boolean {
  return tryAddress(one)?.value === tryAddress(other)?.value;
}

function noAnswer(strays: number, waitedMs: number): Error {
  if (strays === 0) return dnsError('ETIMEOUT', `nothing within ${waitedMs} ms`);
  return dnsError('EBADRESP', `${strays} messages came, and none answers the question`);
}

/** Each message has its length before it. */
const LENGTH_BYTES = 2;

/**
 * Asks a DNS server over TCP for the answer that was truncated over UDP.
 *
 * @param server `IP:PORT`
 * @throws Error `ETRUNCATED`, which says why it cannot be had; the signal's reason; a lack of files as it is
 */
async function queryOverTcp(
  server: string,
  query: Buffer,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    return await withTimeout(timeoutMs, signal, (own) => exchange(server, query, own));
  } catch (error) {
    if (signal.aborted || isFileShortage(error)) throw error;
    const got =
      error instanceof TimedOut ? `nothing within ${Math.round(timeoutMs)} ms` : errorName(error);
    throw dnsError('ETRUNCATED', `the answer over UDP is cut off, and over TCP: ${got}`);
  }
}

function exchange(server: string, query: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(hostAndPort(server));
    let seen = Buffer.alloc(0);
    signal.addEventListener('abort', () => socket.destroy(signal.reason as Error), { once: true });
    socket.on('error', reject);
    socket.once('close', () => reject(dnsError('ECONNRESET')));
    socket.on('data', (piece: Buffer) => {
      seen = Buffer.concat([seen, piece]);
      if (seen.length < LENGTH_BYTES) return;
      const end = LENGTH_BYTES + seen.readUInt16BE(0);
      if (seen.length < end) return;
      resolve(seen.subarray(LENGTH_BYTES, end));
      socket.destroy();
    });
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(query.length, 0);
    socket.write(Buffer.concat([length, query]));
  });
}
