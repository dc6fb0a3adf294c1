import { createServer, type IncomingHttpHeaders } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/sandbox/json.js';
import { sendRequest } from '../../../src/sandbox/listeners/json-over-http.js';
import { listen } from '../../../src/sandbox/listeners/listen.js';
import { askConsole } from '../../../src/sandbox/plugin/console-client.js';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/sandbox.js';
import {
  ACL,
  BALANCER,
  buildBalancer,
  buildNetwork,
  buildService,
  CONNECTION,
  GROUP,
  LISTENER,
  type PluginNetwork,
  rule,
  SERVERS,
  SERVICE,
  sandboxForTest,
} from '../support.js';

interface Built extends PluginNetwork {
  readonly sandbox: Sandbox;
  readonly service: string;
  readonly connectionId: string;
  call(more?: object): Promise<JsonObject>;
}

function consoleOf({ ports }: Sandbox): string {
  return `127.0.0.1:${ports.console}`;
}

/** A sandbox with a private plugin whose connection is accepted. */
async function built(
  listenerFacts: JsonObject = {},
  options: Partial<SandboxOptions> = {},
): Promise<Built> {
  const sandbox = await sandboxForTest(options);
  const { cloud } = sandbox;
  const network = buildBalancer(cloud, listenerFacts);
  const service = buildService(cloud, network.balancer);
  const made = await askConsole(consoleOf(sandbox), '/private-connections', { serviceId: service });
  const endpointId = String(made.endpointId);
  cloud.startCreate(CONNECTION, { ServiceId: service, EndpointId: endpointId }, '');
  return {
    ...network,
    sandbox,
    service,
    connectionId: `${service}|${endpointId}`,
    call: (more = {}) =>
      askConsole(consoleOf(sandbox), '/plugin-calls', {
        serviceId: service,
        userId: 'user-7',
        ...more,
      }),
  };
}

function patched({ sandbox }: Built, typeName: string, id: string, patch: JsonObject[]): void {
  sandbox.cloud.startUpdate(typeName, id, patch, '');
}

test.each<[string, Record<string, string>, number]>([
  ['from a web page', { host: '127.0.0.1', origin: 'https://evil.example' }, 403],
  ['to the name of a web page that leads here', { host: 'evil.example' }, 403],
  [
    'to a name that only contains one of the service',
    { host: 'x.privatelink.volces.com.evil.example' },
    403,
  ],
  ['without an origin', { host: '127.0.0.1' }, 200],
])('the example backend answers a call %s as it should', async (_, headers, status) => {
  const { ports } = await sandboxForTest();
  const options = { hostname: '127.0.0.1', port: ports.backend, headers, agent: false };
  const answer = await sendRequest(options);
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.body).not.toContain('user_id');
});

describe('a call over the private connection', () => {
  test('reaches the backend with the user id, and says how', async () => {
    const { call, sandbox } = await built();
    const answer = await call({ path: '/orders?page=1' });
    expect(answer).toMatchObject({
      status: 200,
      arrivedAt: '10.20.1.10:8080',
      connectedTo: `127.0.0.1:${sandbox.ports.backend}`,
    });
    expect(JSON.parse(String(answer.body))).toEqual({
      method: 'GET',
      path: '/orders?page=1',
      user_id: 'user-7',
    });
  });

  test('comes from 100.64.0.0/10, by the name of the endpoint, to any process on loopback', async () => {
    const { call, connectionId, service } = await built();
    const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
    const backend = await listen(
      createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(418).end('tea');
      }),
    );
    onTestFinished(() => backend.stop());
    const answer = await call({ backend: `127.0.0.1:${backend.port}`, body: '{"a":1}' });
    expect(answer).toMatchObject({ status: 418, body: 'tea' });
    const [, endpointId] = connectionId.split('|');
    expect(seen).toMatchObject([
      {
        body: '{"a":1}',
        headers: {
          host: `${endpointId}.${service}.cn-beijing.privatelink.volces.com`,
          'x-aiplugin-connector-identifier': 'user-7',
          'x-forwarded-for': '100.64.0.1',
          'x-tt-logid': expect.any(String),
        },
      },
    ]);
  });

  test('stops while the connection waits, when it is cut, and where there is none', async () => {
    const plugin = await built();
    const { call, sandbox, connectionId } = plugin;
    sandbox.cloud.startDelete(CONNECTION, connectionId, '');
    await expect(call()).rejects.toMatchObject({ code: 'connection.lost' });
    await expect(call({ serviceId: 'epsvc-gone' })).rejects.toMatchObject({
      code: 'connection.pending',
    });
    const other = buildService(sandbox.cloud, plugin.balancer);
    await askConsole(consoleOf(sandbox), '/private-connections', { serviceId: other });
    await expect(call({ serviceId: other })).rejects.toMatchObject({ code: 'connection.pending' });
  });

  test.each([
    ['connection-pending', 'connection.pending'],
    ['connection-rejected', 'connection.lost'],
  ] as const)('under %s gives %s, and works afterwards', async (fault, code) => {
    const { call, sandbox, connectionId } = await built();
    sandbox.faults.set(fault);
    await expect(call()).rejects.toMatchObject({ code });
    expect(sandbox.cloud.get(CONNECTION, connectionId).ConnectionStatus).not.toBe('Connected');
    sandbox.faults.clear();
    expect(await call()).toMatchObject({ status: 200 });
  });

  test('reaches what replaces the backend under a fault', async () => {
    const { call, sandbox } = await built();
    sandbox.faults.set('backend-refused');
    await expect(call()).rejects.toMatchObject({ code: 'backend.unhealthy' });
    sandbox.faults.clear();
    sandbox.faults.set('backend-unhealthy');
    expect((await call()).status).toBeGreaterThanOrEqual(400);
    sandbox.faults.clear();
    expect(await call()).toMatchObject({ status: 200 });
  });

  test.each([
    ['the listener is off', LISTENER, 'listener', '/Enabled', 'off', 'has no listener'],
    [
      'no server has a weight',
      SERVERS,
      'servers',
      '/Servers/0/Weight',
      0,
      'no server with a weight',
    ],
    ['the ACL is too narrow', ACL, 'acl', '/AclEntries/0/Entry', '100.64.0.0/11', 'does not let'],
    [
      'its group has the link for udp',
      GROUP,
      'group',
      '/IngressPermissions/1/Protocol',
      'udp',
      'security groups',
    ],
    [
      'its group has half of the link',
      GROUP,
      'group',
      '/IngressPermissions/1/CidrIp',
      '100.64.0.0/11',
      'do not let 100.127.255.254 in on port 8080',
    ],
    [
      'its group drops the link',
      GROUP,
      'group',
      '/IngressPermissions/1/Policy',
      'drop',
      'do not let 100.64.0.1 in on port 8080',
    ],
    ['the ACL keeps them out', LISTENER, 'listener', '/AclType', 'black', 'does not let'],
  ] as const)('stops where %s', async (_, typeName, part, path, value, message) => {
    const plugin = await built();
    patched(plugin, typeName, plugin[part], [{ op: 'replace', path, value }]);
    await expect(plugin.call()).rejects.toMatchObject({
      code: 'backend.unhealthy',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['no ACL at all', { AclStatus: 'off' }],
    ['a wider ACL', { AclType: 'black', AclIds: [] }],
  ])('passes with %s', async (_, facts) => {
    const { AclIds: ids, ...rest } = facts as JsonObject;
    const { call } = await built({ ...rest, ...(ids !== undefined && { AclStatus: 'off' }) });
    expect(await call()).toMatchObject({ status: 200 });
  });

  test('passes where entries of the ACL have the network together, and stops at a gap between them', async () => {
    const plugin = await built();
    const entries = (...all: string[]) =>
      patched(plugin, ACL, plugin.acl, [
        { op: 'replace', path: '/AclEntries', value: all.map((Entry) => ({ Entry })) },
      ]);
    entries('100.96.0.0/11', '100.64.0.0/11');
    expect(await plugin.call()).toMatchObject({ status: 200 });
    entries('100.96.0.0/11', '100.64.0.0/12');
    await expect(plugin.call()).rejects.toMatchObject({ code: 'backend.unhealthy' });
  });

  test('goes to the listener of the port that is asked for', async () => {
    const { call } = await built();
    expect(await call({ port: 80 })).toMatchObject({ status: 200 });
    await expect(call({ port: 81 })).rejects.toThrow('has no listener on port 81');
  });

  test('stops when its load balancer is detached from the service', async () => {
    const plugin = await built();
    const { cloud } = plugin.sandbox;
    const other = cloud.create(BALANCER, { Type: 'private', SubnetId: plugin.subnet });
    patched(plugin, SERVICE, plugin.service, [
      { op: 'replace', path: '/Resources', value: [{ ResourceId: other }] },
    ]);
    await expect(plugin.call()).rejects.toThrow('has no load balancer for the connection');
  });

  test('says so where the backend does not answer', async () => {
    const { call, sandbox } = await built();
    const gone = `127.0.0.1:${sandbox.ports.refusing}`;
    await expect(call({ backend: gone })).rejects.toMatchObject({ code: 'backend.unhealthy' });
  });

  test.each([
    [{ backend: '192.0.2.1:80' }, '`backend` must be a loopback address'],
    [{ backend: '127.0.0.1' }, '`backend` must be a loopback address'],
    [{ userId: 'a\r\nX-Evil: 1' }, '`userId` must be printable ASCII'],
    [{ userId: '' }, '`userId` must be printable ASCII'],
  ])('is not made with %j', async (more, message) => {
    const { call } = await built();
    await expect(call(more)).rejects.toThrow(message);
  });
});

describe('a call over the internet', () => {
  test('gets in from the addresses that the deployed rules name', async () => {
    const sandbox = await sandboxForTest();
    const { vpc } = buildNetwork(sandbox.cloud);
    const call = (more: object) =>
      askConsole(consoleOf(sandbox), '/plugin-calls', { userId: 'user-7', ...more });
    await expect(call({ from: '198.51.100.11' })).rejects.toMatchObject({
      code: 'backend.unhealthy',
      message: expect.stringContaining('from 198.51.100.11 to 10.20.1.252:443'),
    });
    const rules = [rule({ CidrIp: '198.51.100.11/32' })];
    sandbox.cloud.create(GROUP, { VpcId: vpc, IngressPermissions: rules });
    expect(await call({ from: '198.51.100.11' })).toMatchObject({
      status: 200,
      arrivedAt: '10.20.1.252:443',
    });
    await expect(call({ from: '198.51.100.12' })).rejects.toThrow('no ingress rule');
    await expect(call({ from: '198.51.100.11', port: 80 })).rejects.toThrow('no ingress rule');
  });
});

describe('the console', () => {
  test('has no other pages', async () => {
    const sandbox = await sandboxForTest();
    await expect(askConsole(consoleOf(sandbox), '/other', {})).rejects.toThrow('no such page');
  });

  test('gives the refusal of the cloud on', async () => {
    const sandbox = await sandboxForTest();
    const { balancer } = buildBalancer(sandbox.cloud);
    const facts = { PermitAccountIds: ['2100000009'] };
    const serviceId = buildService(sandbox.cloud, balancer, facts);
    const connect = askConsole(consoleOf(sandbox), '/private-connections', { serviceId });
    await expect(connect).rejects.toMatchObject({
      code: 'connection.lost',
      message: expect.stringContaining('Forbidden.AccountNotPermitted'),
    });
  });
});
