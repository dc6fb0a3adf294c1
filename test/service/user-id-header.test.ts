import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  readUserId,
  USER_ID_HEADER,
  type UserIdOptions,
  type UserIdResult,
} from '../../src/service/user-id-header.js';
import { exampleBackend } from '../../stacks/example-backend.js';

const LINK = '100.64.0.0/10';
const options: UserIdOptions = { trustedNetworks: [LINK], trustedProxies: ['10.0.0.0/24'] };

function read(
  headers: Record<string, string | string[]>,
  remoteAddress: string | undefined = '100.64.0.7',
): UserIdResult {
  return readUserId({ headers, socket: { remoteAddress } }, options);
}

describe('believes', () => {
  test('a caller in the named networks', () => {
    expect(read({ 'x-aiplugin-connector-identifier': 'user-1' })).toEqual({
      kind: 'user',
      userId: 'user-1',
      caller: '100.64.0.7',
    });
  });

  test('an IPv4 caller in its IPv6 spelling', () => {
    expect(read({ [USER_ID_HEADER]: 'user-1' }, '::ffff:100.64.0.7')).toMatchObject({
      kind: 'user',
      caller: '100.64.0.7',
    });
  });

  test('the caller that a trusted proxy names', () => {
    const headers = { [USER_ID_HEADER]: 'user-1', 'x-forwarded-for': '1.2.3.4, 100.64.0.9' };
    expect(read(headers, '10.0.0.5')).toMatchObject({ kind: 'user', caller: '100.64.0.9' });
  });

  test('through several trusted proxies', () => {
    const headers = { [USER_ID_HEADER]: 'user-1', 'x-forwarded-for': '100.64.0.9, 10.0.0.6' };
    expect(read(headers, '10.0.0.5')).toMatchObject({ kind: 'user', caller: '100.64.0.9' });
  });

  test('a request of fetch, given its address', () => {
    const request = new Request('http://backend.example', {
      headers: { [USER_ID_HEADER]: '用户-1'.normalize().replace(/\P{ASCII}/gu, 'u') },
    });
    expect(readUserId(request, { ...options, remoteAddress: '100.64.0.7' })).toMatchObject({
      kind: 'user',
      userId: 'uu-1',
    });
  });
});

describe('refuses', () => {
  test('a forged header of another caller', () => {
    expect(read({ [USER_ID_HEADER]: 'admin' }, '10.1.0.5')).toEqual({
      kind: 'refused',
      reason: 'untrusted-caller',
      caller: '10.1.0.5',
    });
  });

  test('a caller that names itself in X-Forwarded-For', () => {
    const headers = { [USER_ID_HEADER]: 'admin', 'x-forwarded-for': '100.64.0.9' };
    expect(read(headers, '192.0.2.66')).toMatchObject({ reason: 'untrusted-caller' });
  });

  test('the proxy itself, where it names no caller', () => {
    expect(read({ [USER_ID_HEADER]: 'admin' }, '10.0.0.5')).toMatchObject({
      reason: 'untrusted-caller',
    });
  });

  test.each([undefined, 'unix socket'])('a caller without an address: %s', (address) => {
    expect(
      readUserId(
        { headers: { [USER_ID_HEADER]: 'u' }, socket: { remoteAddress: address } },
        options,
      ),
    ).toMatchObject({ kind: 'refused', reason: 'unknown-caller' });
  });

  test.each<[string, Record<string, string | string[]>, string]>([
    ['two values', { [USER_ID_HEADER]: ['a', 'b'] }, 'several-values'],
    ['an empty value', { [USER_ID_HEADER]: ' ' }, 'empty'],
    ['257 characters', { [USER_ID_HEADER]: 'a'.repeat(257) }, 'too-long'],
    ['a line break', { [USER_ID_HEADER]: 'a\nadmin=1' }, 'control-characters'],
    ['a C1 control character', { [USER_ID_HEADER]: 'a\u0085b' }, 'control-characters'],
  ])('%s', (_, headers, reason) => {
    expect(read(headers)).toMatchObject({ kind: 'refused', reason });
  });

  test('repeated headers that Node would join', () => {
    const rawHeaders = [USER_ID_HEADER, 'a', 'x-aiplugin-connector-identifier', 'b'];
    expect(
      readUserId({ headers: {}, rawHeaders, socket: { remoteAddress: '100.64.0.7' } }, options),
    ).toMatchObject({ reason: 'several-values' });
  });

  test('repeated headers that fetch has joined', () => {
    const headers = new Headers([
      [USER_ID_HEADER, 'a'],
      [USER_ID_HEADER, 'b'],
    ]);
    expect(readUserId({ headers }, { ...options, remoteAddress: '100.64.0.7' })).toMatchObject({
      reason: 'several-values',
    });
  });

  test('a network that is not one', () => {
    expect(() => readUserId({ headers: {} }, { trustedNetworks: ['100.64.0.0'] })).toThrow(
      'has no mask; write 100.64.0.0/32',
    );
  });
});

test('tells a missing header from a refused one', () => {
  expect(read({})).toEqual({ kind: 'absent', caller: '100.64.0.7' });
});

describe('the example backend, over real sockets', () => {
  const lines: string[] = [];
  const server = exampleBackend({ trustedNetworks: ['127.0.0.0/8'] }, (line) => lines.push(line));
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => new Promise<void>((done) => server.close(() => done())));

  async function call(path: string, headers: Record<string, string | string[]> = {}) {
    const { port } = server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((done, fail) => {
      httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, done)
        .on('error', fail)
        .end();
    });
    const chunks = await response.toArray();
    return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
  }

  test('greets the user of the call, and writes an audit line', async () => {
    expect(await call('/greet', { [USER_ID_HEADER]: 'user-1' })).toEqual({
      status: 200,
      body: '{"greeting":"Hello, user-1"}\n',
    });
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      kind: 'user',
      userId: 'user-1',
      caller: '127.0.0.1',
      method: 'GET',
      path: '/greet',
    });
  });

  test('answers the load balancer without a user', async () => {
    expect((await call('/health')).status).toBe(200);
  });

  test('greets nobody without a header, or with two', async () => {
    expect((await call('/greet')).status).toBe(401);
    expect((await call('/greet', { [USER_ID_HEADER]: ['a', 'b'] })).status).toBe(403);
  });
});
