import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.js';
import {
  type ChatEvent,
  createServiceClient,
  isAnswerComplete,
  Secret,
  type ServiceClient,
  type ServiceClientOptions,
  type TokenSource,
  type Workspace,
} from '../../src/service/index.js';
import { sandboxForTest } from '../sandbox/support.js';
import { API_HOST, APPLICATION, PKCS8 } from '../support/application.js';
import { type Reply, startService, TOKEN } from '../support/service-server.js';

/** A client of the sandbox's service over TLS. */
function clientOf(sandbox: Sandbox, sessionName?: string): ServiceClient {
  const { env, ports } = sandbox;
  const text = (name: string) => env[`SECURE_CONNECTIVITY_${name}`] ?? '';
  return kept({
    baseUrl: `https://127.0.0.1:${ports.https}`,
    tlsServerName: 'api.sandbox.example',
    ca: readFileSync(text('CA_FILE'), 'utf8'),
    credentials: {
      enterpriseId: text('ENTERPRISE_ID'),
      appId: text('APP_ID'),
      keyId: text('KEY_ID'),
      privateKey: readFileSync(text('PRIVATE_KEY_FILE'), 'utf8'),
      apiHost: 'api.sandbox.example',
      ...(sessionName !== undefined && { sessionName }),
    },
  });
}

function kept(options: ServiceClientOptions): ServiceClient {
  const client = createServiceClient(options);
  onTestFinished(() => client.close());
  return client;
}

async function onSandbox(options: Partial<SandboxOptions> = {}) {
  const sandbox = await sandboxForTest(options);
  return { sandbox, client: clientOf(sandbox, 'user-1') };
}

const START = {
  botId: 'bot',
  userId: 'user',
  messages: [{ role: 'user', content: 'hello' }],
  autoSaveHistory: true,
} as const;

test('a chat from its start to its messages', async () => {
  const { client } = await onSandbox({ chatPolls: 2 });
  const pauses: number[] = [];
  const chat = await client.startChat(START);
  const ended = await client.waitForChat(chat, {
    pause: async (ms) => {
      pauses.push(ms);
    },
  });
  const { messages } = await client.listMessages(chat);
  expect(ended.status).toBe('completed');
  expect(pauses).toEqual([1000, 1000]);
  // The specification lists no verbose message among those of this call.
  expect(messages.some(isAnswerComplete)).toBe(false);
  expect(messages.find(({ type }) => type === 'answer')?.content).toBe('You said: hello');
  expect(messages.some(({ type }) => type === 'question' || type === 'unknown')).toBe(false);
});

test('a streamed chat, whose ID serves the other calls', async () => {
  const { client } = await onSandbox({ chatPolls: 3 });
  let chat: { id: string; conversationId: string } | undefined;
  let text = '';
  let isComplete = false;
  for await (const event of client.streamChat(START)) {
    if (event.kind === 'chat') {
      const { id, conversationId = '' } = event.chat;
      chat ??= { id, conversationId };
    }
    if (event.kind === 'message' && event.isDelta) text += event.message.content ?? '';
    if (event.kind === 'message') isComplete ||= isAnswerComplete(event.message);
    expect(event.kind).not.toBe('unknown');
  }
  expect(isComplete).toBe(true);
  expect(text).toContain('You said: hello');
  expect(await client.retrieveChat(chat ?? { id: '', conversationId: '' })).toMatchObject({
    ...chat,
    status: 'completed',
  });
});

test('sessions do not see each other', async () => {
  const { client, sandbox } = await onSandbox();
  const chat = await client.startChat(START);
  await expect(clientOf(sandbox, 'user-2').retrieveChat(chat)).rejects.toMatchObject({
    code: 'api.not-found',
    serviceCode: '4200',
  });
});

test('workspaces come page by page, over one token', async () => {
  const { client } = await onSandbox();
  const found: Workspace[] = [];
  for await (const workspace of client.workspaces({ pageSize: 1 })) found.push(workspace);
  expect(found.map(({ name }) => name)).toEqual(['Agents', 'Trials']);
});

test('a permission that is missing is named with the log id', async () => {
  const { client, sandbox } = await onSandbox();
  sandbox.application.permissions = ['listWorkspace'];
  await expect(client.startChat(START)).rejects.toMatchObject({
    code: 'api.permission',
    serviceCode: '4101',
    httpStatus: 401,
    logId: expect.stringMatching(/^\d{14}/),
  });
});

test('many calls at once need one exchange', async () => {
  const service = await startService();
  const client = plain(service.port);
  const first = async () => (await client.workspaces().next()).value;
  expect(await Promise.all(Array.from({ length: 20 }, first))).toHaveLength(20);
  expect(service.requests.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1);
  expect(service.count.connections).toBeGreaterThan(1);
});

function plain(port: number, change: object = {}): ServiceClient {
  return kept({
    baseUrl: `http://127.0.0.1:${port}`,
    allowPlainHttp: true,
    credentials: { ...APPLICATION, apiHost: API_HOST, privateKey: PKCS8 },
    ...change,
  });
}

test('a token that has worked and is rejected is replaced once; one that never worked is not', async () => {
  const service = await startService();
  const client = plain(service.port);
  const list = () => client.workspaces().next();
  const calls = () =>
    service.requests.map(({ path }) => (path.endsWith('/token') ? 'token' : 'list'));
  const rejected = { status: 401, body: { code: 700012006, msg: 'access token invalid' } };
  let rejections = 1;
  await list();
  service.handler = ({ path }) => {
    if (path.endsWith('/token') || rejections === 0) return undefined;
    rejections -= 1;
    return rejected;
  };
  await list();
  expect(calls()).toEqual(['token', 'list', 'list', 'token', 'list']);
  service.requests.length = 0;
  rejections = 9;
  await expect(list()).rejects.toMatchObject({ code: 'api.token-rejected' });
  await expect(list()).rejects.toMatchObject({ code: 'api.token-rejected' });
  expect(calls()).toEqual(['list', 'token', 'list', 'token', 'list']);
});

const REJECTED = { status: 401, body: { code: 700012006, msg: 'access token invalid' } };

test('a poll that is sent again with a new token keeps the distance of polls', async () => {
  const service = await startService();
  const client = plain(service.port);
  await client.workspaces().next();
  const order: string[] = [];
  let rejections = 1;
  service.handler = ({ path }) => {
    if (path.endsWith('/token')) return undefined;
    order.push('poll');
    if (rejections-- > 0) return REJECTED;
    return { body: { code: 0, msg: '', data: { status: 'completed' } } };
  };
  const pause = async (ms: number) => order.push(`pause ${ms}`);
  await client.waitForChat({ id: 'c1', conversationId: 'v1' }, { pause });
  expect(order).toEqual(['poll', 'pause 1000', 'poll']);
});

function stream(...events: (readonly [string, unknown])[]): Reply {
  const body = events.map(([name, data]) => `event:${name}\ndata:${JSON.stringify(data)}\n\n`);
  return { headers: { 'content-type': 'text/event-stream' }, body: body.join('') };
}

async function kinds(events: AsyncIterable<ChatEvent>): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind } of events) found.push(kind);
  return found;
}

test('a stream replaces a token that has worked and is rejected once, before its first event only', async () => {
  const service = await startService();
  const client = plain(service.port);
  const calls = () =>
    service.requests.map(({ path }) => (path.endsWith('/token') ? 'token' : path.slice(0, 8)));
  let chats: readonly Reply[] = [REJECTED, stream(['chat', { id: 'c1' }], ['done', ''])];
  service.handler = ({ path }) => {
    if (path !== '/v3/chat') return undefined;
    const [reply = REJECTED, ...others] = chats;
    chats = others;
    return reply;
  };
  await client.workspaces().next();
  expect(await kinds(client.streamChat(START))).toEqual(['chat', 'done']);
  expect(calls().slice(2)).toEqual(['/v3/chat', 'token', '/v3/chat']);

  service.requests.length = 0;
  await expect(kinds(client.streamChat(START))).rejects.toMatchObject({
    code: 'api.token-rejected',
  });
  await expect(kinds(client.streamChat(START))).rejects.toMatchObject({
    code: 'api.token-rejected',
  });
  expect(calls()).toEqual(['/v3/chat', 'token', '/v3/chat', 'token', '/v3/chat']);
});

test('a token that is rejected in the middle of a stream is discarded, and the chat not repeated', async () => {
  const service = await startService();
  const client = plain(service.port);
  const cut = stream(['chat', { id: 'c1' }], ['error', { code: 4100, msg: 'token invalid' }]);
  service.handler = ({ path }) => (path === '/v3/chat' ? cut : undefined);
  const events = client.streamChat(START);
  expect(await events.next()).toMatchObject({ value: { kind: 'chat' } });
  await expect(events.next()).rejects.toMatchObject({ code: 'api.token-rejected' });
  await client.workspaces().next();
  expect(service.requests.map(({ path }) => path.split('/').at(-1)?.slice(0, 10))).toEqual([
    'token',
    'chat',
    'token',
    'workspaces',
  ]);
});

test('a stream that is left after its first event lets its connection go', async () => {
  const { client } = await onSandbox();
  const events = client.streamChat(START);
  await events.next();
  await events.return();
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect((await client.startChat(START)).status).toBeDefined();
});

test('nothing is sent for a chat that the service would refuse, not even for a token', async () => {
  const service = await startService();
  const client = plain(service.port);
  const wrong = { ...START, botId: '' };
  await expect(client.startChat(wrong)).rejects.toMatchObject({ code: 'usage.invalid' });
  await expect(client.streamChat(wrong).next()).rejects.toMatchObject({ code: 'usage.invalid' });
  expect(service.requests).toEqual([]);
});

test('method and path of retrieve-chat are settings', async () => {
  const service = await startService();
  const client = plain(service.port, { retrieve: { method: 'POST', path: '/v3/chat/state' } });
  service.handler = ({ path }) =>
    path.endsWith('/token')
      ? undefined
      : { body: { code: 0, msg: '', data: { status: 'completed' } } };
  await client.waitForChat({ id: 'c', conversationId: 'v' });
  expect(service.requests.at(-1)).toMatchObject({
    method: 'POST',
    path: '/v3/chat/state?conversation_id=v&chat_id=c',
  });
});

test('takes tokens of a source that others use too', async () => {
  const service = await startService();
  const token = { value: new Secret(TOKEN), expiresAt: 0, lifetimeSeconds: 0 };
  const tokens: TokenSource = { token: async () => token, discard: () => undefined };
  const client = plain(service.port, { tokens, credentials: undefined });
  expect((await client.workspaces().next()).value).toEqual({ id: 'w1', name: 'First' });
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`]);
});

test('shows no secret of its own', async () => {
  const { port } = await startService();
  expect(inspect(plain(port), { depth: 9, showHidden: true })).not.toContain('PRIVATE KEY');
});

test.each([
  ['http://127.0.0.1:1', {}, '`allowPlainHttp`'],
  ['https://api.service.example/v1', {}, 'scheme, host and port only'],
  ['https://user:secret@api.service.example', {}, 'only, got: "https://…@api.service.example"'],
  ['https://user: secret@@api.service.example', {}, 'only, got: "https://…@api.service.example"'],
  ['ftp://api.service.example', { allowPlainHttp: true }, 'scheme, host and port only'],
  ['api.service.example', {}, 'scheme, host and port only'],
])('refuses the base URL %s', (baseUrl, more, message) => {
  const credentials = { ...APPLICATION, apiHost: API_HOST, privateKey: PKCS8 };
  expect(() => createServiceClient({ baseUrl, credentials, ...more })).toThrow(message);
});
