import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { tryAddress } from '../../net/address.js';
import { TimeLimit } from '../../service/http/time-limit.js';
import { bracketed, hostAndPort } from './addresses.js';
import {
  type AddressFamily,
  type Answered,
  dnsError,
  isReplyTo,
  readReply,
  writeQuery,
} from './dns-message.js';
import { queryOverTcp } from './dns-over-tcp.js';

interface Waiting {
  readonly query: Buffer;
  readonly onReply: (reply: Buffer) => void;
  readonly onError: (error: Error) => void;
}

/** The sockets in use by server: lookups that overlap share one. */
const sockets = new Map<string, SharedSocket>();

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
  const socket = sockets.get(server) ?? new SharedSocket(server);
  const reply = await new Promise<Buffer>((resolve, reject) => {
    const onReply = (message: Buffer) => {
      end();
      resolve(message);
    };
    const onError = (error: Error) => {
      end();
      reject(error);
    };
    const stop = () => onError(signal.reason as Error);
    const id = socket.join({ query, onReply, onError });
    let leaveOpen = () => {};
    let limit = new TimeLimit(tryMs, () => {
      limit = new TimeLimit(2 * tryMs, () => onError(socket.noAnswer(3 * tryMs)));
      leaveOpen = askOpenly(server, { query, onReply, onError });
    });
    const end = () => {
      limit.end();
      leaveOpen();
      signal.removeEventListener('abort', stop);
      socket.leave(id);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  const answered = readReply(query, reply);
  if (answered !== undefined) return answered;
  const whole = await queryOverTcp(server, query, 2 * tryMs, signal);
  const found = isReplyTo(query, whole) ? readReply(query, whole) : undefined;
  if (found === undefined) throw dnsError('EBADRESP', 'no whole answer to the question over TCP');
  return found;
}

/**
 * Asks from a socket that takes replies from anywhere: one that is connected to the server does not show
 * that the replies come from elsewhere.
 *
 * @returns ends it
 */
function askOpenly(server: string, { query, onReply, onError }: Waiting): () => void {
  const { host, port } = hostAndPort(server);
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.on('error', onError);
  socket.on('message', (reply, from) => {
    if (!isReplyTo(query, reply) || reply.readUInt16BE(0) !== query.readUInt16BE(0)) return;
    if (from.port === port && isSame(from.address, host)) return onReply(reply);
    const place = `${bracketed(from.address)}:${from.port}`;
    onError(dnsError('EBADRESP', `the reply comes from ${place}, which was not asked`));
  });
  socket.send(query, port, host, (error) => error && onError(error));
  return () => socket.close();
}

function isSame(one: string, other: string): boolean {
  return tryAddress(one)?.value === tryAddress(other)?.value;
}

/** The socket of all queries to one server that are under way. */
class SharedSocket {
  readonly #server: string;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  /** The IDs of queries that are over, whose replies may still come. */
  readonly #ended = new Set<number>();
  /** Messages that are no replies to any of these queries. */
  #strays = 0;
  #isConnected = false;

  constructor(server: string) {
    const { host, port } = hostAndPort(server);
    this.#server = server;
    this.#socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    sockets.set(server, this);
    // The system says of a connected socket that nothing listens at the other end.
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('message', (reply) => this.#give(reply));
    this.#socket.once('connect', () => {
      this.#isConnected = true;
      for (const id of this.#waiting.keys()) this.send(id);
    });
    this.#socket.connect(port, host);
  }

  /** Sends a query under an ID of its own, as soon as there is a connection. */
  join(waiting: Waiting): number {
    let id = randomInt(0x1_0000);
    while (this.#waiting.has(id)) id = randomInt(0x1_0000);
    waiting.query.writeUInt16BE(id, 0);
    this.#waiting.set(id, waiting);
    this.send(id);
    return id;
  }

  send(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || !this.#isConnected) return;
    this.#socket.send(waiting.query, (error) => error && this.#fail(error));
  }

  noAnswer(waitedMs: number): Error {
    if (this.#strays === 0) return dnsError('ETIMEOUT', `nothing within ${waitedMs} ms`);
    return dnsError('EBADRESP', `${this.#strays} messages came, and none answers the question`);
  }

  leave(id: number): void {
    this.#waiting.delete(id);
    this.#ended.add(id);
    if (this.#waiting.size > 0 || sockets.get(this.#server) !== this) return;
    sockets.delete(this.#server);
    this.#socket.close();
  }

  #give(reply: Buffer): void {
    const id = reply.length < 2 ? undefined : reply.readUInt16BE(0);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting !== undefined && isReplyTo(waiting.query, reply)) waiting.onReply(reply);
    else if (id === undefined || !this.#ended.has(id)) this.#strays += 1;
  }

  #fail(error: Error): void {
    for (const { onError } of [...this.#waiting.values()]) onError(error);
  }
}
