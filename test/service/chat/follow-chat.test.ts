import { expect, onTestFinished, test } from 'vitest';
import {
  connectService,
  Secret,
  type WaitOptions,
  waitForChat,
} from '../../../src/service/index.js';
import { type Reply, startService, TOKEN } from '../../support/service-server.js';

const CHAT = { id: 'c1', conversationId: 'v1' };

function status(name: string | undefined, more: object = {}): Reply {
  return {
    body: { code: 0, msg: '', data: { id: 'c1', conversation_id: 'v1', status: name, ...more } },
  };
}

/** Waits against a service that gives the replies one by one, and the last one for good. */
async function waiting(replies: (Reply | 'reset')[], options: WaitOptions = {}) {
  const service = await startService();
  const connection = connectService(`http://127.0.0.1:${service.port}`);
  onTestFinished(() => connection.close());
  service.handler = () => (replies.length > 1 ? replies.shift() : replies[0]);
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
  };
  const wait = waitForChat(connection, new Secret(TOKEN), CHAT, { pause, ...options });
  return { service, wait: wait.catch((error: unknown) => error), pauses };
}

test('polls until completed, at most once a second; an unknown status means to wait', async () => {
  const seen: unknown[] = [];
  const onPoll: WaitOptions['onPoll'] = (chat) => seen.push(chat.status);
  const replies = ['created', 'in_progress', 'queued_somewhere', undefined, 'completed'];
  const { wait, pauses, service } = await waiting(
    replies.map((each) => status(each)),
    { onPoll },
  );
  expect(await wait).toMatchObject({ ...CHAT, status: 'completed' });
  expect(seen).toEqual(replies);
  expect(pauses).toEqual([1000, 1000, 1000, 1000]);
  expect(service.requests).toHaveLength(5);
});

test.each([
  ['failed', 'chat.failed'],
  ['canceled', 'chat.failed'],
  ['requires_action', 'chat.failed'],
  ['required_action', 'chat.failed'],
])('ends at once when the chat is %s', async (name, code) => {
  const { wait, service } = await waiting([status(name, { last_error: { code: 7, msg: 'why' } })]);
  const error = await wait;
  expect(error).toMatchObject({ code, chat: { status: name } });
  expect(String(error)).toContain('why');
  expect(service.requests).toHaveLength(1);
});

test('bears transient failures, and waits as long as the service asks for', async () => {
  const limited = { status: 429, headers: { 'retry-after': '7' }, body: { code: 4013, msg: '' } };
  const lost = ['reset', 'reset'] as const; // the second where the call is repeated
  const replies = [limited, ...lost, status('in_progress'), limited, status('completed')];
  const { wait, pauses } = await waiting(replies);
  expect(await wait).toMatchObject({ status: 'completed' });
  // The second is before the call that is repeated over a new connection.
  expect(pauses).toEqual([7000, 1000, 1000, 1000, 7000]);
});

test('three failures in a row, or a final one, end the wait', async () => {
  const three = await waiting([{ status: 503, body: 'down' }]);
  expect(await three.wait).toMatchObject({ code: 'http.server-error', httpStatus: 503 });
  expect(three.service.requests).toHaveLength(3);
  const final = await waiting([{ status: 401, body: { code: 4101, msg: 'no permission' } }]);
  expect(await final.wait).toMatchObject({ code: 'api.permission' });
  expect(final.service.requests).toHaveLength(1);
});

test('ends with its time, and says how the chat stood', async () => {
  const pause = (_: number, signal: AbortSignal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', reject, { once: true }));
  const { wait } = await waiting([status('in_progress')], { timeoutMs: 1_500, pause });
  const error = await wait;
  expect(error).toMatchObject({ code: 'chat.failed', chat: { status: 'in_progress' } });
  expect(String(error)).toContain('"in_progress"');
});

test('ends with its signal, during the pause of its own', async () => {
  const controller = new AbortController();
  const { wait, service } = await waiting([status('in_progress')], {
    signal: controller.signal,
    pause: undefined,
    onPoll: () => setImmediate(() => controller.abort(new Error('enough'))),
  });
  expect(await wait).toMatchObject({ message: 'enough' });
  expect(service.requests).toHaveLength(1);
});

test('refuses to poll more than once a second', async () => {
  const { wait, service } = await waiting([status('created')], { intervalMs: 999 });
  expect(await wait).toMatchObject({ code: 'usage.invalid' });
  expect(service.requests).toEqual([]);
});
