import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import {
  type ChatEvent,
  connectService,
  Secret,
  type StreamOptions,
  streamChat,
} from '../../../src/service/index.js';
import { LOG_ID, listen, TOKEN } from '../../support/service-server.js';

const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-tt-logid': LOG_ID };

const DONE = ['done', '[DONE]'] as const;

type Serve = (response: ServerResponse, request: IncomingMessage) => void;

async function streaming(serve: Serve, options?: StreamOptions) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    serve(response, request);
  });
  const connection = connectService(`http://127.0.0.1:${await listen(server)}`);
  onTestFinished(() => connection.close());
  const start = { botId: 'bot', userId: 'user' };
  return { requests, stream: streamChat(connection, new Secret(TOKEN), start, options) };
}

function sending(...events: (readonly [string, unknown])[]): Serve {
  return (response) => {
    response.writeHead(200, EVENTS);
    for (const [name, data] of events) {
      response.write(`event:${name}\ndata:${JSON.stringify(data)}\n\n`);
    }
    response.end();
  };
}

async function all(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test('gives the chat ID from the chat event, messages, and what it does not know', async () => {
  const message = { id: 'm1', type: 'answer', content: 'h', chat_id: 'c1' };
  const { stream, requests } = await streaming(
    sending(
      ['conversation.chat.created', { id: 'c1', conversation_id: 'v1', status: 'created' }],
      ['conversation.message.delta', message],
      ['conversation.message.completed', { ...message, content: 'hi' }],
      ['conversation.message.completed', { type: 'verbose', content: '{"msg_type":"x"}' }],
      ['conversation.audio.delta', { id: 'a' }],
      ['ping', 'pong'],
      ['conversation.chat.completed', { id: 'c1', status: 'completed' }],
      ['done', '[DONE]'],
    ),
  );
  expect(await all(stream)).toEqual([
    {
      kind: 'chat',
      name: 'conversation.chat.created',
      chat: { id: 'c1', conversationId: 'v1', status: 'created' },
    },
    {
      kind: 'message',
      name: 'conversation.message.delta',
      message: { id: 'm1', type: 'answer', content: 'h', chatId: 'c1' },
      isDelta: true,
    },
    {
      kind: 'message',
      name: 'conversation.message.completed',
      message: { id: 'm1', type: 'answer', content: 'hi', chatId: 'c1' },
      isDelta: false,
    },
    {
      kind: 'message',
      name: 'conversation.message.completed',
      message: { type: 'verbose', content: '{"msg_type":"x"}', messageType: 'x' },
      isDelta: false,
    },
    { kind: 'unknown', name: 'conversation.audio.delta', data: '{"id":"a"}' },
    { kind: 'unknown', name: 'ping', data: '"pong"' },
    {
      kind: 'chat',
      name: 'conversation.chat.completed',
      chat: { id: 'c1', status: 'completed' },
    },
    { kind: 'done', name: 'done' },
  ]);
  expect(requests[0]).toMatchObject({
    method: 'POST',
    url: '/v3/chat',
    headers: { accept: 'text/event-stream, application/json', authorization: `Bearer ${TOKEN}` },
  });
});

test('understands a chat event that has nothing but the name `chat` and an ID', async () => {
  const { stream } = await streaming(sending(['chat', { id: 'c1' }], DONE));
  expect(await stream.next()).toEqual({
    done: false,
    value: { kind: 'chat', name: 'chat', chat: { id: 'c1' } },
  });
});

test.each([
  ['error', { code: 4013, msg: 'slow down' }, 'http.rate-limited'],
  ['conversation.chat.failed', { code: 701231, msg: 'error' }, 'api.unknown-error'],
])('an event %s is an error of the service', async (name, data, code) => {
  const { stream } = await streaming(sending(['chat', { id: 'c1' }], [name, data]));
  expect(await stream.next()).toMatchObject({ value: { chat: { id: 'c1' } } });
  await expect(stream.next()).rejects.toMatchObject({
    code,
    serviceCode: String(data.code),
    serviceMessage: data.msg,
    logId: LOG_ID,
    httpStatus: 200,
  });
});

test('what an error in a stream says is as safe to show as that of any other answer', async () => {
  const data = { code: '\u001b[2J4013', msg: 'bearer abc' };
  const { stream } = await streaming((response) => {
    response.writeHead(200, { ...EVENTS, 'x-tt-logid': 'not an <id>' });
    response.end(`event:error\ndata:${JSON.stringify(data)}\n\n`);
  });
  await expect(stream.next()).rejects.toMatchObject({
    message: 'the chat stream failed, got: HTTP 200, [2J4013, bearer [redacted]',
    serviceCode: '[2J4013',
    serviceMessage: 'bearer [redacted]',
  });
});

test('an error in a stream that is none of the API shows its first words', async () => {
  const { stream } = await streaming((response) => {
    response.writeHead(200, EVENTS).end('event:error\ndata:upstream gone\n\n');
  });
  await expect(all(stream)).rejects.toThrow('upstream gone');
});

test('an answer that is no stream is read as the envelope that it is', async () => {
  const { stream } = await streaming((response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 4101, msg: `no permission for ${TOKEN}` }));
  });
  await expect(stream.next()).rejects.toMatchObject({
    code: 'api.permission',
    serviceMessage: 'no permission for [redacted]',
  });
  const success = await streaming((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"code":0,"msg":""}');
  });
  await expect(success.stream.next()).rejects.toMatchObject({ code: 'http.unexpected-answer' });
});

test('what the server echoes of the token is taken out', async () => {
  const { stream } = await streaming(sending(['echo', { token: TOKEN }], DONE));
  expect((await all(stream))[0]).toEqual({
    kind: 'unknown',
    name: 'echo',
    data: '{"token":"[redacted]"}',
  });
});

test('no redirect is followed', async () => {
  const { stream, requests } = await streaming((response, { headers }) => {
    response.writeHead(307, { location: `http://${headers.host}/elsewhere` }).end();
  });
  await expect(stream.next()).rejects.toMatchObject({ code: 'http.unexpected-answer' });
  expect(requests).toHaveLength(1);
});

test('leaving the loop early ends the connection', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const { stream } = await streaming((response) => {
    closed = new Promise((resolve) => response.once('close', resolve));
    response.writeHead(200, EVENTS).write('event:chat\ndata:{"id":"c1"}\n\n');
  });
  for await (const event of stream) {
    expect(event.kind).toBe('chat');
    break;
  }
  await closed;
});

const first: Serve = (response) => {
  response.writeHead(200, EVENTS).write('event:chat\ndata:{"id":"c1"}\n\n');
};

test('ends with its signal', async () => {
  const controller = new AbortController();
  const { stream } = await streaming(first, { signal: controller.signal });
  await stream.next();
  const next = stream.next();
  controller.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
});

test.each<[string, StreamOptions]>([
  ['the time between two events', { idleTimeoutMs: 100 }],
  ['the time for the whole', { timeoutMs: 100 }],
])('ends with %s', async (_, options) => {
  const { stream } = await streaming(first, options);
  await expect(all(stream)).rejects.toMatchObject({
    code: 'http.timeout',
    message: expect.stringContaining('got nothing more within 100 ms'),
  });
  const silent = await streaming(() => undefined, options);
  await expect(silent.stream.next()).rejects.toMatchObject({
    code: 'http.timeout',
    message: expect.stringContaining('got no answer within 100 ms'),
  });
});

test('a stream that is cut off is named as such', async () => {
  const { stream } = await streaming((response) => {
    response.writeHead(200, { ...EVENTS, 'content-length': '1000' });
    response.write('event:chat\ndata:{"id":"c1"}\n\n', () => response.destroy());
  });
  await stream.next();
  await expect(stream.next()).rejects.toMatchObject({ code: 'http.reset' });
});

test.each<[string, readonly (readonly [string, unknown])[], string]>([
  ['nothing', [], 'no event'],
  ['a message', [['conversation.message.delta', { type: 'answer' }]], 'conversation.message.delta'],
  ['a chat with a number as ID', [['chat', { id: 7 }]], '"chat" without a text `id`'],
  ['a chat in progress', [['chat', { id: 'c1', status: 'in_progress' }]], '"chat"'],
])('a stream that ends properly but too early, after %s, is an error', async (_, events, got) => {
  const { stream } = await streaming(sending(...events));
  const error = await all(stream).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'http.reset', message: expect.stringContaining(got) });
});

test('an event that breaks off is not given', async () => {
  const { stream } = await streaming((response) => {
    response.writeHead(200, EVENTS).end('event:chat\ndata:{"id":"c1"}\n\nevent:done\ndata:[DO');
  });
  expect(await stream.next()).toMatchObject({ value: { chat: { id: 'c1' } } });
  await expect(stream.next()).rejects.toMatchObject({ code: 'http.reset' });
});

test('a stream whose only event is a chat ends in order', async () => {
  const { stream } = await streaming(sending(['chat', { id: 'c1' }]));
  expect(await all(stream)).toMatchObject([{ kind: 'chat', chat: { id: 'c1' } }]);
});

test.each([
  'completed',
  'canceled',
  'requires_action',
])('a chat that is %s needs no event after it', async (status) => {
  const { stream } = await streaming(sending(['chat', { id: 'c1', status }]));
  expect(await all(stream)).toMatchObject([{ chat: { status } }]);
});

test('the content type may be written in capitals', async () => {
  const { stream } = await streaming((response) => {
    response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=UTF-8' });
    response.end('event:done\ndata:"[DONE]"\n\n');
  });
  expect(await all(stream)).toEqual([{ kind: 'done', name: 'done' }]);
});

test('an event without end is cut off', async () => {
  const { stream } = await streaming((response) => {
    response.writeHead(200, EVENTS);
    response.write('data:');
    for (let i = 0; i < 20; i += 1) response.write('x'.repeat(100_000));
  });
  await expect(stream.next()).rejects.toMatchObject({ code: 'http.unexpected-answer' });
});

/** Writes pieces as the reader takes them, until it leaves. */
function endless(head: string, piece: string, type = 'text/event-stream'): Serve {
  return (response) => {
    response.writeHead(200, { 'content-type': type });
    response.write(head);
    const more = () => {
      while (!response.destroyed && response.write(piece)) {}
    };
    response.on('drain', more);
    more();
  };
}

const MIB = 1024 * 1024;

test.each([
  [
    'a stream',
    ': ',
    `${'y'.repeat(MIB / 4)}\n: `,
    'text/event-stream',
    'http.unexpected-answer',
    64 * MIB,
  ],
  ['an event', 'data: ', 'y'.repeat(MIB / 4), 'text/event-stream', 'http.unexpected-answer', MIB],
  ['a page', '<html>', 'y'.repeat(MIB / 4), 'text/html', 'http.unexpected-answer', MIB],
])('%s that does not end is one clear error', async (_, head, piece, type, code, most) => {
  const { stream } = await streaming(endless(head, piece, type));
  await expect(all(stream)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(
      new RegExp(`answer to POST /v3/chat must be at most ${most} bytes, got: more \\(`),
    ),
  });
});
