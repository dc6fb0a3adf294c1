import { describe, expect, inject, test } from 'vitest';
import { addKey } from '../../../src/sandbox/service/application.js';
import { sandboxForTest } from '../support.js';
import { ApiClient } from './api-client.js';
import { Client } from './client.js';

const KEY = inject('applicationKey');
const OTHER_KEY = inject('foreignKey');

describe('a change in the console', () => {
  test('of the keys takes effect on the next token call: a second key works beside the first, a deleted one does not', async () => {
    const sandbox = await sandboxForTest();
    const client = new Client(sandbox);
    const pem = OTHER_KEY;
    const { application } = sandbox;
    const { keys: first } = application;
    const { kid } = addKey(application, pem);
    expect((await client.token(client.jwt({}, { kid }, pem))).status).toBe(200);
    expect((await client.token()).status).toBe(200);
    application.keys = first;
    expect((await client.token(client.jwt({}, { kid }, pem))).body).toMatchObject({
      error_message: 'invalid jwt: kid not been registred',
    });
  });

  test('of the keys is refused for a fourth key pair', async () => {
    const { application } = await sandboxForTest();
    addKey(application, KEY);
    addKey(application, OTHER_KEY);
    expect(() => addKey(application, KEY)).toThrow('at most 3 key pairs');
    expect(application.keys).toHaveLength(3);
  });

  test('of the permissions on the next API call', async () => {
    const sandbox = await sandboxForTest();
    const client = new ApiClient(sandbox);
    const query = { conversation_id: '1', chat_id: '1' };
    const calls = {
      listWorkspace: () => client.get('/v1/workspaces'),
      chat: () => client.post('/v3/chat', { bot_id: 'b', user_id: 'u' }),
      getChat: () => client.get('/v3/chat/retrieve', query),
      listMessage: () => client.get('/v3/chat/message/list', query),
    } as const;
    const refused = async () => {
      const answers = await Promise.all(
        Object.entries(calls).map(async ([name, call]) => ({ name, answer: await call() })),
      );
      return answers.filter(({ answer }) => answer.body.code === 4101);
    };
    expect(await refused()).toEqual([]);
    sandbox.application.permissions = ['listWorkspace', 'getChat', 'listMessage'];
    const without = await refused();
    expect(without.map(({ name }) => name)).toEqual(['chat', 'listMessage']);
    expect(without[1]?.answer.body.msg).toBe('the token has no permission: chat');
    sandbox.application.permissions = ['listWorkspace', 'chat', 'getChat'];
    expect((await refused()).map(({ name }) => name)).toEqual(['listMessage']);
    sandbox.application.permissions = ['listWorkspace', 'chat', 'getChat', 'listMessage'];
    expect(await refused()).toEqual([]);
  });
});

test('the fault not-authorized leaves the token call alone', async () => {
  const sandbox = await sandboxForTest({ faults: ['not-authorized'] });
  expect((await new Client(sandbox).token()).status).toBe(200);
  expect(await new ApiClient(sandbox).get('/v1/workspaces')).toMatchObject({
    status: 401,
    body: { code: 4101, msg: 'the token has no permission: listWorkspace' },
  });
});

test.each([
  [{ session_name: 7 }, 'session_name must be a string'],
  [{ session_context: 'device' }, 'session_context is malformed'],
  [{ session_context: { device_info: { device_id: 7 } } }, 'session_context is malformed'],
])('a JWT with %j is refused', async (claims, reason) => {
  const client = new Client(await sandboxForTest());
  expect((await client.token(client.jwt(claims))).body).toMatchObject({
    error_code: 'invalid_client',
    error_message: `invalid jwt: ${reason}`,
  });
});

test('a JWT may name session and device', async () => {
  const client = new Client(await sandboxForTest());
  const device_info = { device_id: 'device-1', custom_consumer: 'user-1' };
  const jwt = client.jwt({ session_name: 'user-1', session_context: { device_info } });
  expect((await client.token(jwt)).status).toBe(200);
});
