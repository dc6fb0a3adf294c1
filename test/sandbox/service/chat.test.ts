import { describe, expect, test } from 'vitest';
import { sandboxForTest } from '../support.js';
import { ApiClient } from './api-client.js';
import type { Answer } from './client.js';

const CHAT = '/v3/chat';
const RETRIEVE = '/v3/chat/retrieve';
const MESSAGES = '/v3/chat/message/list';

function start(text = 'hello', more: object = {}) {
  const message = { role: 'user', content: text, content_type: 'text' };
  return { bot_id: 'bot', user_id: 'user', additional_messages: [message], ...more };
}

function refOf({ body }: Answer): { conversation_id: string; chat_id: string } {
  const data = body.data as { id: string; conversation_id: string };
  return { conversation_id: data.conversation_id, chat_id: data.id };
}

function messagesIn({ body }: Answer): { id: string; type: string; content: string }[] {
  return body.data as { id: string; type: string; content: string }[];
}

describe('a chat', () => {
  test('is in progress for so many polls, and then completed', async () => {
    const client = new ApiClient(await sandboxForTest({ chatPolls: 2 }));
    const started = await client.post(CHAT, start());
    expect(started).toMatchObject({
      status: 200,
      body: {
        code: 0,
        msg: '',
        data: { bot_id: 'bot', status: 'in_progress', created_at: expect.any(Number) },
        detail: { logid: started.headers['x-tt-logid'] },
      },
    });
    const ref = refOf(started);
    const statuses: unknown[] = [];
    for (let i = 0; i < 4; i += 1) {
      const { body } = await client.get(RETRIEVE, ref);
      statuses.push((body.data as { status: string }).status);
    }
    expect(statuses).toEqual(['in_progress', 'in_progress', 'completed', 'completed']);
  });

  test('lists the types of messages that the specification names, and before its end only some', async () => {
    const client = new ApiClient(await sandboxForTest({ chatPolls: 0 }));
    const early = new ApiClient(await sandboxForTest({ chatPolls: 1 }));
    const all = await client.get(MESSAGES, refOf(await client.post(CHAT, start('hello'))));
    expect(messagesIn(all).map(({ type }) => type)).toEqual([
      'function_call',
      'tool_response',
      'answer',
      'answer',
      'follow_up',
    ]);
    expect(messagesIn(all).some(({ content }) => content === 'hello')).toBe(false);
    expect(messagesIn(all)[2]).toMatchObject({
      role: 'assistant',
      content: 'You said: hello',
      content_type: 'text',
      reasoning_content: expect.any(String),
      chat_id: expect.stringMatching(/^\d{19}$/),
    });
    const some = await early.get(MESSAGES, refOf(await early.post(CHAT, start())));
    expect(messagesIn(some).map(({ type }) => type)).not.toContain('answer');
  });

  test('gives its messages the same IDs in every list', async () => {
    const client = new ApiClient(await sandboxForTest({ chatPolls: 0 }));
    const ref = refOf(await client.post(CHAT, start()));
    const ids = async () => messagesIn(await client.get(MESSAGES, ref)).map(({ id }) => id);
    const first = await ids();
    expect(await ids()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  });

  test('streams its events, and is completed then', async () => {
    const client = new ApiClient(await sandboxForTest({ chatPolls: 5 }));
    const { headers, text } = await client.post(CHAT, start('one two', { stream: true }));
    expect(headers['content-type']).toBe('text/event-stream');
    const events = text
      .trim()
      .split('\n\n')
      .map((block) => /^event:(.+)\ndata:(.+)$/.exec(block)?.slice(1) ?? []);
    const names = events.map(([name]) => name);
    expect(names[0]).toBe('conversation.chat.created');
    expect(names.at(-2)).toBe('conversation.chat.completed');
    expect(events.at(-1)).toEqual(['done', '"[DONE]"']);
    const created = JSON.parse(events[0]?.[1] ?? '') as { id: string; conversation_id: string };
    const deltas = events.filter(([name]) => name === 'conversation.message.delta');
    const text1 = deltas.map(([, data]) => (JSON.parse(data ?? '') as { content: string }).content);
    expect(text1.join('')).toContain('You said: one two');
    const ref = { conversation_id: created.conversation_id, chat_id: created.id };
    expect((await client.get(RETRIEVE, ref)).body).toMatchObject({ data: { status: 'completed' } });
  });

  test.each([
    ['bot_id', { bot_id: '' }],
    ['user_id', { user_id: undefined }],
    ['stream', { stream: 'yes' }],
    ['auto_save_history', { auto_save_history: 1 }],
    ['additional_messages', { additional_messages: {} }],
    ['additional_messages.role', message({ role: 'system' })],
    ['additional_messages.content_type', message({ content_type: 'card' })],
    ['additional_messages.type', message({ type: 'follow_up' })],
    ['additional_messages.type', message({ type: 'function_call' })],
    ['additional_messages.type', message({ type: 'question', role: 'assistant' })],
  ])('names the wrong %s', async (field, change) => {
    const client = new ApiClient(await sandboxForTest());
    expect(await client.post(CHAT, start('x', change))).toMatchObject({
      status: 400,
      body: { code: 4000, msg: `invalid request: ${field}` },
    });
  });

  test('may start with results of tools where the history is not saved', async () => {
    const client = new ApiClient(await sandboxForTest());
    const change = { ...message({ type: 'tool_output' }), auto_save_history: false };
    expect((await client.post(CHAT, start('x', change))).status).toBe(200);
  });
});

function message(change: object) {
  return { additional_messages: [{ role: 'user', content: 'x', content_type: 'text', ...change }] };
}

describe('a session', () => {
  test('has its conversations and chats for itself', async () => {
    const sandbox = await sandboxForTest();
    const [first, second] = [new ApiClient(sandbox, 'user-1'), new ApiClient(sandbox, 'user-2')];
    const ref = refOf(await first.post(CHAT, start()));
    for (const path of [RETRIEVE, MESSAGES]) {
      expect(await second.get(path, ref)).toMatchObject({ status: 404, body: { code: 4200 } });
      expect((await new ApiClient(sandbox, 'user-1').get(path, ref)).status).toBe(200);
      expect((await new ApiClient(sandbox).get(path, ref)).status).toBe(404);
    }
    const { conversation_id } = ref;
    expect((await second.post(CHAT, start(), { conversation_id })).body.code).toBe(4200);
  });

  test('without a name is mixed with all that have none', async () => {
    const sandbox = await sandboxForTest();
    const ref = refOf(await new ApiClient(sandbox).post(CHAT, start()));
    expect((await new ApiClient(sandbox).get(RETRIEVE, ref)).status).toBe(200);
  });

  test('remembers what was asked before, unless the history is not saved', async () => {
    const client = new ApiClient(await sandboxForTest({ chatPolls: 0 }), 'user-1');
    const { conversation_id } = refOf(await client.post(CHAT, start('a')));
    const turnOf = async () => {
      const ref = refOf(await client.post(CHAT, start('b'), { conversation_id }));
      return messagesIn(await client.get(MESSAGES, ref))[3]?.content;
    };
    expect(await turnOf()).toBe('That was question 2 of this conversation.');
    await client.post(CHAT, start('c', { auto_save_history: false }), { conversation_id });
    expect(await turnOf()).toBe('That was question 3 of this conversation.');
  });
});

test('a chat that was not saved can be streamed but not read back', async () => {
  const client = new ApiClient(await sandboxForTest({ chatPolls: 0 }));
  const unsaved = { auto_save_history: false };
  const ref = refOf(await client.post(CHAT, start('a', unsaved)));
  for (const path of [RETRIEVE, MESSAGES]) {
    expect(await client.get(path, ref)).toMatchObject({ status: 404, body: { code: 4200 } });
  }
  const { text } = await client.post(CHAT, start('a', { ...unsaved, stream: true }));
  expect(text).toContain('You said:');
});

test('a conversation takes no second chat while one is in progress', async () => {
  const client = new ApiClient(await sandboxForTest({ chatPolls: 1 }));
  const ref = refOf(await client.post(CHAT, start('a')));
  const again = () => client.post(CHAT, start('b'), { conversation_id: ref.conversation_id });
  expect(await again()).toMatchObject({ status: 400, body: { code: 4000 } });
  await client.get(RETRIEVE, ref);
  expect((await again()).status).toBe(200);
});

test.each([
  ['[{"type":"text","text":"what is this?"},{"type":"image","file_id":"7"}]', 200],
  ['[{"type":"file","file_url":"https://files.example/a"}]', 200],
  ['what is this?', 400],
  ['{"type":"text","text":"x"}', 400],
  ['[]', 400],
  ['[{"type":"text"}]', 400],
  ['[{"type":"image"}]', 400],
  ['[{"type":"card","file_id":"7"}]', 400],
])('content %s as object_string is answered %i', async (content, status) => {
  const client = new ApiClient(await sandboxForTest());
  const body = start('x', message({ content, content_type: 'object_string' }));
  expect((await client.post(CHAT, body)).status).toBe(status);
});
