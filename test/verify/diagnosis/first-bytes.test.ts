import { connect, createServer, type Socket } from 'node:net';
import { createSecureContext, createServer as createTls, type SecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { reasonOfCause } from '../../../src/codes/stated.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { createAuthority } from '../../support/certificates.js';
import { expectDiagnosis } from '../../support/explained.js';
import { listen } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, link } from '../../support/verifiable-link.js';

test.each<[string, (socket: Socket) => void, string]>([
  ['SSH', (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'), 'SSH-2.0-OpenSSH_9.6'],
  ['SMTP', (socket) => socket.write('220 mail.example ESMTP\r\n'), '220 mail.example ESMTP'],
])('a port that speaks %s is shown by its banner', async (_, greet, banner) => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await listen(createServer(greet)) });
  const { links } = await check(world);
  expect(links[0]?.causes[0]).toMatchObject({ code: 'tls.not-tls', certainty: 'shown' });
  expect(links[0]?.causes[0]?.evidence).toContain(`banner=${banner}`);
});

test.each<[string, Buffer, string]>([
  ['encrypted data', Buffer.from(`1703030020${'07'.repeat(32)}`, 'hex'), 'encrypted data'],
  ['a change of cipher', Buffer.from('140303000101', 'hex'), 'a change of cipher'],
  [
    'the end of a handshake',
    Buffer.from(`16030300101400000c${'00'.repeat(12)}`, 'hex'),
    'the beginning of a handshake',
  ],
])('a port that answers a hello with %s is told by that', async (_, record, says) => {
  const world = await createWorld();
  const port = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.write(record));
    }),
  );
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'tls.failed: out of turn',
    shown: ['tls.failed: out of turn'],
    never: ['tls.failed', 'server.no-target', 'path.filter', 'path.mtu'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toContain(says);
});

test('a server that answers few bytes and no handshake loses large packets', async () => {
  const world = await createWorld();
  const alert = Buffer.from([21, 3, 1, 0, 2, 2, 70]);
  const port = await listen(
    createServer((socket) => {
      socket.on('data', (bytes) => bytes[0] !== 22 && socket.write(alert));
    }),
  );
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world, { timeoutMs: 4_000 });
  expect(verification.links[0]?.causes[0]?.code).toBe('path.mtu');
  expectDiagnosis(verification, {
    fails: 'tls.timeout',
    consistent: ['path.mtu'],
    never: ['server.no-target', 'server.no-target: hung program'],
  });
});

/** An answer with more bytes at a time is lost, and what comes behind it. */
const MAX_PACKET_BYTES = 100;

test('where only large answers are lost, a small one shows that the server is there', async () => {
  const world = await createWorld();
  const port = await listen(
    createServer((socket) => {
      const onward = connect(world.service.port, '127.0.0.1');
      let isLost = false;
      onward.on('data', (bytes) => {
        isLost ||= bytes.length > MAX_PACKET_BYTES;
        if (!isLost) socket.write(bytes);
      });
      onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.pipe(onward);
    }),
  );
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world, { timeoutMs: 4_000 });
  expectDiagnosis(verification, {
    fails: 'tls.timeout',
    consistent: ['path.mtu'],
    never: ['server.no-target', 'server.no-target: hung program'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toContain('an alert of TLS');
});

test('a program that ends connections on what it cannot read does not hang', async () => {
  const world = await createWorld();
  const port = await listen(
    createServer((socket) => {
      socket.on('data', (bytes) => bytes[0] !== 22 && socket.destroy());
    }),
  );
  await world.connectTo({ [ADDRESS]: port });
  expectDiagnosis(await check(world, { timeoutMs: 4_000 }), {
    fails: 'tls.timeout',
    consistent: ['path.mtu'],
    never: ['server.no-target', 'server.no-target: hung program'],
  });
});

test('a program that answers nothing at all hangs', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await listen(createServer(() => undefined)) });
  const { links } = await check(world, { timeoutMs: 4_000 });
  expect(links[0]?.causes.map(reasonOfCause)[0]).toBe('server.no-target: hung program');
});

test('certificates that are made for whatever name is asked are consistent with an inspection', async () => {
  const world = await createWorld();
  const inspector = await createAuthority('Inspector');
  const options = {
    ...(await inspector.issue([ENDPOINT_HOST])),
    SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
      inspector.issue([name]).then((leaf) => done(null, createSecureContext(leaf)), done);
    },
  };
  const port = await listen(createTls(options).on('tlsClientError', () => undefined));
  await world.connectTo({ [ADDRESS]: port });
  expectDiagnosis(await check(world), {
    fails: 'tls.untrusted',
    consistent: ['path.inspection', 'tls.untrusted: unknown authority'],
    never: ['server.other-service'],
  });
});

test.each([
  ['https', 'tls.failed: out of turn', ['tls.failed: out of turn']],
  ['http', 'http.unexpected-answer', []],
] as const)('a port that sends back what it gets speaks no TLS, called over %s', async (scheme, fails, shown) => {
  const world = await createWorld({ scheme });
  await world.connectTo({ [ADDRESS]: await listen(createServer((one) => one.pipe(one))) });
  const links = [link({ baseUrl: `${scheme}://${ENDPOINT_HOST}` })];
  const verification = await check(world, { links, timeoutMs: 4_000 });
  expectDiagnosis(verification, {
    fails,
    shown,
    never: ['tls.not-tls: the port speaks TLS', 'path.mtu'],
  });
});
