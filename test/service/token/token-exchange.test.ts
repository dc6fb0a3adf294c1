import { sign } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import {
  connectService,
  createTokenSource,
  type TokenSourceOptions,
} from '../../../src/service/index.js';
import { API_HOST, APPLICATION, PKCS8 } from '../../support/application.js';
import {
  type Handler,
  type ServiceServer,
  startService,
  tokenError,
} from '../../support/service-server.js';

interface Set {
  readonly service: ServiceServer;
  readonly jwts: () => string[];
  readonly clock: { now: number };
}

async function started(options: Partial<TokenSourceOptions> = {}) {
  const service = await startService();
  const connection = connectService(`http://127.0.0.1:${service.port}`);
  onTestFinished(() => connection.close());
  const clock = { now: Date.now() };
  const source = createTokenSource(connection, {
    ...APPLICATION,
    apiHost: API_HOST,
    privateKey: PKCS8,
    now: () => clock.now,
    ...options,
  } as TokenSourceOptions);
  const jwts = () => service.requests.map(({ headers }) => headers.authorization ?? '');
  const world: Set = { service, jwts, clock };
  return { source, ...world };
}

/** Tokens that count up, each good for so many seconds by the server's clock. */
function tokens(seconds: number, skewSeconds = 0): Handler {
  let count = 0;
  return () => {
    count += 1;
    const now = Math.floor(Date.now() / 1000) + skewSeconds;
    return {
      headers: { date: new Date(now * 1000).toUTCString() },
      body: { access_token: `czs_${count}`, expires_in: now + seconds },
    };
  };
}

test('many callers share one exchange, and its token until shortly before its end', async () => {
  const { source, service, clock } = await started();
  service.handler = tokens(900);
  const many = await Promise.all(Array.from({ length: 50 }, () => source.token()));
  expect(new Set(many.map(({ value }) => value.reveal()))).toEqual(new Set(['czs_1']));
  clock.now += 830_000;
  expect((await source.token()).value.reveal()).toBe('czs_1');
  clock.now += 15_000;
  expect((await source.token()).value.reveal()).toBe('czs_2');
  expect(service.requests).toHaveLength(2);
});

test('every exchange has a JWT of its own', async () => {
  const { source, service, jwts } = await started();
  service.handler = tokens(900);
  source.discard(await source.token());
  await source.token();
  expect(new Set(jwts()).size).toBe(2);
});

test('a failed exchange fails all who wait, and is not kept', async () => {
  const { source, service, jwts } = await started();
  service.handler = () => tokenError('internal_error', 'Service internal error.', 500);
  const both = await Promise.allSettled([source.token(), source.token()]);
  expect(both).toMatchObject([
    { status: 'rejected', reason: { code: 'http.server-error' } },
    { status: 'rejected', reason: { code: 'http.server-error' } },
  ]);
  service.handler = tokens(900);
  expect((await source.token()).value.reveal()).toBe('czs_1');
  expect(new Set(jwts()).size).toBe(2);
});

test('a wrong clock on this side does not make a good token look expired', async () => {
  const { source, service } = await started();
  service.handler = tokens(900, -3_600);
  await source.token();
  await source.token();
  expect(service.requests).toHaveLength(1);
});

test('a token with a short life is used for half of it', async () => {
  const { source, service, clock } = await started({ durationSeconds: 40 });
  service.handler = tokens(40);
  await source.token();
  clock.now += 15_000;
  await source.token();
  expect(service.requests).toHaveLength(1);
  clock.now += 10_000;
  await source.token();
  expect(service.requests).toHaveLength(2);
  expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({ duration_seconds: 40 });
});

test('a caller that gives up leaves the exchange to the others', async () => {
  const { source, service } = await started();
  const leaving = new AbortController();
  const answer = tokens(900);
  service.handler = (request) => {
    leaving.abort(new Error('no more time'));
    return answer(request);
  };
  const [left, stayed] = await Promise.allSettled([
    source.token({ signal: leaving.signal }),
    source.token(),
  ]);
  expect(left).toMatchObject({ status: 'rejected', reason: { message: 'no more time' } });
  expect(stayed.status).toBe('fulfilled');
  expect(service.requests).toHaveLength(1);
});

test('an exchange that nobody waits for any more is aborted, and the next caller gets a new one', async () => {
  const { source, service } = await started();
  const leaving = new AbortController();
  service.handler = () => {
    leaving.abort(new Error('no more time'));
    return 'silent';
  };
  await expect(source.token({ signal: leaving.signal })).rejects.toThrow('no more time');
  service.handler = tokens(900);
  expect((await source.token()).value.reveal()).toBe('czs_1');
});

test('a caller has a time of its own', async () => {
  const { source, service } = await started();
  service.handler = () => 'silent';
  await expect(source.token({ timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'http.timeout' });
});

test('an exchange has a time of its own', async () => {
  const { source, service } = await started({ timeoutMs: 1_000 });
  service.handler = () => 'silent';
  await expect(source.token()).rejects.toMatchObject({ code: 'http.timeout' });
});

/** A key store that never answers, and the signal that it was given. */
function hangingStore() {
  const signals: (AbortSignal | undefined)[] = [];
  const sign = (_: Uint8Array, signal?: AbortSignal) => {
    signals.push(signal);
    return new Promise<Uint8Array>(() => {});
  };
  return { sign, signals };
}

test('a callback that never signs ends with the time of the exchange, and is named', async () => {
  const { sign, signals } = hangingStore();
  const { source, service } = await started({ privateKey: undefined, sign, timeoutMs: 100 });
  const error = await source.token().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    reason: 'key.unusable: no signature',
    message: '`sign` must give a signature within 100 ms, got: none',
  });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  expect(service.requests).toEqual([]);
});

test('a caller that gives up while a callback signs ends the signing, and no network is blamed', async () => {
  const { sign, signals } = hangingStore();
  const { source } = await started({ privateKey: undefined, sign });
  await expect(source.token({ timeoutMs: 50 })).rejects.toMatchObject({
    reason: 'key.unusable: no signature',
  });
  const leaving = new AbortController();
  const asked = source.token({ signal: leaving.signal });
  leaving.abort(new Error('no more time'));
  await expect(asked).rejects.toThrow('no more time');
  await expect.poll(() => signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});

test('signing and the call share the time of the exchange', async () => {
  const slow = async (input: Uint8Array) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return sign('RSA-SHA256', input, PKCS8);
  };
  const { source, service } = await started({
    privateKey: undefined,
    sign: slow,
    timeoutMs: 1_500,
  });
  service.handler = () => 'silent';
  const error = await source.token().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'http.timeout', cause: { timeoutMs: expect.any(Number) } });
  const { timeoutMs } = (error as { cause: { timeoutMs: number } }).cause;
  expect(timeoutMs).toBeLessThan(1_400);
});

test('the session name and the device are signed', async () => {
  const { source, jwts } = await started({
    sessionName: 'user-1',
    device: { deviceId: 'device-1' },
  });
  await source.token();
  const [, payload = ''] = (jwts()[0] ?? '').split('.');
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    session_name: 'user-1',
    session_context: { device_info: { device_id: 'device-1' } },
  });
});

test.each<[id: unknown]>([
  [undefined],
  [7],
  ['..'],
  ['volcano_e1\n'],
  ['"volcano_e1"'],
  ['volcano_\ud800'],
])('refuses the enterprise ID %j before anything is sent', async (id) => {
  const { source, jwts } = await started({ enterpriseId: id as string });
  await expect(source.token()).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining('`enterpriseId`'),
  });
  expect(jwts()).toEqual([]);
});

test('refuses a negative time before the end', async () => {
  await expect(started({ renewBeforeSeconds: -1 })).rejects.toMatchObject({
    code: 'usage.invalid',
  });
});
