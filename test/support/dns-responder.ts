import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import packet from 'dns-packet';
import { onTestFinished } from 'vitest';

export interface DnsAnswers {
  /** Addresses by name; a name that is not here does not exist. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Names that are an alias of another one, which has no address. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The error that every question gets in place of an answer. */
  readonly fault?: 'silent' | 'SERVFAIL' | 'REFUSED';
  /** True if others are asked for what it does not have. @default true */
  readonly recurses?: boolean;
  /** The error that questions for IPv6 get. */
  readonly ipv6Fault?: 'silent' | 'SERVFAIL' | 'NXDOMAIN';
  /** Milliseconds before each answer. */
  readonly delayMs?: number;
}

/**
 * A DNS server over UDP on loopback.
 *
 * @param port 0: any that is free
 * @returns its `ADDRESS:PORT` and the names asked for
 */
export async function startDns(
  answers: () => DnsAnswers,
  port = 0,
): Promise<{ server: string; asked: string[] }> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, { port: from, address }) => {
    const { delayMs = 0, ...rest } = answers();
    const reply = replyTo(packet.decode(message), rest, asked);
    if (reply === undefined) return;
    const send = () => socket.send(packet.encode(reply), from, address);
    if (delayMs === 0) return send();
    const timer = setTimeout(send, delayMs);
    socket.once('close', () => clearTimeout(timer));
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

const RCODE = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

function replyTo(
  query: packet.DecodedPacket,
  { names = {}, aliases = {}, fault: all, ipv6Fault, recurses = true }: DnsAnswers,
  asked: string[],
): packet.Packet | undefined {
  const [question] = query.questions ?? [];
  if (question === undefined) return undefined;
  asked.push(`${question.type} ${question.name}`);
  const fault = question.type === 'AAAA' ? (ipv6Fault ?? all) : all;
  if (fault === 'silent') return undefined;
  const alias = aliases[question.name];
  if (alias !== undefined) return ofAlias(query, question, alias, recurses);
  const known = names[question.name];
  const family = question.type === 'AAAA' ? 'AAAA' : 'A';
  const rcode = fault ? RCODE[fault] : known === undefined ? RCODE.NXDOMAIN : 0;
  return {
    type: 'response',
    id: query.id ?? 0,
    flags: packet.RECURSION_DESIRED | (recurses ? packet.RECURSION_AVAILABLE : 0) | rcode,
    questions: [question],
    answers: (fault ? [] : (known ?? []))
      .filter((address) => address.includes(':') === (family === 'AAAA'))
      .map((data) => ({ type: family, name: question.name, ttl: 1, data })),
  };
}

function ofAlias(
  { id = 0 }: packet.DecodedPacket,
  question: packet.Question,
  data: string,
  recurses: boolean,
): packet.Packet {
  return {
    type: 'response',
    id,
    flags: packet.RECURSION_DESIRED | (recurses ? packet.RECURSION_AVAILABLE : 0),
    questions: [question],
    answers: [{ type: 'CNAME', name: question.name, ttl: 1, data }],
  };
}
