import { createServer, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import { expect, test } from 'vitest';
import { API_HOST, ENDPOINT_HOST } from '../../support/application.js';
import { createAuthority } from '../../support/certificates.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import {
  answerRaw,
  isApiCall,
  isTokenCall,
  ordinary,
  tokenText,
  written,
} from '../../support/raw-service.js';
import { listen, TOKEN } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, findingOf, outline } from '../../support/verifiable-link.js';

const timeoutMs = 4_000;

async function checkPort(answer: (socket: Socket) => void) {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: await listen(createServer(answer)) });
  return await check(world, { timeoutMs });
}

function afterBytes(reply: Buffer): (socket: Socket) => void {
  return (socket) => socket.on('data', () => socket.write(reply));
}

/** More than the probes send that are no handshake. */
const MIN_HELLO_BYTES = 150;

/** Is silent to a handshake, and ends a connection on which less came or nothing. */
function endUnlessLarge(socket: Socket): void {
  const judge = () => {
    if (socket.bytesRead < MIN_HELLO_BYTES) socket.end();
  };
  socket.resume();
  // What waits is read before.
  const timer = setTimeout(() => setImmediate(judge), 800);
  socket.once('close', () => clearTimeout(timer));
}

test.each<[string, (socket: Socket) => void, Expected]>([
  [
    'answers a hello with a byte of another protocol speaks no TLS',
    afterBytes(Buffer.from('N')),
    {
      fails: 'tls.timeout',
      shown: ['tls.not-tls'],
      never: ['path.mtu', 'path.filter', 'server.no-target'],
    },
  ],
  [
    'stops after an alert has answered, and its packets are not large',
    afterBytes(Buffer.from([21, 3, 3, 0, 2, 1, 112])),
    {
      fails: 'tls.timeout',
      shown: ['tls.timeout'],
      never: ['tls.not-tls', 'path.filter', 'path.mtu'],
    },
  ],
  [
    'ends whatever is sent has read nothing',
    endUnlessLarge,
    {
      fails: 'tls.timeout',
      consistent: ['server.no-target', 'path.mtu'],
      never: ['server.no-target: hung program', 'tls.not-tls'],
    },
  ],
])('a port that %s', async (_, answer, expected) => {
  expectDiagnosis(await checkPort(answer), expected);
});

test('the server name is not ruled out by a name that nobody has', async () => {
  const world = await createWorld();
  const own = createSecureContext(await world.authority.issue([ENDPOINT_HOST, API_HOST]));
  const other = await (await createAuthority('Stranger')).issue(['ingress.example']);
  const server = createTlsServer({
    ...other,
    SNICallback: (name, done) => done(null, name === API_HOST ? own : undefined),
  });
  server.on('tlsClientError', () => undefined);
  await world.connectTo({ [ADDRESS]: await listen(server as never) });
  expectDiagnosis(await check(world, { timeoutMs }), {
    fails: 'tls.untrusted',
    shown: ['path.name-filter'],
    never: ['tls.untrusted: unknown authority'],
    notRuledOut: [/server name/],
  });
});

test('a connection that was accepted before contradicts that nothing listens', async () => {
  const world = await createWorld();
  const server = createTlsServer(await world.authority.issue([ENDPOINT_HOST]), (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      server.close();
      const answer = ordinary(request.toString('latin1'));
      socket.end(answer.replace('\r\n', '\r\nconnection: close\r\n'));
    });
  });
  await world.connectTo({ [ADDRESS]: await listen(server as never) });
  expectDiagnosis(await check(world, { timeoutMs }), {
    fails: 'tcp.refused',
    shown: ['tcp.refused'],
    never: ['path.filter'],
  });
});

async function checkRaw(answer: (request: string) => string | Buffer | undefined) {
  const world = await createWorld();
  await answerRaw(world, answer);
  return await check(world, { timeoutMs });
}

test.each([
  '304 Not Modified',
  '302 Found',
])('%s without a location leads nowhere', async (status) => {
  expectDiagnosis(await checkRaw(() => written(status)), {
    fails: 'http.unexpected-answer',
    consistent: ['server.other-service'],
    never: ['http.unexpected-answer: redirect'],
  });
});

test.each([
  ['token', isTokenCall, written('401 X', tokenText()), /a token under a status of failure/],
  ['workspaces', isApiCall, written('403 X', '{"code":0,"msg":""}'), /a success .* of failure/],
] as const)('success and failure in one answer are no refusal: %s', async (stage, isAsked, bytes, problem) => {
  const { code, evidence } = findingOf(
    await checkRaw((request) => (isAsked(request) ? bytes : undefined)),
    stage,
  );
  expect(code).toMatch(/\.unexpected-answer$/);
  expect(evidence.problem).toMatch(problem);
});

test.each([
  ['little-endian with a mark', `\uFEFF${tokenText()}`, false],
  ['little-endian', tokenText(), false],
  ['big-endian', tokenText(), true],
])('a body in UTF-16 is named and shows no secret: %s', async (_, text, isSwapped) => {
  const body = Buffer.from(text, 'utf16le');
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), isSwapped ? body.swap16() : body]);
  const verification = await checkRaw((request) => (isTokenCall(request) ? bytes : undefined));
  expect(findingOf(verification, 'token').evidence.problem).toMatch(/in UTF-16/);
  const shown = JSON.stringify(verification).replace(/\\u0000|[\s\0]/g, '');
  expect(shown).not.toContain(TOKEN);
});

test.each(['5', '2001', 'yesterday'])('%s is no date by which a clock is judged', async (date) => {
  const verification = await checkRaw((request) =>
    ordinary(request).replace('\r\n', `\r\ndate: ${date}\r\n`),
  );
  expect(outline(verification).filter((line) => !line.endsWith('passed'))).toEqual([]);
});
