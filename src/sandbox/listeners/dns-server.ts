import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Question } from 'dns-packet';
import { type Listener, LOOPBACK } from './listen.js';

const TTL_SECONDS = 5;
const HEADER_OCTETS = 12;
const ANSWER_COUNT_AT = 6;
/** A name in the wire's form: the one right after the header. */
const POINTER_TO_QUESTION = Buffer.from([0xc0, HEADER_OCTETS]);
const RCODES = { found: 0, 'server-failed': 2, 'not-found': 3 } as const;

/** DNS's knowledge of a name: its IPv4 addresses, if it is found. */
export interface Lookup {
  readonly outcome: 'found' | 'not-found' | 'server-failed' | 'silent';
  readonly addresses: readonly string[];
  /** The names that the asked one is an alias of, one after the other. @default - none */
  readonly aliases?: readonly string[];
  /** The delay of the answer. @default - none */
  readonly delayMs?: number;
}

/**
 * Answers DNS queries over UDP on a free loopback port.
 *
 * @param lookUp asked at each question for a name's IPv4 or other records, what is to be said
 */
export async function startDnsServer(
  lookUp: (name: string, type: string) => Lookup,
): Promise<Listener> {
  const socket = createSocket('udp4');
  const late = new Set<NodeJS.Timeout>();
  socket.on('message', (message, { port, address }) => {
    const { reply, delayMs } = replyTo(lookUp, message) ?? {};
    if (reply === undefined) return;
    if (delayMs === undefined) socket.send(reply, port, address);
    else late.add(setTimeout(() => socket.send(reply, port, address), delayMs));
  });
  await once(socket.bind(0, LOOPBACK), 'listening');
  const stop = async () => {
    for (const timer of late) clearTimeout(timer);
    await once(socket.close(), 'close');
  };
  return { port: socket.address().port, stop };
}

/** @returns undefined where there is no reply */
function replyTo(lookUp: (name: string, type: string) => Lookup, message: Buffer) {
  const query = decoded(message);
  const [question] = query?.questions ?? [];
  if (!query || !question) return undefined;
  const result = lookUp(question.name, question.type);
  if (result.outcome === 'silent') return undefined;
  const answers = question.type === 'A' ? answersTo(question, result) : [];
  const head = encode({
    type: 'response',
    id: query.id ?? 0,
    flags: AUTHORITATIVE_ANSWER | RCODES[result.outcome],
    questions: [question],
  });
  return { reply: withAnswers(head, question.name, answers), delayMs: result.delayMs };
}

function answersTo({ name }: Question, { addresses, aliases = [] }: Lookup): Answer[] {
  const facts = { ttl: TTL_SECONDS, class: 'IN' } as const;
  const chain = [name, ...aliases];
  return [
    ...aliases.map(
      (data, index): Answer => ({ type: 'CNAME', name: chain[index] ?? name, data, ...facts }),
    ),
    ...addresses.map((data): Answer => ({ type: 'A', name: chain.at(-1) ?? name, data, ...facts })),
  ];
}

/**
 * Appends answers to a reply. Those about the question's own name point back at it, so that all
 * addresses of the service fit into the 512 octets that a client without EDNS takes.
 */
function withAnswers(reply: Buffer, name: string, answers: readonly Answer[]): Buffer {
  const whole = Buffer.concat([reply, ...answers.map((answer) => encodeRecord(answer, name))]);
  whole.writeUInt16BE(answers.length, ANSWER_COUNT_AT);
  return whole;
}

function encodeRecord(answer: Answer, asked: string): Buffer {
  const record = encode({ type: 'response', answers: [answer] }).subarray(HEADER_OCTETS);
  if (answer.name !== asked) return record;
  return Buffer.concat([POINTER_TO_QUESTION, record.subarray(Buffer.byteLength(asked) + 2)]);
}

function decoded(message: Buffer) {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}
