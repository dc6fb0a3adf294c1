import { expect, test } from 'vitest';
import type { VerifyOptions } from '../../../src/verify/model/options.js';
import { exitOf } from '../../../src/verify/model/verdict.js';
import { expectDiagnosis } from '../../support/explained.js';
import { type Handler, LOG_ID, type Reply, TOKEN } from '../../support/service-server.js';
import {
  check,
  createWorld,
  findingOf,
  outline,
  type World,
} from '../../support/verifiable-link.js';

const CHAT = { botId: 'bot-1', userId: 'user-1' } as const;
const REF = { id: 'chat-1', conversation_id: 'conversation-1' };
const MESSAGES = [
  { type: 'function_call', content: '{}' },
  { type: 'tool_response', content: 'x' },
  { type: 'answer', content: 'pong' },
  { type: 'verbose', content: '{"msg_type":"generate_answer_finish"}' },
  { type: 'follow_up', content: 'more?' },
  { type: 'something_new', content: '' },
];

interface Script {
  readonly statuses?: readonly string[];
  readonly messages?: readonly object[];
  readonly start?: ReturnType<Handler>;
  readonly list?: Reply;
  readonly lastError?: object;
  readonly retrieved?: object;
}

/** A service that holds a chat; its statuses come one at a poll, the last one again and again. */
function chatting(script: Script): Handler {
  const { statuses = ['completed'], messages = MESSAGES, start, list } = script;
  const { lastError, retrieved } = script;
  let polls = 0;
  const headers = { 'x-tt-logid': LOG_ID };
  const ok = (data: unknown): Reply => ({ headers, body: { code: 0, msg: '', data } });
  return ({ path, headers: sent }) => {
    if (!path.startsWith('/v3/') && !path.startsWith('/own/')) return undefined;
    if (sent.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: {} };
    if (path === '/v3/chat') return start ?? ok({ ...REF, status: 'created' });
    if (path.startsWith('/v3/chat/message/list')) return list ?? ok(messages);
    const status = statuses[Math.min(polls, statuses.length - 1)];
    polls += 1;
    return ok({ ...REF, ...retrieved, status, last_error: lastError });
  };
}

async function chat(script: Script, change: Partial<VerifyOptions> = {}) {
  const world = await createWorld();
  world.service.handler = chatting(script);
  return { world, verification: await check(world, { chat: CHAT, ...change }) };
}

function paths({ service }: World): string[] {
  return service.requests.map(({ method, path }) => `${method} ${path}`).slice(2);
}

test('a chat is started, waited for and read, over the one connection', async () => {
  const { world, verification } = await chat({ statuses: ['in_progress', 'completed'] });
  expect(outline(verification).at(-1)).toBe('chat passed');
  expect(findingOf(verification, 'chat')).toMatchObject({
    logId: LOG_ID,
    evidence: {
      chatId: 'chat-1',
      status: 'completed',
      polls: 2,
      messages: 6,
      answers: 1,
      answersComplete: true,
      types:
        'function_call ×1, tool_response ×1, answer ×1, verbose ×1, follow_up ×1, something_new ×1',
    },
  });
  const query = 'conversation_id=conversation-1&chat_id=chat-1';
  expect(paths(world)).toEqual([
    'POST /v3/chat',
    `GET /v3/chat/retrieve?${query}`,
    `GET /v3/chat/retrieve?${query}`,
    `GET /v3/chat/message/list?${query}`,
  ]);
  expect(world.service.count).toEqual({ connections: 1, handshakes: 1 });
  expect(JSON.stringify(verification)).not.toContain('pong');
});

test('the chat is saved, because it is read back, and the session is the user’s', async () => {
  const { world } = await chat({});
  const [start] = world.service.requests.filter(({ path }) => path === '/v3/chat');
  expect(JSON.parse(start?.body ?? '')).toEqual({
    bot_id: 'bot-1',
    user_id: 'user-1',
    stream: false,
    auto_save_history: true,
    additional_messages: [
      { role: 'user', type: 'question', content: 'ping', content_type: 'text' },
    ],
  });
  const jwt = world.service.requests[0]?.headers.authorization?.split('.')[1] ?? '';
  expect(JSON.parse(Buffer.from(jwt, 'base64url').toString()).session_name).toBe('user-1');
});

test('a session that is given stays', async () => {
  const world = await createWorld();
  world.service.handler = chatting({});
  const credentials = { ...world.options.credentials, sessionName: 'own' };
  await check(world, { chat: CHAT, credentials });
  const jwt = world.service.requests[0]?.headers.authorization?.split('.')[1] ?? '';
  expect(JSON.parse(Buffer.from(jwt, 'base64url').toString()).session_name).toBe('own');
});

test('path and method of retrieve-chat are settings', async () => {
  const { world, verification } = await chat(
    {},
    { chat: { ...CHAT, retrievePath: '/own/path', retrieveMethod: 'POST' } },
  );
  expect(outline(verification).at(-1)).toBe('chat passed');
  expect(paths(world)[1]).toMatch(/^POST \/own\/path\?/);
});

test('an unknown status means to keep waiting, until the time is over', async () => {
  const known = await chat({ statuses: ['pondering', 'completed'] });
  expect(outline(known.verification).at(-1)).toBe('chat passed');
  const never = await chat({ statuses: ['pondering'] }, { timeoutMs: 3_000 });
  expect(outline(never.verification).at(-1)).toBe('chat failed chat.timeout');
  expect(findingOf(never.verification, 'chat').evidence).toMatchObject({ status: 'pondering' });
  expect([never.verification.verdict, exitOf(never.verification)]).toEqual(['incomplete', 17]);
});

const refused = (code: number, status = 200): Reply => ({ status, body: { code, msg: 'no' } });

test.each<[why: string, script: Script, code: string, verdict: string]>([
  [
    'failed',
    { statuses: ['failed'], lastError: { code: 5000, msg: 'broken' } },
    'chat.failed',
    'incomplete',
  ],
  ['is canceled', { statuses: ['canceled'] }, 'chat.canceled', 'incomplete'],
  ['waits for a tool', { statuses: ['requires_action'] }, 'chat.requires-action', 'incomplete'],
  ['has no messages', { messages: [] }, 'chat.no-answer', 'incomplete'],
  [
    'has an empty answer',
    { messages: [{ type: 'answer', content: ' ' }] },
    'chat.no-answer',
    'incomplete',
  ],
  [
    'lists the question',
    { messages: [{ type: 'question', content: 'ping' }, ...MESSAGES] },
    'chat.question-listed',
    'incomplete',
  ],
  ['may not be started', { start: refused(4101) }, 'chat.permission', 'not-authorized'],
  ['may not be read', { list: refused(4101) }, 'chat.permission', 'not-authorized'],
  ['is refused the token', { start: refused(4100, 401) }, 'chat.token-rejected', 'not-authorized'],
  ['is limited', { start: refused(4013, 429) }, 'chat.rate-limited', 'incomplete'],
  ['is refused with a new code', { start: refused(9999) }, 'chat.unknown-error', 'incomplete'],
  ['meets a gateway', { start: { status: 502, body: 'bad' } }, 'chat.server-error', 'incomplete'],
  ['is another one', { retrieved: { id: 'chat-2' } }, 'chat.unexpected-answer', 'incomplete'],
  ['is no chat', { start: { body: { code: 0, msg: '' } } }, 'chat.unexpected-answer', 'incomplete'],
])('a chat that %s', async (_, script, code, verdict) => {
  const { verification } = await chat(script);
  expect(outline(verification).slice(-2)).toEqual(['workspaces passed', `chat failed ${code}`]);
  expect([verification.verdict, exitOf(verification)]).toEqual([verdict, 17]);
  expect(verification.links[0]?.ruledOut[0]?.text).toMatch(/network|route/);
});

test('a call that is lost in the chat is the provider’s matter, for the calls before it were answered', async () => {
  const { verification } = await chat({ start: 'silent' }, { timeoutMs: 3_000 });
  expectDiagnosis(verification, {
    fails: 'chat.call-lost',
    consistent: ['service.call-lost'],
    never: ['endpoint.no-target', 'path.filter', 'path.mtu', 'api.timeout', 'http.timeout'],
    ruledOut: [/network between here and the service/],
  });
});

test.each([
  [
    'text/event-stream; charset=utf-8',
    'event: conversation.chat.created\ndata: {"id":"1"}\n\n',
    [],
  ],
  ['text/event-stream', 'event:chat\ndata: {"id":"1"}\n\n', []],
  ['text/event-stream', 'event: tick\ndata: 1\n\n', ['path.gateway']],
])('a chat that %s answers with %j', async (type, body, causes) => {
  const start = { headers: { 'content-type': type }, body };
  const { verification } = await chat({ start });
  const { code, evidence } = findingOf(verification, 'chat');
  expect(code).toBe('chat.unexpected-answer');
  expect(evidence.problem).toMatch(/^a stream of events in place of JSON/);
  expect(evidence.sender).toMatch(/^not shown: .* adds an authority$/);
  expect(
    verification.links[0]?.causes.flatMap(({ code: cause }) =>
      /gateway$/.test(cause) ? cause : [],
    ),
  ).toEqual(causes);
});

test('why a chat failed is given in the service’s words', async () => {
  const { verification } = await chat({
    statuses: ['failed'],
    lastError: { code: 5000, msg: 'broken' },
  });
  expect(findingOf(verification, 'chat').evidence).toMatchObject({
    serviceCode: 5000,
    serviceMessage: 'broken',
  });
});

test('a chat is held only where it is asked for, and only when all before it passed', async () => {
  const world = await createWorld();
  expect(outline(await check(world)).at(-1)).toBe('workspaces passed');
  world.service.handler = ({ path }) =>
    path.startsWith('/v1') ? { body: { code: 4101, msg: 'no' } } : undefined;
  expect(outline(await check(world, { chat: CHAT })).at(-1)).toBe('chat skipped');
});
