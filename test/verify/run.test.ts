import { expect, test } from 'vitest';
import { exitOf } from '../../src/verify/model/verdict.js';
import type { Progress } from '../../src/verify/model/verification.js';
import { ENDPOINT_HOST, PKCS8 } from '../support/application.js';
import { startBlackHole } from '../support/black-hole.js';
import { TOKEN, tokenError } from '../support/service-server.js';
import {
  ADDRESS,
  check,
  createWorld,
  findingOf,
  link,
  outline,
} from '../support/verifiable-link.js';

test('a transient failure is retried, each time with a JWT of its own', async () => {
  const world = await createWorld();
  let calls = 0;
  world.service.handler = ({ path }) => {
    if (!path.endsWith('/token')) return undefined;
    calls += 1;
    return calls < 3 ? tokenError('internal_error', 'Service internal error.', 500) : undefined;
  };
  const progress: Progress[] = [];
  const verification = await check(world, {
    waitMs: 30_000,
    retryDelayMs: 1,
    onProgress: (event) => progress.push(event),
  });
  expect([verification.verdict, verification.links[0]?.attempts]).toEqual(['reachable', 3]);
  expect(progress.filter(({ kind }) => kind === 'retry')).toMatchObject([
    { link: 'api', attempt: 1, code: 'http.server-error' },
    { link: 'api', attempt: 2, code: 'http.server-error' },
  ]);
  const jwts = world.service.requests.flatMap(({ path, headers }) =>
    path.endsWith('/token') ? [headers.authorization] : [],
  );
  expect(new Set(jwts).size).toBe(3);
});

test('a name that appears while waiting is found', async () => {
  const world = await createWorld();
  world.dns = { names: {} };
  const verification = await check(world, {
    waitMs: 30_000,
    retryDelayMs: 1,
    onProgress: ({ kind }) => {
      if (kind === 'retry') world.dns = { names: { [ENDPOINT_HOST]: [ADDRESS] } };
    },
  });
  expect([verification.verdict, verification.links[0]?.attempts]).toEqual(['reachable', 2]);
});

test('packets that are dropped at first are waited for', async () => {
  const world = await createWorld();
  const second = '10.1.2.4';
  await world.connectTo({ [ADDRESS]: await startBlackHole(), [second]: world.service.port });
  const codes: string[] = [];
  const verification = await check(world, {
    links: [link({ expectedAddresses: [] })],
    timeoutMs: 2_000,
    waitMs: 60_000,
    retryDelayMs: 1,
    onProgress: (progress) => {
      if (progress.kind !== 'retry') return;
      codes.push(progress.code);
      if (codes.length === 2) world.dns = { names: { [ENDPOINT_HOST]: [second] } };
    },
  });
  expect(codes).toEqual(['tcp.timeout', 'tcp.timeout']);
  expect([verification.verdict, verification.links[0]?.attempts]).toEqual(['reachable', 3]);
  expect(verification.links[0]?.notes).toEqual(['failed before it passed: tcp.timeout ×2']);
});

test.each([502, 503, 504])('a gateway that answers %i at first is waited for', async (status) => {
  const world = await createWorld();
  let calls = 0;
  world.service.handler = ({ path }) => {
    if (path.endsWith('/token')) calls += 1;
    return calls < 3 ? { status, body: 'bad gateway' } : undefined;
  };
  const verification = await check(world, { waitMs: 60_000, retryDelayMs: 1 });
  expect([verification.verdict, verification.links[0]?.attempts]).toEqual(['reachable', 3]);
  expect(verification.links[0]?.notes).toEqual(['failed before it passed: http.server-error ×2']);
});

test('the file of connect-to rules is read again at every dial', async () => {
  const world = await createWorld();
  let calls = 0;
  world.service.handler = () => {
    calls += 1;
    return calls === 1 ? 'reset' : undefined;
  };
  await check(world);
  await world.connectTo({ [ADDRESS]: 1 });
  expect(outline(await check(world))[3]).toBe('tcp failed tcp.refused');
});

test('a final cause ends the waiting at once', async () => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.endsWith('/token') ? tokenError('invalid_client', '') : undefined;
  const verification = await check(world, { waitMs: 600_000 });
  expect(verification.links[0]?.attempts).toBe(1);
  expect(exitOf(verification)).toBe(15);
});

test('the time for the run is over before anything was seen', async () => {
  const world = await createWorld();
  const verification = await check(world, { timeoutMs: 0.001 });
  expect(outline(verification)[0]).toBe('preflight failed run.deadline');
  expect([verification.verdict, exitOf(verification)]).toEqual(['incomplete', 20]);
});

test('an interrupted run reports what it saw', async () => {
  const world = await createWorld();
  const controller = new AbortController();
  world.service.handler = () => {
    controller.abort();
    return 'silent';
  };
  const verification = await check(world, { signal: controller.signal, waitMs: 600_000 });
  expect(outline(verification)).toEqual([
    'preflight passed',
    'dns passed',
    'address passed',
    'tcp passed',
    'tls skipped',
    'http failed run.interrupted',
    'token skipped',
    'workspaces skipped',
  ]);
  expect([verification.verdict, exitOf(verification)]).toEqual(['incomplete', 130]);
});

test('over several links the lowest exit wins and the worst verdict is reported', async () => {
  const world = await createWorld();
  const links = [
    link({ name: 'sound' }),
    link({ name: 'elsewhere', expectedAddresses: ['10.1.9.9/32'] }),
    link({ name: 'lost', baseUrl: 'https://lost.example' }),
  ];
  const verification = await check(world, { links });
  expect(verification.links.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['sound', 'reachable'],
    ['elsewhere', 'unreachable'],
    ['lost', 'unreachable'],
  ]);
  expect([verification.verdict, exitOf(verification)]).toEqual(['unreachable', 10]);
});

test.each([
  ['enterpriseId', { enterpriseId: '' }],
  ['appId', { appId: undefined }],
  ['keyId', { keyId: ' ' }],
  ['privateKey', { privateKeyFile: undefined }],
])('a missing %s is named before any packet', async (name, change) => {
  const world = await createWorld();
  const credentials = { ...world.options.credentials, ...change };
  const verification = await check(world, { credentials });
  expect(findingOf(verification, 'preflight')).toMatchObject({
    code: 'credentials.missing',
    evidence: { missing: name },
  });
  expect([verification.verdict, exitOf(verification), world.asked]).toEqual(['incomplete', 2, []]);
});

test.each([
  '203.0.113.9',
  'http://foo',
  'api.service.example:443',
])('%s is no API host without credentials either', async (apiHost) => {
  const world = await createWorld();
  const verification = await check(world, { auth: false, links: [link({ apiHost })] });
  expect(findingOf(verification, 'preflight')).toMatchObject({ code: 'usage.invalid' });
  expect([exitOf(verification), world.asked]).toEqual([2, []]);
});

test.each([
  ['an address', '203.0.113.9'],
  ['a URL', 'https://api.service.example'],
  ['a host with port', 'api.service.example:443'],
  ['the private domain', ENDPOINT_HOST],
])('%s is no audience', async (_, apiHost) => {
  const world = await createWorld();
  const verification = await check(world, { links: [link({ apiHost })] });
  expect(outline(verification)[0]).toBe('preflight failed usage.invalid');
  expect([exitOf(verification), world.asked]).toEqual([2, []]);
});

test('the key may come as text', async () => {
  const world = await createWorld();
  const { privateKeyFile: _, ...credentials } = world.options.credentials ?? {};
  const privateKey = PKCS8.replaceAll('\n', '\\n');
  const verification = await check(world, { credentials: { ...credentials, privateKey } });
  expect(verification.verdict).toBe('reachable');
});

test('no report holds a secret, not even one that the server echoes', async () => {
  const world = await createWorld();
  world.service.handler = ({ headers }) => {
    const said = `you sent ${headers.authorization}`;
    return headers.authorization?.includes(TOKEN)
      ? { body: { code: 99, msg: said } }
      : headers.authorization === undefined
        ? { status: 200, body: said }
        : undefined;
  };
  const failing = await check(world);
  expect(outline(failing).at(-1)).toBe('workspaces failed api.unknown-error');
  world.service.handler = ({ headers }) => ({
    status: 200,
    body: `hello ${headers.authorization}`,
  });
  const text = JSON.stringify([failing, await check(world)]);
  expect(text).toContain('[redacted]');
  for (const secret of [TOKEN, 'eyJ', PKCS8.split('\n')[1] ?? ''])
    expect(text).not.toContain(secret);
});

test.each([
  ['connectTo', { connectTo: ['nonsense'] }],
  ['connectTo', { connectTo: ['@/no/such/file'] }],
  ['dnsServer', { dnsServer: 'resolver.example' }],
  ['caFile', { caFile: '/no/such/file' }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['links', { links: [] }],
])('a wrong `%s` is an error, not a finding', async (field, change) => {
  const world = await createWorld();
  await expect(check(world, change)).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining(`\`${field}\``),
  });
});
