import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  RECURSION_AVAILABLE,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { resolveName } from '../../../src/verify/transport/resolve-name.js';

/** A DNS server that answers when the test says so. */
let socket: Socket;
let server: string;

interface Asked {
  readonly port: number;
  readonly name: string;
  readonly answer: (answers: readonly Answer[], change?: Packet) => void;
  /** Answers with bytes, made of a reply without records. */
  readonly answerRaw: (change: (empty: Buffer) => Buffer) => void;
}

let asked: Asked[] = [];

beforeAll(async () => {
  socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = decode(message);
    const [{ name } = { name: '' }] = questions;
    const flags = AUTHORITATIVE_ANSWER;
    const answer: Asked['answer'] = (answers, change = {}) => {
      const reply = encode({
        type: 'response',
        id,
        flags,
        questions,
        answers: [...answers],
        ...change,
      });
      socket.send(reply, port, address);
    };
    const answerRaw: Asked['answerRaw'] = (change) => {
      const empty = encode({ type: 'response', id, flags, questions });
      socket.send(change(empty), port, address);
    };
    asked.push({ port, name, answer, answerRaw });
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

const NAME = 'ep.example.com';

function lookUp(name = NAME, signal: AbortSignal = new AbortController().signal) {
  return resolveName(name, { server, family: 4, timeoutMs: 20_000, signal });
}

async function untilAsked(count: number): Promise<void> {
  while (asked.length < count) await once(socket, 'asked');
}

async function lookUpWith(answers: readonly Answer[], change?: Packet): Promise<readonly string[]> {
  const lookup = lookUp();
  await untilAsked(1);
  asked[0]?.answer(answers, change);
  return (await lookup).addresses;
}

function address(name: string, data: string): Answer {
  return { type: 'A', name, ttl: 1, data };
}

function alias(name: string, data: string): Answer {
  return { type: 'CNAME', name, ttl: 1, data };
}

describe('the addresses of an answer', () => {
  test.each<[string, readonly Answer[], readonly string[]]>([
    ['the name itself, in other letters', [address('EP.example.COM', '10.1.2.3')], ['10.1.2.3']],
    [
      'aliases of it, in any order',
      [address('b.x', '10.1.2.3'), alias('a.x', 'b.x'), alias(NAME, 'a.x')],
      ['10.1.2.3'],
    ],
    [
      'the name, beside one that is foreign',
      [address('other.example', '10.9.9.9'), address(NAME, '10.1.2.3')],
      ['10.1.2.3'],
    ],
  ])('are those of %s', async (_, answers, expected) => {
    expect(await lookUpWith(answers)).toEqual(expected);
  });

  test.each<[string, readonly Answer[]]>([
    ['another name', [address('other.example', '10.9.9.9')]],
    ['a name that no alias leads to', [alias(NAME, 'a.x'), address('b.x', '10.9.9.9')]],
    [
      'a name in a circle of aliases',
      [alias('a.x', 'b.x'), alias('b.x', 'a.x'), address('b.x', '10.9.9.9')],
    ],
  ])('are not those of %s', async (_, answers) => {
    await expect(lookUpWith(answers)).rejects.toMatchObject({
      code: 'EBADRESP',
      detail: expect.stringMatching(/of another name: (other\.example|b\.x)$/),
    });
  });

  test.each([
    [3, 'ENOTFOUND'],
    [2, 'ESERVFAIL'],
    [5, 'EREFUSED'],
    [4, 'ENOTIMP'],
    [1, 'EFORMERR'],
    [9, 'ERCODE9'],
    [0, 'ENODATA'],
  ])('are none with the status %i', async (rcode, code) => {
    const flags = RECURSION_AVAILABLE | rcode;
    await expect(lookUpWith([], { flags })).rejects.toMatchObject({ code });
  });

  test.each<[string, number, readonly Answer[], string]>([
    ['no address', 0, [alias(NAME, 'a.x')], `${NAME} → a.x, which has no address`],
    [
      'no such name',
      3,
      [alias(NAME, 'a.x'), alias('a.x', 'b.x')],
      'a.x → b.x, which does not exist',
    ],
    ['each other', 0, [alias(NAME, 'a.x'), alias('a.x', NAME)], `${NAME} → a.x, in a circle`],
    ['itself', 0, [alias(NAME, NAME)], `${NAME}, in a circle`],
  ])('are missing where aliases lead to %s', async (_, rcode, answers, where) => {
    const flags = RECURSION_AVAILABLE | rcode;
    await expect(lookUpWith(answers, { flags })).rejects.toMatchObject({
      code: 'EALIAS',
      detail: expect.stringMatching(new RegExp(`${where}$`)),
    });
  });

  test('are denied beside themselves', async () => {
    const flags = RECURSION_AVAILABLE | 3;
    await expect(lookUpWith([address(NAME, '10.1.2.3')], { flags })).rejects.toMatchObject({
      code: 'ENOTFOUND',
      detail: expect.stringMatching(/denies the name and holds 10\.1\.2\.3/),
    });
  });

  test('are no record of another class, and none of another length', async () => {
    const other = { ...address(NAME, '10.9.9.9'), class: 'CH' } as Answer;
    expect(await lookUpWith([other, address(NAME, '10.1.2.3')])).toEqual(['10.1.2.3']);
    asked = [];
    const short = { type: 'UNKNOWN_1', name: NAME, data: Buffer.from([10, 1, 2]) } as never;
    await expect(lookUpWith([short])).rejects.toMatchObject({
      code: 'EBADRESP',
      detail: 'an address of 3 bytes',
    });
  });

  test.each([
    0, 5,
  ])('with the status %i say nothing of a name that the server cannot resolve', async (flags) => {
    await expect(lookUpWith([], { flags })).rejects.toMatchObject({ code: 'ENORECURSION' });
  });

  test('are those of the reply to this question, whatever else comes', async () => {
    const lookup = lookUp();
    await untilAsked(1);
    const questions = [{ type: 'A' as const, name: 'other.example' }];
    asked[0]?.answer([address('other.example', '10.9.9.9')], { questions });
    asked[0]?.answer([address(NAME, '10.9.9.9')], { type: 'query' });
    asked[0]?.answer([address(NAME, '10.9.9.9')], { flags: STATUS_OPCODE });
    asked[0]?.answer([address(NAME, '10.1.2.3')]);
    expect((await lookup).addresses).toEqual(['10.1.2.3']);
  });

  test('that were cut off are asked for over TCP', async () => {
    await answerOverTcp([address(NAME, '10.1.2.3')]);
    expect(await lookUpWith([], { flags: TRUNCATED_RESPONSE })).toEqual(['10.1.2.3']);
  });

  test('are no more those of another name over TCP than over UDP', async () => {
    await answerOverTcp([address('other.example', '10.9.9.9')]);
    const lookup = lookUpWith([], { flags: TRUNCATED_RESPONSE });
    await expect(lookup).rejects.toMatchObject({ detail: expect.stringMatching(/another name/) });
  });

  test('that were cut off and cannot be had over TCP are told as that', async () => {
    const lookup = lookUpWith([], { flags: TRUNCATED_RESPONSE });
    await expect(lookup).rejects.toMatchObject({
      code: 'ETRUNCATED',
      detail: expect.stringMatching(/over TCP: ECONNREFUSED$/),
    });
  });

  test('are told with the names that an alias leads over', async () => {
    const lookup = lookUp();
    await untilAsked(1);
    const answers = [alias(NAME, 'a.x'), alias('a.x', 'b.x'), address('b.x', '10.1.2.3')];
    asked[0]?.answer(answers);
    expect((await lookup).alias).toBe(`${NAME} → a.x → b.x`);
  });

  test.each([
    [
      'a name that refers to itself',
      (at: number) => Buffer.from([0xc0, at, 0, 1]),
      /refers to no name/,
    ],
    ['fewer records than it counts', () => Buffer.alloc(0), /less than it says/],
  ])('are none in a reply with %s', async (_, record, detail) => {
    const lookup = lookUp();
    await untilAsked(1);
    asked[0]?.answerRaw((head) => {
      head.writeUInt16BE(1, 6);
      return Buffer.concat([head, record(head.length)]);
    });
    await expect(lookup).rejects.toMatchObject({
      code: 'EBADRESP',
      detail: expect.stringMatching(detail),
    });
  });

  test('are not said to be missing where something came that is none', async () => {
    const { signal } = new AbortController();
    const lookup = resolveName(NAME, { server, family: 4, timeoutMs: 2_000, signal });
    await untilAsked(1);
    asked[0]?.answer([address(NAME, '10.9.9.9')], { type: 'query' });
    await expect(lookup).rejects.toMatchObject({
      code: 'EBADRESP',
      detail: expect.stringMatching(/none answers the question/),
    });
  });

  test('are told apart from those that come from another port', async () => {
    const other = createSocket('udp4');
    onTestFinished(() => void other.close());
    const front = createSocket('udp4');
    onTestFinished(() => void front.close());
    front.on('message', (message, { port, address: from }) => {
      const { id = 0, questions = [] } = decode(message);
      const answers = [address(NAME, '10.1.2.3')];
      other.send(encode({ type: 'response', id, questions, answers }), port, from);
    });
    await once(front.bind(0, '127.0.0.1'), 'listening');
    const { signal } = new AbortController();
    const asks = {
      server: `127.0.0.1:${front.address().port}`,
      family: 4,
      timeoutMs: 400,
      signal,
    } as const;
    await expect(resolveName(NAME, asks)).rejects.toMatchObject({
      code: 'EBADRESP',
      detail: expect.stringMatching(/^the reply comes from 127\.0\.0\.1:\d+, which was not asked$/),
    });
  });

  test('are missing after a time that is told', async () => {
    const { signal } = new AbortController();
    const lookup = resolveName(NAME, { server, family: 4, timeoutMs: 400, signal });
    await expect(lookup).rejects.toMatchObject({
      code: 'ETIMEOUT',
      detail: 'nothing within 300 ms',
    });
  });
});

const STATUS_OPCODE = 2 << 11;

/** Answers one question over TCP, in two pieces, at the port of the server. */
async function answerOverTcp(answers: readonly Answer[]): Promise<void> {
  const tcp = createServer((connection) => {
    connection.once('data', (message) => {
      const { id = 0, questions = [] } = decode(message.subarray(2));
      const reply = encode({
        type: 'response',
        id,
        flags: AUTHORITATIVE_ANSWER,
        questions,
        answers: [...answers],
      });
      connection.write(Buffer.from([reply.length >> 8]));
      setImmediate(() => connection.end(Buffer.concat([Buffer.from([reply.length & 255]), reply])));
    });
  });
  onTestFinished(() => void tcp.close());
  await listenOnceFree(tcp, socket.address().port);
}

/** Waits for a port that something else may have over TCP, such as a call of another test. */
async function listenOnceFree(tcp: Server, port: number): Promise<void> {
  for (;;) {
    try {
      await once(tcp.listen(port, '127.0.0.1'), 'listening');
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await setTimeout(50);
    }
  }
}

describe('lookups at one DNS server', () => {
  test('of which one is given up go on', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const givenUp = expect(lookUp('one.example', first.signal)).rejects.toThrow('no more');
    const two = lookUp('two.example', second.signal);
    await untilAsked(2);
    first.abort(new Error('no more'));
    await givenUp;
    asked.find(({ name }) => name === 'two.example')?.answer([address('two.example', '10.1.2.3')]);
    expect((await two).addresses).toEqual(['10.1.2.3']);
  });

  test('ask again for a reply that is lost', async () => {
    const { signal } = new AbortController();
    const lookup = resolveName(NAME, { server, family: 4, timeoutMs: 2_000, signal });
    await untilAsked(2);
    asked[0]?.answer([address(NAME, '10.1.2.3')]);
    expect((await lookup).addresses).toEqual(['10.1.2.3']);
  });
});

test('a name that DNS cannot hold is asked of nobody', async () => {
  await expect(lookUp(`${'a'.repeat(64)}.example`)).rejects.toMatchObject({ code: 'EBADNAME' });
  expect(asked).toEqual([]);
});
