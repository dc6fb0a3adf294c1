import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connectService } from '../../src/service/index.js';
import { API_HOST, ENDPOINT_HOST } from '../support/application.js';
import { expectDiagnosis } from '../support/explained.js';
import { startProxy } from '../support/fake-fronts.js';
import { runHere } from '../support/run-here.js';
import { listen, startService } from '../support/service-server.js';
import { unwrapped } from '../support/unwrapped.js';
import { ADDRESS, check, createWorld, link, outline } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

/** An address for documentation, to which nothing is sent: the guard comes before the dial. */
const PUBLIC = '203.0.113.9';
const PLAIN = { baseUrl: `http://${ENDPOINT_HOST}` };

test.each([
  ['a rule for the host', `${ENDPOINT_HOST}:80:${PUBLIC}:80`],
  ['a rule for the address', `10.1.2.3:80:${PUBLIC}:80`],
  ['a rule for any address', `*:1-65535:${PUBLIC}:8080`],
  ['a rule to IPv6', `*:1-65535:[2001:db8::9]:80`],
])('plain http is not dialled to a public address by %s', async (_, rule) => {
  const world = await createWorld({ scheme: 'http' });
  const verification = await check(world, { links: [link(PLAIN)], connectTo: [rule] });
  expect(outline(verification)).toContain('tcp failed address.plain-http');
  expect(verification.verdict).toBe('unreachable');
  expect(JSON.stringify(verification.links[0]?.hosts)).not.toMatch(/203\.0\.113|2001:db8/);
});

test.each(['flag', 'variable'])('nor by verify or token with the rule as a %s', async (form) => {
  const world = await createWorld({ scheme: 'http' });
  const rule = `*:1-65535:${PUBLIC}:80`;
  const own = worldFlags(world);
  own.splice(own.indexOf('--connect-to'), 2);
  const flags = ['--base-url', PLAIN.baseUrl, '--api-host', API_HOST, '--allow-plain-http', ...own];
  const given = form === 'flag' ? ['--connect-to', rule] : [];
  const env: Record<string, string> =
    form === 'flag' ? {} : { SECURE_CONNECTIVITY_CONNECT_TO: rule };
  const via = ['--via', 'service-endpoint', '--expect-address', '10.0.0.0/8'];
  const verified = await runHere(['verify', ...flags, ...via, ...given], { env });
  expect(verified.exit).toBe(12);
  expect(unwrapped(verified.stdout)).toContain(
    `plain http must stay inside private networks, got: ${PUBLIC}`,
  );
  const token = await runHere(['token', ...flags, ...given], { env });
  expect([token.exit, token.stdout]).toEqual([11, '']);
  expect(token.stderr).toMatch(/plain http must stay inside private networks, got: 203\.0\.113\.9/);
});

const ALERT = Buffer.from('15030300020228', 'hex');

test.each([
  ['closes the connection', ''],
  ['answers with a page', 'HTTP/1.1 400 Bad Request\r\ncontent-length: 6\r\n\r\n<html>'],
])('a port of TLS that %s at a call in plain http is told as that', async (_, page) => {
  const world = await createWorld({ scheme: 'http' });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => socket.end(bytes[0] === 22 ? ALERT : page));
  });
  await world.connectTo({ [ADDRESS]: await listen(server) });
  expectDiagnosis(await check(world, { links: [link(PLAIN)] }), {
    fails: page === '' ? 'http.reset' : 'http.unexpected-answer',
    shown: ['tls.not-tls: the port speaks TLS'],
    never: ['server.no-target', 'server.other-service', 'path.inspection', 'path.filter'],
  });
});

test('nor through a proxy, whatever is between', async () => {
  const world = await createWorld({ scheme: 'http' });
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const verification = await check(world, {
    links: [link({ ...PLAIN, baseUrl: 'http://10.1.2.3' })],
    connectTo: [`10.1.2.3:80:${PUBLIC}:80`],
    proxy: proxy.url,
  });
  expect(outline(verification)).toContain('tcp failed address.plain-http');
  expect(proxy.asked).toEqual([]);
});

test('a client whose socket its caller opens looks at where it leads', async () => {
  const service = await startService();
  const open = async () => {
    const socket = connect(service.port, '127.0.0.1');
    await new Promise((resolve) => {
      socket.once('connect', resolve);
    });
    return socket;
  };
  const request = { method: 'GET', path: '/v1/workspaces?page_num=1&page_size=1' } as const;
  const good = connectService(PLAIN.baseUrl, { open });
  expect((await good.request(request)).status).toBe(401);
  await good.close();
  const bad = connectService(PLAIN.baseUrl, {
    open: async () => Object.defineProperty(await open(), 'remoteAddress', { value: PUBLIC }),
  });
  await expect(bad.request(request)).rejects.toMatchObject({ code: 'address.plain-http' });
  await bad.close();
  expect(service.requests).toHaveLength(1);
});
