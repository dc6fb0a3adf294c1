import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { expectDiagnosis } from '../../support/explained.js';
import { startProxy } from '../../support/fake-fronts.js';
import { listen, startService, tokenError } from '../../support/service-server.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  outline,
} from '../../support/verifiable-link.js';

test('the check goes through a proxy that is given, and says that nobody judged the address', async () => {
  const world = await createWorld();
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const url = proxy.url.replace('http://', 'http://user:pass%20word@');
  const verification = await check(world, { proxy: url, connectTo: [] });
  expect(verification.verdict).toBe('reachable');
  expect(outline(verification).slice(1, 4)).toEqual([
    'dns skipped',
    'address warned address.not-judged',
    'tcp passed',
  ]);
  expect(proxy.asked).toEqual([`${ENDPOINT_HOST}:443`]);
  expect(proxy.login).toBe(`Basic ${Buffer.from('user:pass word').toString('base64')}`);
  expect([world.asked, world.service.count.connections]).toEqual([[], 1]);
  expect(JSON.stringify(verification)).not.toMatch(/pass( |%20)word/);
  expect(verification.links[0]?.notes).toEqual([`through the proxy ${proxy.url}`]);
});

test('an address that is given is judged, and asked of the proxy in place of the name', async () => {
  const world = await createWorld();
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const resolve = [`${ENDPOINT_HOST}:443:${ADDRESS}`];
  const verification = await check(world, { proxy: proxy.url, resolve, connectTo: [] });
  expect(outline(verification)[2]).toBe('address passed');
  expect(proxy.asked).toEqual([`${ADDRESS}:443`]);
});

test.each([403, 502])('the proxy answers %d, and directly it works', async (status) => {
  const world = await createWorld();
  const proxy = await startProxy({ status });
  const verification = await check(world, { proxy: proxy.url });
  expectDiagnosis(verification, {
    fails: 'proxy.refused',
    shown: ['proxy.bypass'],
    never: ['tcp.refused', 'tls.reset', 'http.unexpected-answer', 'proxy.refused: no answer'],
  });
  expect(verification.links[0]?.causes[0]).toMatchObject({
    remedy: expect.stringContaining('NO_PROXY'),
    evidence: expect.stringContaining(`address=${ADDRESS}`),
  });
});

const LOGIN = 'Proxy-Authenticate: Basic realm="x"\r\n';
const LATER = 'Retry-After: 30\r\n';

test.each([
  [407, LOGIN, 'a login by Basic'],
  [429, LATER, 'Retry-After: 30'],
  [511, LATER, 'HTTP 511, Retry-After: 30'],
])('what a proxy asks for with %d comes before the way without it', async (status, header, shown) => {
  const world = await createWorld();
  const port = await listen(
    createServer((near) => {
      near.once('data', () =>
        near.end(`HTTP/1.1 ${status} X\r\n${header}content-length: 0\r\n\r\n`),
      );
    }),
  );
  const verification = await check(world, { proxy: `http://127.0.0.1:${port}` });
  expectDiagnosis(verification, {
    fails: 'proxy.refused',
    shown: ['proxy.refused', 'proxy.bypass'],
    never: ['tcp.refused', 'proxy.refused: no answer'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toContain(shown);
});

test.each([
  [
    407,
    { 'proxy-authenticate': 'Basic realm="x"' },
    'http.unexpected-answer: HTTP 407',
    'Basic realm="x"',
  ],
  [429, { 'retry-after': '30' }, 'http.rate-limited', 'retryAfterSeconds=30'],
  [511, { 'retry-after': '30' }, 'http.unexpected-answer: HTTP 511', 'retryAfterSeconds=30'],
])('what is asked for with %d behind a proxy comes before the way without it', async (status, headers, code, shown) => {
  const world = await createWorld();
  const inside = await startService(await world.authority.issue([ENDPOINT_HOST]));
  inside.handler = () => ({ status, headers, body: '<html>first</html>' });
  const proxy = await startProxy({ status: 200, port: inside.port });
  const verification = await check(world, { proxy: proxy.url });
  expectDiagnosis(verification, {
    fails: code,
    shown: [code, 'proxy.bypass'],
    never: ['path.gateway', 'http.unexpected-answer'],
  });
  expect(verification.links[0]?.causes[0]?.evidence).toContain(shown);
});

test('behind the proxy the dial is refused, and directly it works', async () => {
  const world = await createWorld();
  const certificate = await world.authority.issue([ENDPOINT_HOST]);
  const outside = await startService(certificate);
  outside.handler = () => ({ status: 403, body: '<html>address not allowed</html>' });
  const proxy = await startProxy({ status: 200, port: outside.port });
  expectDiagnosis(await check(world, { proxy: proxy.url }), {
    fails: 'http.unexpected-answer',
    shown: ['proxy.bypass'],
    consistent: ['server.other-service'],
    never: ['tls.untrusted', 'proxy.refused', 'token.invalid-client'],
  });
});

test('neither way works, so the proxy is not blamed', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const proxy = await startProxy({ status: 502 });
  expectDiagnosis(await check(world, { proxy: proxy.url }), {
    fails: 'proxy.refused',
    never: ['proxy.bypass', 'proxy.needed', 'tcp.refused'],
  });
});

test('a proxy that opens the tunnel proves no more than the way to itself', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const silent = await listen(createServer(() => undefined));
  const proxy = await startProxy({ status: 200, port: silent });
  const verification = await check(world, { proxy: proxy.url, timeoutMs: 4_000 });
  expectDiagnosis(verification, {
    fails: 'tls.timeout',
    never: ['tcp.timeout', 'proxy.refused', 'proxy.bypass', 'http.timeout'],
    ruledOut: [/^the path to the proxy$/m],
    notRuledOut: [/route/, /security group/, /network/],
  });
  expect(verification.links[0]?.ruledOut[0]?.evidence).toBe('tcp passed');
});

test('a page from behind the proxy leaves the way beyond it open, though the certificate is right', async () => {
  const world = await createWorld();
  const proxy = await startProxy({ status: 200, port: world.service.port });
  world.service.handler = () => ({ status: 200, body: '<html>please log in</html>' });
  expectDiagnosis(await check(world, { proxy: proxy.url }), {
    fails: 'http.unexpected-answer',
    consistent: ['path.inspection', 'server.other-service'],
    never: ['proxy.bypass', 'tls.untrusted'],
    ruledOut: [/^the path to the proxy$/m],
    notRuledOut: [/route/, /certificate/],
  });
});

test('a token that is refused through a proxy clears the whole way', async () => {
  const world = await createWorld();
  const proxy = await startProxy({ status: 200, port: world.service.port });
  world.service.handler = ({ path, headers }) =>
    path.endsWith('/token') && headers.authorization ? tokenError('invalid_client', '') : undefined;
  expectDiagnosis(await check(world, { proxy: proxy.url }), {
    fails: 'token.invalid-client',
    consistent: ['token.key-pair'],
    never: ['proxy.bypass', 'http.unexpected-answer', 'token.region'],
    ruledOut: [/^the network between here and the service$/m],
  });
});

test('a proxy that is not there, and one that does not speak http', async () => {
  const world = await createWorld();
  const silent = await check(world, { proxy: `http://127.0.0.1:${world.refusingPort}` });
  expect(reasonOf(findingOf(silent, 'tcp'))).toBe('proxy.refused: no answer');
  const port = await listen(
    createServer((socket) => {
      socket.end('SSH-2.0-x\r\n\r\n');
    }),
  );
  const other = await check(world, { proxy: `http://127.0.0.1:${port}` });
  expect(reasonOf(findingOf(other, 'tcp'))).toBe('proxy.refused: no answer');
});

test('the environment’s proxy is tried when the direct way fails, and is named when it works', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const verification = await check(world, { environment: { HTTPS_PROXY: proxy.url } });
  expectDiagnosis(verification, {
    fails: 'tcp.refused',
    shown: ['proxy.needed'],
    consistent: ['tcp.refused'],
    never: ['proxy.bypass', 'tcp.timeout'],
  });
  expect(world.service.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('on a private link a proxy that works is no remedy for the address', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: ['93.184.216.34'] } };
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const verification = await check(world, { environment: { HTTPS_PROXY: proxy.url } });
  expectDiagnosis(verification, {
    fails: 'address.unexpected: public',
    shown: ['address.unexpected: public'],
    consistent: ['proxy.bypass: indirect'],
    never: ['proxy.needed', 'proxy.bypass', 'tcp.timeout'],
  });
  const { causes } = verification.links[0] ?? { causes: [] };
  expect(causes.find(({ code }) => code === 'proxy.bypass')).toMatchObject({
    evidence: expect.stringContaining(`through ${proxy.url}=the service answers`),
    remedy: expect.stringContaining('NO_PROXY'),
  });
  expect(causes.map(({ text }) => text).join()).not.toMatch(/directly it does not/);
});

test('a proxy that resolves a name which this machine cannot is only consistent with being needed', async () => {
  const world = await createWorld();
  world.dns = { names: {} };
  const links = [link({ via: 'internet', expectedAddresses: [], expectedNetworks: [] })];
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const verification = await check(world, { links, environment: { HTTPS_PROXY: proxy.url } });
  expectDiagnosis(verification, {
    fails: 'dns.not-found',
    consistent: ['proxy.needed'],
    never: ['proxy.bypass: indirect', 'proxy.bypass'],
  });
});

const PROXY = 'http://u:p@proxy.example:3128';
const NAMES = 'names http://proxy.example:3128; this check goes directly';

test.each<[why: string, environment: Record<string, string>, notes: readonly string[]]>([
  ['no proxy', {}, []],
  ['NO_PROXY without a proxy', { NO_PROXY: '*' }, []],
  ['a proxy', { HTTPS_PROXY: PROXY }, [`HTTPS_PROXY ${NAMES}`]],
  ['a proxy for everything', { all_proxy: PROXY }, [`all_proxy ${NAMES}`]],
  ['a proxy for http only', { HTTP_PROXY: PROXY }, []],
  [
    'a proxy that is none for http',
    { https_proxy: 'socks5://u:p@proxy.example' },
    ['https_proxy names something that is no http proxy; this check goes directly'],
  ],
  [
    'the host exempt',
    { https_proxy: PROXY, no_proxy: `x.example, ${ENDPOINT_HOST}` },
    [`https_proxy ${NAMES}`, `no_proxy exempts this host by "${ENDPOINT_HOST}"`],
  ],
  [
    'every host exempt',
    { HTTPS_PROXY: PROXY, NO_PROXY: '*' },
    [`HTTPS_PROXY ${NAMES}`, 'NO_PROXY exempts this host by "*"'],
  ],
  [
    'entries that not every client understands',
    { https_proxy: PROXY, NO_PROXY: `https://u:hidden@${ENDPOINT_HOST},10.0.0.0/8,*` },
    [`https_proxy ${NAMES}`],
  ],
])('an environment with %s is noted', async (_, environment, notes) => {
  const world = await createWorld();
  const { links, verdict } = await check(world, { environment });
  expect(verdict).toBe('reachable');
  expect(links[0]?.notes).toEqual(notes);
  expect(JSON.stringify(links)).not.toMatch(/hidden|u:p/);
});

test('a plain http link has the proxy for http', async () => {
  const world = await createWorld({ scheme: 'http' });
  const links = [link({ baseUrl: `http://${ENDPOINT_HOST}` })];
  const verification = await check(world, { links, environment: { HTTP_PROXY: PROXY } });
  expect(verification.verdict).toBe('reachable');
  expect(verification.links[0]?.notes).toContain(`HTTP_PROXY ${NAMES}`);
});

test('the environment’s proxy is not tried where NO_PROXY exempts the host by its domain', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const domain = ENDPOINT_HOST.slice(ENDPOINT_HOST.indexOf('.'));
  const environment = { HTTPS_PROXY: proxy.url, NO_PROXY: domain };
  expectDiagnosis(await check(world, { environment }), {
    fails: 'tcp.refused',
    consistent: ['tcp.refused'],
    never: ['proxy.needed', 'proxy.bypass'],
  });
  expect(proxy.asked).toEqual([]);
});

test('nothing goes through a proxy unencrypted', async () => {
  const world = await createWorld({ scheme: 'http' });
  const proxy = await startProxy({ status: 200, port: world.service.port });
  const links = [link({ baseUrl: `http://${ENDPOINT_HOST}` })];
  const verification = await check(world, { links, proxy: proxy.url });
  expect(outline(verification)[2]).toBe('address failed address.plain-http');
  expect(world.service.requests.flatMap(({ headers }) => headers.authorization ?? [])).toEqual([]);
});

test.each([
  ['resolve', { resolve: ['host:443:name.example'] }],
  ['resolve', { resolve: ['host:443'] }],
  ['proxy', { proxy: 'socks5://127.0.0.1:1080' }],
  ['compareResolvers', { compareResolvers: ['dns.example'] }],
  ['settle', { settle: 0 }],
])('a wrong `%s` is an error', async (field, change) => {
  const world = await createWorld();
  await expect(check(world, change)).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining(`\`${field}\``),
  });
});

test('a wrong proxy shows no password', async () => {
  const world = await createWorld();
  await expect(check(world, { proxy: 'https://user:hidden@proxy.example' })).rejects.toThrow(
    /^(?!.*hidden)/,
  );
});
