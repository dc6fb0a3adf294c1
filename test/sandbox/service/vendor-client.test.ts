import { ChatEventType, ChatStatus, CozeAPI, RoleType } from '@coze/api';
import { expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { API_HOST } from '../../../src/sandbox/surroundings.js';
import { connectService, createTokenSource } from '../../../src/service/index.js';
import { loadPrivateKey } from '../../../src/service/token/load-private-key.js';
import { sandboxForTest } from '../support.js';

/** The vendor's own client, with a token that the client of this package has got. */
async function vendorClient(sandbox: Sandbox): Promise<CozeAPI> {
  const { env, ports } = sandbox;
  const baseURL = `http://127.0.0.1:${ports.http}`;
  const connection = connectService(baseURL);
  onTestFinished(() => connection.close());
  const { key } = await loadPrivateKey(env.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE ?? '');
  const tokens = createTokenSource(connection, {
    apiHost: API_HOST,
    enterpriseId: env.SECURE_CONNECTIVITY_ENTERPRISE_ID ?? '',
    appId: env.SECURE_CONNECTIVITY_APP_ID ?? '',
    keyId: env.SECURE_CONNECTIVITY_KEY_ID ?? '',
    privateKey: key,
    sessionName: 'user-1',
  });
  return new CozeAPI({ baseURL, token: (await tokens.token()).value.reveal() });
}

const CHAT = {
  bot_id: 'bot-1',
  user_id: 'user-1',
  additional_messages: [{ role: RoleType.User, content: 'hello', content_type: 'text' as const }],
};

test('lists the workspaces', async () => {
  const client = await vendorClient(await sandboxForTest());
  const { workspaces, total_count } = await client.workspaces.list({ page_num: 1, page_size: 20 });
  expect([workspaces.map(({ name }) => name), total_count]).toEqual([['Agents', 'Trials'], 2]);
});

test('holds a chat, polls it and reads its messages', async () => {
  const client = await vendorClient(await sandboxForTest({ chatPolls: 1 }));
  const { chat, messages } = await client.chat.createAndPoll({ ...CHAT, auto_save_history: true });
  expect(chat.status).toBe(ChatStatus.COMPLETED);
  const answers = messages?.filter(({ type }) => type === 'answer').map(({ content }) => content);
  expect(answers).toContain('You said: hello');
  const listed = await client.chat.messages.list(chat.conversation_id, chat.id);
  expect(listed.map(({ id }) => id)).toEqual(messages?.map(({ id }) => id));
});

test('streams a chat to its end', async () => {
  const client = await vendorClient(await sandboxForTest());
  const names: string[] = [];
  let said = '';
  for await (const event of client.chat.stream(CHAT)) {
    names.push(event.event);
    if (event.event === ChatEventType.CONVERSATION_MESSAGE_DELTA) said += event.data.content;
  }
  expect(said).toContain('You said: hello');
  expect(names[0]).toBe(ChatEventType.CONVERSATION_CHAT_CREATED);
  expect(names.slice(-2)).toEqual([ChatEventType.CONVERSATION_CHAT_COMPLETED, ChatEventType.DONE]);
});

test('is refused what the service refuses', async () => {
  const client = await vendorClient(await sandboxForTest({ chatPolls: 1 }));
  const chat = await client.chat.create({ ...CHAT, auto_save_history: false });
  await expect(client.chat.retrieve(chat.conversation_id, chat.id)).rejects.toMatchObject({
    code: 4200,
  });
});
