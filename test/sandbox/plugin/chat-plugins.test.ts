import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/sandbox/listeners/listen.js';
import { askConsole } from '../../../src/sandbox/plugin/console-client.js';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { Client } from '../service/client.js';
import {
  buildBalancer,
  buildNetwork,
  buildService,
  CONNECTION,
  GROUP,
  rule,
  sandboxForTest,
} from '../support.js';

const HEADER = 'x-aiplugin-connector-identifier';

/** A backend that keeps whom it was called for, and from where. */
async function seeingBackend() {
  const seen: (readonly unknown[])[] = [];
  const backend = await listen(
    createServer(({ headers }, response) => {
      seen.push([headers['x-forwarded-for'], headers[HEADER]]);
      response.end('{"orders":[]}');
    }),
  );
  onTestFinished(() => backend.stop());
  return { seen, pluginBackend: `127.0.0.1:${backend.port}` };
}

/** A sandbox with a private plugin and a plugin that fixed addresses may call. */
async function withPlugins(options: Partial<SandboxOptions>) {
  const sandbox = await sandboxForTest(options);
  const { cloud, ports } = sandbox;
  const serviceId = buildService(cloud, buildBalancer(cloud).balancer);
  const connect = { serviceId };
  const made = await askConsole(`127.0.0.1:${ports.console}`, '/private-connections', connect);
  cloud.startCreate(CONNECTION, { ServiceId: serviceId, EndpointId: made.endpointId ?? '' }, '');
  const { vpc } = buildNetwork(cloud);
  const rules = [rule({ CidrIp: '198.51.100.11/32' })];
  cloud.create(GROUP, { VpcId: vpc, IngressPermissions: rules });
  return { sandbox, serviceId };
}

async function chat(client: Client, userId: string) {
  const { body } = await client.token();
  const headers = {
    authorization: `Bearer ${String(body.access_token)}`,
    'content-type': 'application/json',
  };
  const started = await client.call({
    method: 'POST',
    path: '/v3/chat',
    headers,
    body: JSON.stringify({ bot_id: 'b', user_id: userId, stream: true }),
  });
  return started.text;
}

test('the user of a chat arrives at the backends of both kinds of plugins', async () => {
  const { seen, pluginBackend } = await seeingBackend();
  const { sandbox, serviceId } = await withPlugins({ pluginBackend });
  const events = await chat(new Client(sandbox), 'user-42');
  expect(seen.toSorted()).toEqual([
    ['100.64.0.1', 'user-42'],
    ['198.51.100.11', 'user-42'],
  ]);
  expect(events).toContain(serviceId);
  expect(events).toContain('from 198.51.100.11');
});

test('a plugin that cannot be called says why in the chat, and no user ID leaves', async () => {
  const { seen, pluginBackend } = await seeingBackend();
  const { sandbox } = await withPlugins({ pluginBackend });
  sandbox.faults.set('connection-rejected');
  const events = await chat(new Client(sandbox), 'user-42');
  expect(seen).toEqual([['198.51.100.11', 'user-42']]);
  expect(events).toContain('connection.lost');
});
