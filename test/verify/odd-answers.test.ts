import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { reasonOf } from '../../src/codes/codes.js';
import { textReport } from '../../src/verify/reports/text-report.js';
import { ENDPOINT_HOST } from '../support/application.js';
import { createAuthority } from '../support/certificates.js';
import { expectDiagnosis } from '../support/explained.js';
import {
  afterHello,
  answerRaw,
  isApiCall,
  isTokenCall,
  ordinary,
  type RawAnswer,
  tokenText,
  trustedByDefault,
  written,
} from '../support/raw-service.js';
import { listen } from '../support/service-server.js';
import {
  ADDRESS,
  answer,
  check,
  createWorld,
  findingOf,
  link,
  outline,
} from '../support/verifiable-link.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

function to(isAsked: (request: string) => boolean, bytes: string): RawAnswer {
  return (request) => (isAsked(request) ? bytes : undefined);
}

async function checkRaw(answerTo: RawAnswer) {
  const world = await createWorld();
  await answerRaw(world, answerTo);
  return await check(world, { timeoutMs: 4_000 });
}

test('interim answers that nobody asked for fail no link', async () => {
  const interim = 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 199 X\r\nx: y\r\n\r\n';
  const verification = await checkRaw((request) => interim + ordinary(request));
  expect(verification.verdict).toBe('reachable');
});

test.each([
  ['101 that changes nothing', 'HTTP/1.1 101 X\r\n\r\n'],
  ['below 100', 'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n'],
])('a status that ends no answer is no lost connection: %s', async (_, bytes) => {
  const verification = await checkRaw(to(isApiCall, bytes));
  const finding = findingOf(verification, 'workspaces');
  expect(reasonOf(finding)).toBe('http.unexpected-answer: invalid HTTP');
  expect(finding.evidence.error).toMatch(/the HTTP client does not take: /);
});

test('a status above those of HTTP is no error of the server', async () => {
  const verification = await checkRaw(to(isApiCall, written('600 Odd', '{}')));
  expect(reasonOf(findingOf(verification, 'workspaces'))).toBe('http.unexpected-answer: API call');
});

test.each([
  [
    'a redirect',
    written('302 Found', '', { location: 'https://sso.example/' }),
    'http.unexpected-answer: redirect',
  ],
  ['a login to the network', written('511 X', '<html>'), 'http.unexpected-answer: HTTP 511'],
  ['a login to a proxy', written('407 X', '<html>'), 'http.unexpected-answer: HTTP 407'],
  ['the wrong host', written('421 X', '<html>'), 'http.unexpected-answer: HTTP 421'],
])('%s in answer to the API call leaves the service reached, and says who sent it', async (_, bytes, reason) => {
  const verification = await checkRaw(to(isApiCall, bytes));
  expect(verification.verdict).toBe('incomplete');
  const finding = findingOf(verification, 'workspaces');
  expect(reasonOf(finding)).toBe(reason);
  expect(finding.evidence.sender).toBe('not shown: caFile adds an authority');
  expect(verification.links[0]?.ruledOut.map(({ text }) => text)).not.toContain(
    'the network between here and the service',
  );
});

test.each([
  ['/v1/workspaces?x=1', 'the call itself'],
  [`https://${ENDPOINT_HOST}/v1/workspaces`, 'the call itself'],
  [`http://${ENDPOINT_HOST}/v1/workspaces`, undefined],
  ['/login', undefined],
])('a redirect to %s leads to %s', async (location, leadsTo) => {
  const verification = await checkRaw(() => written('301 X', '', { location }));
  const finding = findingOf(verification, 'http');
  expect([reasonOf(finding), finding.evidence.leadsTo]).toEqual([
    'http.unexpected-answer: redirect',
    leadsTo,
  ]);
});

test('a 5xx to the token call alone is told of that call', async () => {
  const verification = await checkRaw(to(isTokenCall, written('502 Bad', '<html>')));
  expect(outline(verification)).toContain('http passed');
  expect(outline(verification)).toContain('token failed http.server-error');
  expect(verification.verdict).toBe('incomplete');
});

test('an expiry in milliseconds is told, and is not believed', async () => {
  const body = tokenText({ expires_in: Date.now() + 900_000 });
  const { code, evidence } = findingOf(
    await checkRaw(to(isTokenCall, written('200 OK', body))),
    'token',
  );
  expect([code, evidence.seen]).toEqual(['http.odd-answer', 'token call']);
  expect(evidence.problem).toMatch(/no token lasts so long/);
  expect(evidence.validForSeconds).toBe(86_399);
});

test.each([
  ['access denied', 1],
  [{ a: 1 }, 1],
  ['Success.', 0],
  ['成功', 0],
  [null, 0],
])('a success whose `msg` says %j is warned of where that is no word of success', async (msg, warnings) => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.startsWith('/v1/')
      ? { body: { code: 0, msg, data: { workspaces: [{ id: '1' }], total_count: 1 } } }
      : undefined;
  const verification = await check(world);
  const { code, evidence } = findingOf(verification, 'workspaces');
  expect([code, verification.verdict]).toEqual([
    warnings > 0 ? 'http.odd-answer' : undefined,
    'reachable',
  ]);
  if (warnings > 0) expect(evidence.problem).toContain(`\`msg\` says ${JSON.stringify(msg)}`);
});

test('an answer to a call without credential that contradicts itself is warned of', async () => {
  const world = await createWorld();
  const refusal = '{"code":4100,"msg":"authentication is invalid","msg":"no token"}';
  await answerRaw(world, () => written('401 Unauthorized', refusal));
  const { code, evidence } = findingOf(await check(world, { auth: false }), 'http');
  expect(code).toBe('http.odd-answer');
  expect(evidence.problem).toContain('the body has `msg` more than once');
});

test('an answer is asked for without a coding, as none is undone', async () => {
  const requests: string[] = [];
  await checkRaw((request) => {
    requests.push(request);
    return undefined;
  });
  for (const request of requests) expect(request).toMatch(/^accept-encoding: identity\r$/im);
});

test('the text report shows what an odd answer holds and who sent it', async () => {
  const world = await trustedByDefault(await createWorld());
  const oauth = written('401 Unauthorized', '{"error":"invalid_client"}');
  await answerRaw(world.world, to(isTokenCall, oauth), world.authority);
  const text = textReport(await check(world.world), { width: 1000 });
  expect(text).toContain('problem JSON without `access_token`');
  expect(text).toContain(`sender the holder of the certificate for ${ENDPOINT_HOST}`);
  expect(text).not.toContain('path.gateway');
});

test.each([
  ['NODE_USE_SYSTEM_CA', '1', 'NODE_USE_SYSTEM_CA'],
  ['NODE_OPTIONS', '--max-http-header-size=9000 --use-openssl-ca', '--use-openssl-ca'],
])('%s makes the sender of an answer unknown', async (name, value, shown) => {
  const world = await trustedByDefault(await createWorld());
  vi.stubEnv(name, value);
  await answerRaw(world.world, to(isTokenCall, written('401 X', '{}')), world.authority);
  const { evidence } = findingOf(await check(world.world), 'token');
  expect(evidence.sender).toBe(`not shown: ${shown} adds an authority`);
});

test('an authority with a new key under its old name is one that is not trusted', async () => {
  const world = await createWorld();
  await answerRaw(world, () => undefined, await createAuthority());
  const verification = await check(world);
  expect(findingOf(verification, 'tls').evidence.error).toBe('CERT_SIGNATURE_FAILURE');
  expectDiagnosis(verification, {
    fails: 'tls.untrusted',
    consistent: ['tls.untrusted: unknown authority', 'path.inspection'],
    never: ['tls.bad-certificate'],
  });
});

const CLOSE_NOTIFY = Buffer.from([21, 3, 3, 0, 2, 2, 0]);
const UNKNOWN_ALERT = Buffer.from([21, 3, 3, 0, 2, 2, 200]);
const WARNING = Buffer.from([21, 3, 3, 0, 2, 1, 112]);

test.each([
  ['closes in the words of TLS', CLOSE_NOTIFY, false, 'tls.reset'],
  ['sends an alert that no standard has', UNKNOWN_ALERT, false, 'tls.reset'],
  ['breaks off in a record', Buffer.from([22, 3, 3, 1, 0, 2, 0]), false, 'tls.reset'],
])('a server that %s is there', async (_, bytes, staysOpen, code) => {
  const world = await createWorld();
  const port = await listen(createServer(afterHello(bytes, staysOpen)));
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world, { timeoutMs: 6_000 });
  expectDiagnosis(verification, {
    fails: code,
    consistent: ['path.filter'],
    never: ['server.no-target', 'server.no-target: hung program'],
  });
  expect(findingOf(verification, 'tls').evidence.received).toBe(7);
});

test('a server that falls silent after a few bytes of TLS is shown with them, and no path is blamed', async () => {
  const world = await createWorld();
  const port = await listen(createServer(afterHello(WARNING, true)));
  await world.connectTo({ [ADDRESS]: port });
  const verification = await check(world, { timeoutMs: 6_000 });
  expectDiagnosis(verification, {
    fails: 'tls.timeout',
    shown: ['tls.timeout'],
    never: ['server.no-target', 'server.no-target: hung program', 'path.filter', 'path.mtu'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toBe(
    'the server sends=7 bytes of TLS, and nothing after them',
  );
});

test('who shows the certificate for the name and asks for one is neither another nor on the way', async () => {
  const { world, authority } = await trustedByDefault(await createWorld());
  const certificate = await authority.issue([ENDPOINT_HOST]);
  const server = createTlsServer({ ...certificate, requestCert: true });
  await world.connectTo({ [ADDRESS]: await listen(server as never) });
  expectDiagnosis(await check(world), {
    fails: 'tls.client-certificate',
    shown: ['tls.client-certificate'],
    never: ['server.other-service', 'path.inspection'],
  });
});

test('what this side objects to is no alert of the other', async () => {
  const world = await createWorld();
  const port = await listen(createServer((socket) => socket.end('SSH-2.0-x\r\n')));
  await world.connectTo({ [ADDRESS]: port });
  const { evidence } = findingOf(await check(world), 'tls');
  expect(evidence).not.toHaveProperty('alert');
  expect(evidence.reason).toMatch(/wrong version number/);
});

test.each([
  ['198.18.0.9', 'address.unexpected: special', /198\.18\.0\.0\/15, benchmarks/],
  ['::ffff:0:10.1.2.3', 'address.unexpected: special', /IPv4-translated/],
  ['::10.1.2.3', 'address.unexpected: special', /former IPv4-compatible/],
  ['10.9.9.9', 'address.unexpected: not listed', /^$/],
])('a fixed-IP host at %s is no address that the list lacks', async (address, code, range) => {
  const world = await createWorld();
  world.dns = answer(address);
  const fixed = link({
    via: 'fixed-ip-egress',
    expectedAddresses: ['203.0.113.9/32'],
    expectedNetworks: [],
  });
  const verification = await check(world, { links: [fixed] });
  expectDiagnosis(verification, {
    fails: code,
    ...(code === 'address.unexpected: not listed' && {
      consistent: ['address.unexpected: another host'],
    }),
    never: ['address.list-outdated', 'dns.record-wrong'],
  });
  expect(`${findingOf(verification, 'address').evidence.range ?? ''}`).toMatch(range);
});
