import { expect, onTestFinished, test } from 'vitest';
import {
  type ChatInput,
  type ChatStart,
  connectService,
  isAnswerComplete,
  listMessages,
  retrieveChat,
  Secret,
  startChat,
} from '../../../src/service/index.js';
import { LOG_ID, startService, TOKEN } from '../../support/service-server.js';

const CHAT = { id: 'chat 1', conversationId: 'conversation/1' };
const START: ChatStart = { botId: 'bot', userId: 'user' };
const token = new Secret(TOKEN);

async function connected() {
  const service = await startService();
  const connection = connectService(`http://127.0.0.1:${service.port}`);
  onTestFinished(() => connection.close());
  const answer = (data: unknown, more: object = {}) => {
    service.handler = () => ({
      headers: { 'x-tt-logid': LOG_ID },
      body: { code: 0, msg: '', data, ...more },
    });
  };
  return { service, connection, answer };
}

test('starts a chat by the specified request', async () => {
  const { service, connection, answer } = await connected();
  answer({ id: 'c1', conversation_id: 'v1', bot_id: 'bot', status: 'in_progress', created_at: 7 });
  const messages: ChatInput[] = [
    { role: 'user', content: 'hello' },
    { role: 'user', content: '[]', contentType: 'object_string', type: 'question' },
    { role: 'assistant', content: '{}', type: 'tool_output' },
  ];
  const start = { ...START, messages, conversationId: 'v 1', autoSaveHistory: false };
  const chat = await startChat(connection, token, { ...start, more: { extra: 1 } });
  expect(chat).toEqual({
    id: 'c1',
    conversationId: 'v1',
    botId: 'bot',
    status: 'in_progress',
    createdAt: 7,
    logId: LOG_ID,
  });
  expect(service.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v3/chat?conversation_id=v+1',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  });
  expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
    bot_id: 'bot',
    user_id: 'user',
    stream: false,
    auto_save_history: false,
    additional_messages: [
      { role: 'user', content: 'hello', content_type: 'text' },
      { role: 'user', content: '[]', content_type: 'object_string', type: 'question' },
      { role: 'assistant', content: '{}', content_type: 'text', type: 'tool_output' },
    ],
    extra: 1,
  });
});

test('sends nothing that was not set', async () => {
  const { service, connection, answer } = await connected();
  answer({ id: 'c1', conversation_id: 'v1' });
  await startChat(connection, token, START);
  expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
    bot_id: 'bot',
    user_id: 'user',
    stream: false,
  });
  expect(service.requests[0]?.path).toBe('/v3/chat');
});

function saying(message: object): object {
  return { messages: [{ role: 'user', content: 'x', ...message }] };
}

test.each<[string, object]>([
  ['`botId`', { botId: '' }],
  ['`userId`', { userId: ' ' }],
  ['`conversationId`', { conversationId: '' }],
  ['`additional_messages`', { more: { additional_messages: [] } }],
  ['`stream`', { more: { stream: true } }],
  ['`more`', { more: { big: 1n } }],
  ['`messages`', { messages: 'hi' }],
  ['`messages`', { messages: null }],
  ['`messages[0].role`', { messages: [null] }],
  ['`messages[0].contentType`', saying({ contentType: 'card' })],
  ['`messages[0].role`', saying({ role: 'system' })],
  ['`messages[0].content`', saying({ content: { text: 'x' } })],
  ['`messages[0].type`', saying({ type: 'verbose' })],
  ['`messages[0].type`', { ...saying({ type: 'follow_up' }), autoSaveHistory: false }],
  ['`messages[0].type`', saying({ role: 'assistant', type: 'question' })],
  ['`messages[0].type`', saying({ type: 'function_call' })],
  ['`messages[0].type`', { ...saying({ type: 'tool_response' }), autoSaveHistory: true }],
])('refuses, before anything is sent, a wrong %s', async (field, change) => {
  const { service, connection } = await connected();
  const started = startChat(connection, token, { ...START, ...change });
  await expect(started).rejects.toMatchObject({ code: 'usage.invalid' });
  await expect(started).rejects.toThrow(field);
  expect(service.requests).toEqual([]);
});

test.each<object>([
  { ...saying({ type: 'answer' }), autoSaveHistory: true },
  { ...saying({ role: 'assistant', type: 'answer' }), autoSaveHistory: true },
  { ...saying({ role: 'assistant', type: 'tool_response' }), autoSaveHistory: false },
])('takes %j', async (change) => {
  const { connection, answer } = await connected();
  answer({ id: 'c1', conversation_id: 'v1' });
  await expect(startChat(connection, token, { ...START, ...change })).resolves.toBeDefined();
});

const SECRET = { password: 'hidden-value' };

test.each([
  ['', '""'],
  [' ', '" "'],
  [7, '7'],
  [7n, '7'],
  [undefined, 'nothing'],
  [SECRET, 'an object'],
  [[SECRET], 'a list'],
  [() => SECRET, 'a function'],
])('refuses the ID %s of a chat, and says what it got', async (id, got) => {
  const { service, connection } = await connected();
  const call = retrieveChat(connection, token, { ...CHAT, id: id as unknown as string });
  await expect(call).rejects.toThrow(
    new RegExp(`^\`id\` of the chat must be a text that is not empty, got: ${got}$`),
  );
  expect(service.requests).toEqual([]);
});

test('retrieves a chat with GET, or by the method and path that are set', async () => {
  const { service, connection, answer } = await connected();
  const error = { code: 5000, msg: 'broken\u001b[31m' };
  answer({ status: 'failed', last_error: error, usage: { token_count: 3 }, required_action: {} });
  expect(await retrieveChat(connection, token, CHAT)).toEqual({
    ...CHAT,
    status: 'failed',
    lastError: { code: 5000, message: 'broken [31m' },
    usage: { total: 3 },
    requiredAction: {},
    logId: LOG_ID,
  });
  await retrieveChat(connection, token, CHAT, { method: 'POST', path: '/v4/chat/state' });
  const query = 'conversation_id=conversation%2F1&chat_id=chat+1';
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /v3/chat/retrieve?${query}`,
    `POST /v4/chat/state?${query}`,
  ]);
});

test.each([
  '//elsewhere.example/x',
  'https://elsewhere.example/',
  '/x?y',
  'x',
])('refuses the path %s', async (path) => {
  const { service, connection } = await connected();
  const call = retrieveChat(connection, token, CHAT, { path });
  await expect(call).rejects.toMatchObject({ code: 'usage.invalid' });
  expect(service.requests).toEqual([]);
});

test('lists the messages of every type, and of types that are not known yet', async () => {
  const { service, connection, answer } = await connected();
  const finish = JSON.stringify({ msg_type: 'generate_answer_finish', data: '' });
  answer([
    { type: 'function_call', content: '{}', role: 'assistant', chat_id: 'c', bot_id: 'b' },
    { type: 'tool_output' },
    { type: 'tool_response' },
    {
      id: 'm',
      conversation_id: 'v',
      section_id: 's',
      type: 'answer',
      content: 'hi',
      content_type: 'text',
      meta_data: { a: 'b' },
      created_at: 1,
      updated_at: 2,
      reasoning_content: 'hm',
    },
    { type: 'verbose', content: finish },
    { type: 'verbose', content: 'not JSON' },
    { type: 'follow_up', content: '' },
    { type: 'knowledge', content: 'new' },
    'nonsense',
  ]);
  const { messages, logId } = await listMessages(connection, token, CHAT);
  expect(logId).toBe(LOG_ID);
  expect(messages).toEqual([
    { type: 'function_call', content: '{}', role: 'assistant', chatId: 'c', botId: 'b' },
    { type: 'tool_output' },
    { type: 'tool_response' },
    {
      id: 'm',
      conversationId: 'v',
      sectionId: 's',
      type: 'answer',
      content: 'hi',
      contentType: 'text',
      metaData: { a: 'b' },
      createdAt: 1,
      updatedAt: 2,
      reasoningContent: 'hm',
    },
    { type: 'verbose', content: finish, messageType: 'generate_answer_finish' },
    { type: 'verbose', content: 'not JSON' },
    { type: 'follow_up', content: '' },
    { type: 'unknown', serviceType: 'knowledge', content: 'new' },
    { type: 'unknown', serviceType: '' },
  ]);
  expect(messages.map(isAnswerComplete).indexOf(true)).toBe(4);
  expect(messages.filter(isAnswerComplete)).toHaveLength(1);
  expect(service.requests[0]).toMatchObject({
    method: 'GET',
    path: '/v3/chat/message/list?conversation_id=conversation%2F1&chat_id=chat+1',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '',
  });
});

test('no messages are an empty list', async () => {
  const { connection, answer } = await connected();
  answer(null);
  expect((await listMessages(connection, token, CHAT)).messages).toEqual([]);
});

test('a success without what the call is for is named as such', async () => {
  const { connection, answer } = await connected();
  answer({ status: 'created' });
  await expect(startChat(connection, token, START)).rejects.toMatchObject({
    code: 'http.unexpected-answer',
    logId: LOG_ID,
  });
  for (const data of ['messages', undefined]) {
    answer(data);
    await expect(listMessages(connection, token, CHAT)).rejects.toMatchObject({
      code: 'http.unexpected-answer',
    });
  }
});

test.each([
  [401, 4100, 'authentication is invalid', 'api.token-rejected'],
  [401, 700012006, 'access token invalid', 'api.token-rejected'],
  [401, 4101, 'the app has no permission', 'api.permission'],
  [401, 4101, 'the token you entered is incorrect', 'api.token-rejected'],
  [200, 4013, 'too many requests', 'http.rate-limited'],
  [400, 4000, 'invalid request', 'api.invalid-request'],
  [404, 4200, 'no such chat', 'api.not-found'],
  [200, 777, 'who knows', 'api.unknown-error'],
])('HTTP %i with code %i, "%s", is %s', async (status, code, msg, expected) => {
  const { service, connection } = await connected();
  const detail = { logid: 'log-2' };
  service.handler = () => ({ status, body: { code, msg, detail } });
  await expect(listMessages(connection, token, CHAT)).rejects.toMatchObject({
    code: expected,
    serviceCode: String(code),
    serviceMessage: msg,
    logId: 'log-2',
    httpStatus: status,
  });
});

test('what is not the service, a redirect and a long body are named', async () => {
  const { service, connection } = await connected();
  service.handler = () => ({ body: '<h1>It works!</h1>' });
  const call = () => retrieveChat(connection, token, CHAT);
  await expect(call()).rejects.toMatchObject({ code: 'http.unexpected-answer' });
  const location = `http://127.0.0.1:${service.port}/elsewhere`;
  service.handler = () => ({ status: 302, headers: { location } });
  await expect(call()).rejects.toMatchObject({
    code: 'http.unexpected-answer',
    message: expect.stringContaining(`location ${location}`),
  });
  service.handler = () => ({ body: 'x'.repeat(1_100_000) });
  await expect(call()).rejects.toMatchObject({ code: 'http.unexpected-answer' });
  expect(service.requests).toHaveLength(3);
});
