import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Plugin } from '../../../src/link/link.js';
import { exitOf, textReport, verificationSchema, verify } from '../../../src/verify/index.js';
import { startBlackHole } from '../../support/black-hole.js';
import { createAuthority } from '../../support/certificates.js';

const SERVER = '10.40.1.10:8080';
const PLUGIN: Plugin = {
  name: 'order-lookup',
  serviceId: 'epsvc-1',
  networks: ['10.40.0.0/16'],
  servers: [SERVER],
  healthCheck: { protocol: 'HTTP', path: '/health', timeoutSeconds: 1 },
};
const TCP: Plugin = { ...PLUGIN, healthCheck: { protocol: 'TCP', timeoutSeconds: 1 } };

const opened: Server[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) {
    if ('closeAllConnections' in server)
      (server as ReturnType<typeof createHttp>).closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function portOf(server: Server): Promise<number> {
  opened.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

async function check(port: number, plugin: Plugin, waitMs = 0) {
  const connectTo = [`${SERVER}:127.0.0.1:${port}`];
  const options = { links: [], plugins: [plugin], connectTo, waitMs, retryDelayMs: 20 };
  const report = await verify(options);
  expect(verificationSchema.parse(report)).toEqual(report);
  const [backend] = report.backends ?? [];
  return { report, exit: exitOf(report), backend };
}

function backend(listener: RequestListener): Promise<number> {
  return portOf(createHttp(listener));
}

test('a server that answers the health check is healthy, and the report names what it cannot prove', async () => {
  const asked: (string | undefined)[] = [];
  const port = await backend((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end('ok');
  });
  const { report, exit, backend: found } = await check(port, PLUGIN);
  expect([exit, found]).toMatchObject([
    0,
    { server: SERVER, status: 'passed', connectedTo: `127.0.0.1:${port}` },
  ]);
  expect(asked).toEqual(['GET /health undefined']);
  const text = textReport(report).replaceAll(/\s+/g, ' ');
  expect(text).toContain('healthy: answers GET /health with 200');
  expect(text).toContain("Only a call from the service's side proves the path");
});

test('a server that answers with an error is unhealthy, until it is mended within the time to wait', async () => {
  let calls = 0;
  const port = await backend((_, response) => {
    calls += 1;
    response.writeHead(calls < 3 ? 503 : 204).end();
  });
  const sick = await check(port, PLUGIN);
  expect([sick.exit, sick.backend]).toMatchObject([
    18,
    { code: 'backend.unhealthy', seen: 'answers GET /health with 503' },
  ]);
  const mended = await check(port, PLUGIN, 10_000);
  expect([mended.exit, mended.backend?.status, calls]).toEqual([0, 'passed', 3]);
});

test('a health check that is redirected is told with where to', async () => {
  const port = await backend((_, response) => {
    response.writeHead(301, { location: '/health/?session=1' }).end();
  });
  const { backend: found } = await check(port, PLUGIN);
  expect(found).toMatchObject({
    code: 'backend.unhealthy',
    seen: 'answers GET /health with 301 to /health/?…',
  });
});

test('a server that closes without an answer is not said to speak another protocol', async () => {
  const port = await portOf(createServer((socket) => socket.once('data', () => socket.end())));
  const { backend: found } = await check(port, PLUGIN);
  expect(found?.code).toBe('backend.unhealthy');
  expect(found?.seen).toMatch(/^GET \/health got no complete answer/);
});

test('a server that nobody listens on is refused', async () => {
  const port = await portOf(createServer());
  for (const server of opened.splice(0)) await new Promise((done) => server.close(done));
  const { exit, backend: found } = await check(port, PLUGIN);
  expect([exit, found?.code]).toEqual([18, 'backend.unhealthy']);
});

test('a server that takes the connection and hangs is silent to HTTP, and healthy to a check of TCP alone', async () => {
  const port = await portOf(createServer((socket) => socket.on('error', () => undefined).resume()));
  const hanging = await check(port, PLUGIN);
  expect([hanging.exit, hanging.backend?.code]).toEqual([18, 'backend.unhealthy']);
  for (const server of opened) server.unref();
  const tcp = await check(port, TCP);
  expect([tcp.exit, tcp.backend?.status]).toEqual([0, 'passed']);
});

test('a server with TLS is not HTTP to the check of an HTTP listener, and passes that of a TCP one', async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue(['backend.example']);
  const port = await portOf(createHttps({ cert, key }, (_, response) => response.end('ok')));
  const http = await check(port, PLUGIN);
  expect([http.exit, http.backend?.code]).toEqual([18, 'backend.unhealthy']);
  const tcp = await check(port, TCP);
  expect([tcp.exit, tcp.backend?.status]).toEqual([0, 'passed']);
});

test.each<[what: string, answer: RequestListener]>([
  ['does not end', (_, response) => response.writeHead(200).write('x')],
  ['is cut off', (_, response) => response.writeHead(200, { 'content-length': 9 }).write('x')],
  ['is larger than the check reads', (_, response) => response.end(Buffer.alloc(2 ** 21))],
])('the status decides, as for the load balancer, though the body %s', async (_, answer) => {
  const { exit, backend: found } = await check(await backend(answer), PLUGIN);
  expect([exit, found]).toMatchObject([
    0,
    { status: 'passed', seen: 'answers GET /health with 200' },
  ]);
});

test('what answers in place of HTTP is shown', async () => {
  const port = await portOf(
    createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n')),
  );
  const { backend: found } = await check(port, PLUGIN);
  expect(found).toMatchObject({ code: 'backend.unhealthy' });
  expect(found?.seen).toContain('SSH-2.0-OpenSSH_9.6');
});

test('an error of this machine is not told as the silence of a closed server', async () => {
  // No system opens a connection to all addresses of loopback.
  const connectTo = [`${SERVER}:127.255.255.255:8080`];
  const { backends } = await verify({ links: [], plugins: [PLUGIN], connectTo });
  expect(backends).toMatchObject([
    { status: 'skipped', seen: expect.stringMatching(/^not checkable from here: E[A-Z]+$/) },
  ]);
});

test('silence decides nothing, for a server lets in nobody but its load balancer', async () => {
  const { exit, backend: found } = await check(await startBlackHole(), PLUGIN);
  expect([exit, found]).toMatchObject([
    0,
    { status: 'skipped', seen: expect.stringContaining('allows only 100.64.0.0/10') },
  ]);
});

test('from outside of the network nothing is dialled, and nothing is called healthy', async () => {
  const options = { links: [], plugins: [PLUGIN], ownAddresses: ['192.0.2.7'] };
  const report = await verify(options);
  expect([exitOf(report), report.backends]).toMatchObject([
    0,
    [{ status: 'skipped', seen: expect.stringContaining('192.0.2.7) is outside of 10.40.0.0/16') }],
  ]);
  expect(textReport(report)).toContain('not checked: not checkable from here');
});

test('the servers of a load balancer that the stack does not make are named as unknown', async () => {
  const plugin = { name: 'p', serviceId: 'epsvc-1', networks: [], servers: [] };
  const report = await verify({ links: [], plugins: [plugin] });
  expect(report.backends).toMatchObject([
    { status: 'skipped', seen: expect.stringContaining('does not know its servers') },
  ]);
});

test('an interrupted run says so', async () => {
  const port = await portOf(createServer());
  for (const server of opened.splice(0)) await new Promise((done) => server.close(done));
  const interrupt = new AbortController();
  setTimeout(() => interrupt.abort(), 200);
  const connectTo = [`${SERVER}:127.0.0.1:${port}`];
  const { signal } = interrupt;
  const report = await verify({ links: [], plugins: [PLUGIN], connectTo, signal, waitMs: 60_000 });
  expect(exitOf(report)).toBe(130);
});
