import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withResolver } from '../../../src/verify/transport/resolve-name.js';

/** A DNS server that answers when the test says so. */
let socket: Socket;
let server: string;
let asked: { readonly port: number; readonly name: string; readonly answer: () => void }[] = [];

beforeAll(async () => {
  socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = decode(message);
    const [{ name } = { name: '' }] = questions;
    const answers = [{ type: 'A' as const, name, ttl: 5, data: '127.0.0.1' }];
    const flags = AUTHORITATIVE_ANSWER;
    const reply = encode({ type: 'response', id, flags, questions, answers });
    asked.push({ port, name, answer: () => socket.send(reply, port, address) });
    socket.emit('asked');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server = `127.0.0.1:${socket.address().port}`;
});

beforeEach(() => {
  asked = [];
});

afterAll(() => {
  socket.close();
});

function lookUp(name: string, signal: AbortSignal): Promise<string[]> {
  return withResolver(server, 20_000, signal, (resolver) => resolver.resolve4(name));
}

async function untilAsked(count: number): Promise<void> {
  while (asked.length < count) await once(socket, 'asked');
}

describe('lookups at one DNS server', () => {
  test('share a socket where they overlap', async () => {
    const { signal } = new AbortController();
    const lookups = ['one.example', 'two.example'].map((name) => lookUp(name, signal));
    await untilAsked(2);
    for (const { answer } of asked) answer();
    expect(await Promise.all(lookups)).toEqual([['127.0.0.1'], ['127.0.0.1']]);
    expect(new Set(asked.map(({ port }) => port)).size).toBe(1);
  });

  test('of which one is given up go on, and are cancelled when none is left', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const one = lookUp('one.example', first.signal);
    const two = lookUp('two.example', second.signal);
    const [givenUp, cancelled] = [expect(one), expect(two)];
    await untilAsked(2);
    first.abort();
    asked.find(({ name }) => name === 'one.example')?.answer();
    await givenUp.resolves.toEqual(['127.0.0.1']);
    second.abort();
    await cancelled.rejects.toMatchObject({ code: 'ECANCELLED' });
  });
});
