import { createSocket, type Socket } from 'node:dgram';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Question } from 'dns-packet';
import { type Listener, LOOPBACK } from './listen.js';
import { lookUp } from './names.js';
import type { World } from './world.js';

const TTL_SECONDS = 5;
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
  return encode({
    type: 'response',
    id: query.id ?? 0,
    flags: AUTHORITATIVE_ANSWER | RCODES[result.outcome],
    questions: [question],
    answers: question.type === 'A' ? answersTo(question, result.addresses) : [],
  });
}

function answersTo({ name }: Question, addresses: readonly string[]): Answer[] {
  return addresses.map((data) => ({ type: 'A', name, data, ttl: TTL_SECONDS, class: 'IN' }));
}

function decoded(message: Buffer) {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}
