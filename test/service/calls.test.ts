import { createPrivateKey } from 'node:crypto';
import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  allWorkspaces,
  connectService,
  exchangeToken,
  listWorkspaces,
  Secret,
  type ServiceConnection,
  signJwt,
  workspacesRequest,
} from '../../src/service/index.js';
import { API_HOST, APPLICATION, PKCS8 } from '../support/application.js';
import { createAuthority } from '../support/certificates.js';
import {
  type Handler,
  LOG_ID,
  listen,
  type ServiceServer,
  startService,
  TOKEN,
  tokenError,
} from '../support/service-server.js';

async function connected(): Promise<{ connection: ServiceConnection; service: ServiceServer }> {
  const service = await startService();
  const connection = connectService(`http://127.0.0.1:${service.port}`);
  onTestFinished(() => connection.close());
  return { connection, service };
}

async function freshJwt(): Promise<Secret> {
  const { keyId, appId } = APPLICATION;
  const privateKey = createPrivateKey(PKCS8);
  return (await signJwt({ privateKey, keyId, appId, apiHost: API_HOST })).jwt;
}

test('a JWT is exchanged for a token by the specified request', async () => {
  const { connection, service } = await connected();
  const { enterpriseId } = APPLICATION;
  const token = await exchangeToken(connection, { enterpriseId, jwt: await freshJwt() });
  expect(token.value.reveal()).toBe(TOKEN);
  expect(token.expiresAt).toBeGreaterThan(Date.now() / 1000 + 800);
  expect(token.logId).toBe(LOG_ID);
  expect(inspect(token)).not.toContain(TOKEN);
  expect(service.requests[0]).toMatchObject({
    method: 'POST',
    path: '/api/permission/oauth2/enterprise_id/volcano_enterprise%2F1/token',
    headers: { 'content-type': 'application/json' },
  });
  expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  });
});

test('the lifetime is sent only when it is set', async () => {
  const { connection, service } = await connected();
  const { enterpriseId } = APPLICATION;
  await exchangeToken(connection, { enterpriseId, jwt: await freshJwt(), durationSeconds: 86_399 });
  expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({ duration_seconds: 86_399 });
});

test.each<[string, object, RegExp]>([
  [
    'a Unix time long past',
    { expires_in: 4e7 },
    /`expires_in` is 40000000, a Unix time that is over/,
  ],
  ['a lifetime', { expires_in: 900 }, /`expires_in` is 900, read as a lifetime in seconds/],
  ['an error beside the token', { error_code: 'invalid_client' }, /an `error_code` is beside/],
  ['a text for a time', { expires_in: '4000000000' }, /no whole number, got: "4000000000"/],
])('a token with %s is given, with what contradicts it', async (_, change, problem) => {
  const { connection, service } = await connected();
  service.handler = () => ({ body: { access_token: TOKEN, expires_in: 4_000_000_000, ...change } });
  const { enterpriseId } = APPLICATION;
  const token = await exchangeToken(connection, { enterpriseId, jwt: new Secret('not-a-jwt') });
  expect(token.value.reveal()).toBe(TOKEN);
  expect(token.problems?.join()).toMatch(problem);
});

test('a server whose date is wrong takes no token from who has the right time', async () => {
  const { connection, service } = await connected();
  const expiresIn = Math.floor(Date.now() / 1000) + 900;
  const date = new Date(Date.now() + 86_400_000).toUTCString();
  service.handler = () => ({
    headers: { date },
    body: { access_token: TOKEN, expires_in: expiresIn },
  });
  const { enterpriseId } = APPLICATION;
  const token = await exchangeToken(connection, { enterpriseId, jwt: new Secret('not-a-jwt') });
  expect(token.lifetimeSeconds).toBeGreaterThan(800);
  expect(token.problems).toBeUndefined();
});

test('a used JWT is refused with the service’s own words kept', async () => {
  const { connection } = await connected();
  const options = { enterpriseId: APPLICATION.enterpriseId, jwt: await freshJwt() };
  await exchangeToken(connection, options);
  await expect(exchangeToken(connection, options)).rejects.toMatchObject({
    code: 'token.invalid-client',
    httpStatus: 401,
    serviceCode: 'invalid_client',
    serviceMessage: 'jti used',
    logId: LOG_ID,
  });
});

test('an error in a body of status 200 is an error', async () => {
  const { connection, service } = await connected();
  service.handler = () =>
    tokenError('access_deny', 'app: x is currently deactivated by the owner', 200);
  const call = exchangeToken(connection, { enterpriseId: 'e', jwt: new Secret('not-a-real-jwt') });
  await expect(call).rejects.toMatchObject({ code: 'token.application', httpStatus: 200 });
});

test('what the server echoes of the JWT is taken out', async () => {
  const { connection, service } = await connected();
  service.handler = ({ headers }) => tokenError('invalid_client', `got ${headers.authorization}`);
  const jwt = await freshJwt();
  const error = await exchangeToken(connection, { enterpriseId: 'e', jwt }).catch((e) => e);
  expect(error.message).toContain('[redacted]');
  expect(inspect(error, { depth: 9 })).not.toContain(jwt.reveal());
});

test('workspaces come page by page, as they are asked for', async () => {
  const { connection, service } = await connected();
  service.handler = ({ path }) => {
    const page = Number(new URL(path, 'http://x').searchParams.get('page_num'));
    const workspaces = [1, 2].map((i) => ({ id: `w${page}.${i}`, role_type: 'owner', new: 1 }));
    return { body: { code: 0, msg: '', data: { workspaces, total_count: 6 } } };
  };
  const pages = allWorkspaces(connection, new Secret(TOKEN), { pageSize: 2 });
  expect(await pages.next()).toEqual({ done: false, value: { id: 'w1.1', roleType: 'owner' } });
  expect(service.requests).toHaveLength(1);
  const rest: unknown[] = [];
  for await (const { id } of pages) rest.push(id);
  expect(rest).toEqual(['w1.2', 'w2.1', 'w2.2', 'w3.1', 'w3.2']);
  expect(service.requests.map(({ path }) => path)).toEqual([
    '/v1/workspaces?page_num=1&page_size=2',
    '/v1/workspaces?page_num=2&page_size=2',
    '/v1/workspaces?page_num=3&page_size=2',
  ]);
});

/** Serves a list page by page. @param most entries that a page has, however many are asked for */
function paged(ids: readonly string[], most: number, more: object = {}): Handler {
  return ({ path }) => {
    const query = new URL(path, 'http://service').searchParams;
    const size = Number(query.get('page_size'));
    const start = (Number(query.get('page_num')) - 1) * size;
    const page = ids.slice(start, start + Math.min(size, most));
    return { body: { code: 0, data: { workspaces: page.map((id) => ({ id })), ...more } } };
  };
}

test.each([
  ['a total', 7, { total_count: 7 }],
  ['no total', 7, {}],
  ['no total, and no more than three to a page', 3, {}],
  ['a total, and no more than three to a page', 3, { total_count: 7 }],
  ['a total that is none', 3, { total_count: -7 }],
])('all pages are read where the service has %s', async (_, most, more) => {
  const { connection, service } = await connected();
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  service.handler = paged(ids, most, more);
  const found: unknown[] = [];
  for await (const { id } of allWorkspaces(connection, new Secret(TOKEN))) found.push(id);
  expect(found).toEqual(ids);
});

test('with a total, no page after a later one is lost where the service gives fewer than asked for', async () => {
  const { connection, service } = await connected();
  const ids = Array.from({ length: 57 }, (_, i) => `w${i}`);
  service.handler = ({ path }) => {
    const page = Number(new URL(path, 'http://x').searchParams.get('page_num'));
    const workspaces = ids.slice((page - 1) * 10, page * 10).map((id) => ({ id }));
    return { body: { code: 0, data: { workspaces, total_count: ids.length } } };
  };
  const found: unknown[] = [];
  const from = { pageNumber: 2, pageSize: 20 };
  for await (const { id } of allWorkspaces(connection, new Secret(TOKEN), from)) found.push(id);
  expect(found).toEqual(ids.slice(10));
});

test('a service that gives the same list in another order each time is not read for ever', async () => {
  const { connection, service } = await connected();
  let turn = 0;
  service.handler = () => {
    turn += 1;
    const ids = turn % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    return { body: { code: 0, data: { workspaces: ids.map((id) => ({ id })) } } };
  };
  const found: unknown[] = [];
  for await (const { id } of allWorkspaces(connection, new Secret(TOKEN))) found.push(id);
  expect(found).toEqual(['b', 'a']);
});

test('a service without pages is not read again and again', async () => {
  const { connection, service } = await connected();
  service.handler = () => ({ body: { code: 0, data: { workspaces: [{ id: 'only' }] } } });
  const found: unknown[] = [];
  for await (const one of allWorkspaces(connection, new Secret(TOKEN))) found.push(one);
  expect([found, service.requests.length]).toEqual([[{ id: 'only' }], 2]);
});

test('as many workspaces are asked for as the caller wants', async () => {
  const { connection, service } = await connected();
  await listWorkspaces(connection, new Secret(TOKEN), { pageSize: 100 });
  expect(service.requests[0]?.path).toContain('page_size=100');
});

test.each([
  { pageSize: 0 },
  { pageSize: 1.5 },
  { pageSize: 1e21 },
  { pageNumber: 0 },
])('refuses %o', async (page) => {
  const { connection, service } = await connected();
  const call = listWorkspaces(connection, new Secret(TOKEN), page);
  await expect(call).rejects.toMatchObject({ code: 'usage.invalid' });
  expect(service.requests).toEqual([]);
});

test('no redirect is followed', async () => {
  const { connection, service } = await connected();
  const location = `http://127.0.0.1:${service.port}/elsewhere`;
  service.handler = () => ({ status: 307, headers: { location } });
  const call = exchangeToken(connection, { enterpriseId: 'e', jwt: new Secret('not-a-real-jwt') });
  await expect(call).rejects.toMatchObject({ code: 'http.unexpected-answer' });
  expect(service.requests).toHaveLength(1);
});

test('a call ends with its time, with its signal and with its largest body', async () => {
  const { connection, service } = await connected();
  const token = new Secret(TOKEN);
  service.handler = () => 'silent';
  await expect(listWorkspaces(connection, token, { timeoutMs: 50 })).rejects.toMatchObject({
    code: 'http.timeout',
  });
  const controller = new AbortController();
  service.handler = () => {
    controller.abort(new Error('enough'));
    return 'silent';
  };
  await expect(listWorkspaces(connection, token, { signal: controller.signal })).rejects.toThrow(
    'enough',
  );
  service.handler = () => ({ body: 'x'.repeat(2_000_000) });
  await expect(listWorkspaces(connection, token)).rejects.toMatchObject({
    code: 'http.unexpected-answer',
  });
});

test.each([
  'HTTP/1.1 102 Processing\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
])('an answer follows the interim one %j', async (interim) => {
  const body = '{"code":0,"data":{"workspaces":[]}}';
  const whole = `${interim}HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  for (const size of [whole.length, 5]) {
    const { connection, service } = await connected();
    const pieces = whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    service.handler = () => ({ pieces });
    const page = listWorkspaces(connection, new Secret(TOKEN));
    await expect(page).resolves.toEqual({ workspaces: [] });
  }
});

test.each<[string, string, RegExp]>([
  ['closed early', 'content-length: 100\r\n\r\n{"code"', /after 7 of 100 bytes \(UND_ERR_SOCKET\)/],
  ['silent', 'content-length: 100\r\n\r\n{"code":0}', /10 of 100 bytes came within/],
])('an answer that is %s is told as cut short', async (how, rest, message) => {
  const { connection, service } = await connected();
  service.handler = () => ({
    raw: `HTTP/1.1 200 OK\r\n${rest}`,
    ...(how === 'closed early' && { isLast: true }),
  });
  const call = listWorkspaces(connection, new Secret(TOKEN), { timeoutMs: 1_500 });
  await expect(call).rejects.toMatchObject({
    code: 'http.reset',
    message: expect.stringMatching(message),
  });
});

test('names that every object has are codes like any other', async () => {
  const { connection, service } = await connected();
  const { enterpriseId } = APPLICATION;
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    service.handler = () => ({ status: 400, body: { error_code: name, error_message: 'no' } });
    const token = exchangeToken(connection, { enterpriseId, jwt: new Secret('not-a-jwt') });
    await expect(token).rejects.toMatchObject({ code: 'api.unknown-error', serviceCode: name });
  }
});

test.each([
  undefined,
  '0',
])('a connection of its own verifies the certificate, with NODE_TLS_REJECT_UNAUTHORIZED=%s too', async (value) => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value);
  const authority = await createAuthority();
  const service = await startService(await authority.issue(['api.service.example']));
  const baseUrl = `https://127.0.0.1:${service.port}`;
  const sound = connectService(baseUrl, { ca: authority.ca, tlsServerName: 'api.service.example' });
  const wrongName = connectService(baseUrl, { ca: authority.ca, tlsServerName: 'other.example' });
  const untrusted = connectService(baseUrl, { tlsServerName: 'api.service.example' });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await Promise.all([sound, wrongName, untrusted].map((one) => one.close()));
  });
  const token = new Secret(TOKEN);
  expect((await listWorkspaces(sound, token)).workspaces).toHaveLength(2);
  await expect(listWorkspaces(wrongName, token)).rejects.toMatchObject({
    code: 'tls.name-mismatch',
  });
  await expect(listWorkspaces(untrusted, token)).rejects.toMatchObject({ code: 'tls.untrusted' });
});

/** Answers calls until told to close the connection in place of an answer. */
async function closing(how: 'destroy' | 'resetAndDestroy') {
  const seen: string[] = [];
  const state = { closes: 0, connections: 0 };
  const server = createServer((request, response) => {
    seen.push(`${request.method}`);
    if (state.closes > 0) {
      state.closes -= 1;
      request.socket[how]();
    } else {
      response.end('{"code":0,"msg":"","data":{"workspaces":[]}}');
    }
  });
  server.on('connection', () => {
    state.connections += 1;
  });
  const connection = connectService(`http://127.0.0.1:${await listen(server)}`);
  onTestFinished(() => connection.close());
  return { connection, seen, state };
}

describe.each([
  'destroy',
  'resetAndDestroy',
] as const)('where the service closes a connection without saying so (%s)', (how) => {
  test('a call that only reads is repeated once, on a new connection', async () => {
    const { connection, seen, state } = await closing(how);
    const request = workspacesRequest(new Secret(TOKEN));
    expect((await connection.request(request)).isRepeated).toBe(false);
    state.closes = 1;
    expect((await connection.request(request)).isRepeated).toBe(true);
    expect([seen, state.connections]).toEqual([['GET', 'GET', 'GET'], 2]);
    state.closes = 9;
    await expect(connection.request(request)).rejects.toMatchObject({ code: 'http.reset' });
    expect(seen).toHaveLength(5);
  });

  test('the token call is not repeated, because its JWT can be used once', async () => {
    const { connection, seen, state } = await closing(how);
    await connection.request(workspacesRequest(undefined));
    state.closes = 1;
    const call = exchangeToken(connection, { enterpriseId: 'e', jwt: await freshJwt() });
    await expect(call).rejects.toMatchObject({ code: 'http.reset' });
    expect(seen).toEqual(['GET', 'POST']);
  });

  test('a first call is not repeated: no answer shows that the connection was good', async () => {
    const { connection, seen, state } = await closing(how);
    state.closes = 1;
    const call = connection.request(workspacesRequest(undefined));
    await expect(call).rejects.toMatchObject({ code: 'http.reset' });
    expect(seen).toEqual(['GET']);
  });
});

test('a port where nobody listens is named as such', async () => {
  const connection = connectService('http://127.0.0.1:1');
  onTestFinished(() => connection.close());
  await expect(listWorkspaces(connection, new Secret(TOKEN))).rejects.toMatchObject({
    code: 'tcp.refused',
  });
});
