import { createSocket, type Socket } from 'node:dgram';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Question } from 'dns-packet';
import { type Listener, LOOPBACK } from './listen.js';
import { type Lookup, lookUp } from './names.js';
import type { World } from './world.js';

const TTL_SECONDS = 5;
const HEADER_OCTETS = 12;
const ANSWER_COUNT_AT = 6;
/** A name in the wire's form: the one that stands right after the header. */
const POINTER_TO_QUESTION = Buffer.from([0xc0, HEADER_OCTETS]);
const RCODES = { found: 0, 'server-failed': 2, 'not-found': 3 } as const;

/** Answers DNS queries over UDP on a free loopback port, out of the world as it is at that moment. */
export async function startDnsServer(world: () => World): Promise<Listener> {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const reply = replyTo(world(), message);
    if (reply) socket.send(reply, port, address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, LOOPBACK, resolve);
  });
  return { port: socket.address().port, stop: () => stop(socket) };
}

function stop(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.close(() => resolve());
  });
}

function replyTo(world: World, message: Buffer): Buffer | undefined {
  const query = decoded(message);
  const [question] = query?.questions ?? [];
  if (!query || !question) return undefined;
  const result = lookUp(world, question.name);
  if (result.outcome === 'silent') return undefined;
  const answers = question.type === 'A' ? answersTo(question, result) : [];
  return withAnswers(
    encode({
      type: 'response',
      id: query.id ?? 0,
      flags: AUTHORITATIVE_ANSWER | RCODES[result.outcome],
      questions: [question],
    }),
    question.name,
    answers,
  );
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
  const whole = Buffer.concat([reply, ...answers.map((answer) => recordOf(answer, name))]);
  whole.writeUInt16BE(answers.length, ANSWER_COUNT_AT);
  return whole;
}

function recordOf(answer: Answer, asked: string): Buffer {
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
