import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openRefusingPort } from '../../../src/sandbox/listeners/faulty-ports.js';
import { listen } from '../../../src/sandbox/listeners/listen.js';
import { findCaller } from '../../../src/verify/intents/find-caller.js';
import { exitOf } from '../../../src/verify/model/verdict.js';
import { intentsLine } from '../../../src/verify/reports/connections.js';
import { prepareRun } from '../../../src/verify/run/prepare-run.js';
import { startBlackHole } from '../../support/black-hole.js';
import { CLOSED, CONTROL, DOOR, OWN, seen, server, tryIn, type World } from './world-of-doors.js';

test('silence beside controls that pass is closed, from one address at one moment', async () => {
  const control = await server('hello');
  const result = await tryIn({ control: control.port });
  expect(result).toMatchObject({ result: 'closed', door: `${DOOR}:443`, from: OWN });
  expect(result.seen).toMatch(
    /^3 dials of 0\.3 s were silent beside 10\.30\.9\.9:443, from 10\.9\.0\.1 as given; NAT not excluded; a missing route is not excluded$/,
  );
  // Before, meanwhile and after, each from a port of its own.
  expect(control.ports.length).toBeGreaterThanOrEqual(3);
  expect(new Set(control.ports).size).toBe(control.ports.length);
});

test('a door that connects and answers is open, and outranks every other status', async () => {
  const open = await server('220 ready\r\n');
  const result = await tryIn({ door: open.port });
  expect(result).toMatchObject({ result: 'OPEN', code: 'intent.open' });
  expect(result.seen).toMatch(/^it connects and answers, from 10\.9\.0\.1/);
  expect(open.ports.length).toBe(1);
  const failing = {
    ...seen(DOOR, 'failed'),
    stages: [{ stage: 'dns', status: 'failed', code: 'dns.not-found', elapsedMs: 1, evidence: {} }],
  } as const;
  expect(exitOf({ links: [{ ...failing, stages: [...failing.stages] }], intents: [result] })).toBe(
    23,
  );
  expect(intentsLine([result, { ...result, name: 'other', result: 'not shown' }])).toBe(
    'intents: proved 0 of 2, not shown 1, OPEN 1',
  );
});

test('a door that answers the first words of TLS only is open as well', async () => {
  const made = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  const { port, stop } = await listen(made);
  onTestFinished(stop);
  expect((await tryIn({ door: port })).result).toBe('OPEN');
});

test('a door that hangs up on the words of TLS and answers those of HTTP is open', async () => {
  const made = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (words) =>
      words.toString('latin1').startsWith('GET /')
        ? socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
        : socket.destroy(),
    );
  });
  const { port, stop } = await listen(made);
  onTestFinished(stop);
  expect((await tryIn({ door: port })).result).toBe('OPEN');
});

test.each([
  'closed',
  'reachable',
] as const)('an interruption says nothing of a door that must be %s', async (expect_) => {
  const signal = AbortSignal.timeout(100);
  const intent = { expect: expect_, from: '10.9.0.0/16' };
  const result = await tryIn({ intent, options: { signal } });
  expect(result).toMatchObject({ result: 'not shown', seen: 'the run was interrupted' });
  expect(exitOf({ links: [], intents: [result] })).toBe(130);
});

test('a machine shows nothing of a door that is its own', async () => {
  const door = { host: '127.0.0.1', port: 443, via: 'service-endpoint', networks: [] };
  const file = { intents: [CLOSED] };
  expect(await findCaller(await prepareRun({}), file, CLOSED, door)).toEqual({
    why: 'this machine has the address 127.0.0.1 itself',
  });
});

test('a door that is open is open without any control', async () => {
  const open = await server('220 ready\r\n');
  const control = await startBlackHole();
  expect((await tryIn({ door: open.port, control })).result).toBe('OPEN');
});

test.each<[string, () => Promise<World> | World, RegExp]>([
  [
    'no control is open',
    async () => ({ control: await startBlackHole() }),
    /^no control: nothing else on port 443/,
  ],
  ['a control is refused', async () => ({ control: await refusing() }), /^no control: /],
  [
    'an address that nobody has takes connections',
    async () => ({ empty: (await server('')).port }),
    /takes every connection$/,
  ],
  [
    'the door refuses',
    async () => ({ door: await refusing() }),
    /^ECONNREFUSED: no listener, a firewall that rejects/,
  ],
  [
    'the door connects and sends nothing',
    async () => ({ door: (await server('')).port }),
    /^it connects, and nothing comes within 2 s/,
  ],
  [
    'there is a proxy',
    () => ({ options: { proxy: 'http://127.0.0.1:9' } }),
    /^behind the proxy http:\/\/127\.0\.0\.1:9/,
  ],
  [
    'the own address is not known',
    () => ({ options: { ownAddresses: [] } }),
    /^the address from which this machine calls is not known/,
  ],
  [
    'the intent speaks of others',
    () => ({ options: { ownAddresses: ['10.30.0.7'] } }),
    /does not speak of 10\.30\.0\.7/,
  ],
  [
    'one of two own addresses is inside',
    () => ({ options: { ownAddresses: [OWN, '10.30.0.7'] } }),
    /does not speak of 10\.30\.0\.7/,
  ],
  [
    'the callers have no known addresses',
    () => ({ intent: { from: 'workloads' } }),
    /^it is not known whether the intent speaks of 10\.9\.0\.1/,
  ],
  [
    'nothing is known to listen',
    () => ({ isUnheard: true }),
    /^would be silent either way: nothing in this run shows that it listens/,
  ],
  [
    'another port is asked about',
    () => ({ intent: { port: 8443 } }),
    /^would be silent either way: nothing is known to listen there/,
  ],
  [
    'the protocol is not tcp',
    () => ({ intent: { protocol: 'udp', port: 53 } }),
    /^udp is not tried/,
  ],
  [
    'the door is outside, and no canary is given',
    () => ({ intent: { to: { not: ['service'] } } }),
    /only with a `canary` of your own$/,
  ],
  [
    'nothing has the name',
    () => ({ intent: { to: 'orders' } }),
    /^nothing of this check has that name$/,
  ],
])('nothing is shown where %s', async (_, world, why) => {
  const result = await tryIn(await world());
  expect(result).toMatchObject({ result: 'not shown' });
  expect(result.seen).toMatch(why);
  expect(result.code).toBeUndefined();
});

async function refusing(): Promise<number> {
  const { port, stop } = await openRefusingPort();
  onTestFinished(stop);
  return port;
}

test('a control that fails meanwhile shows nothing', async () => {
  const control = await server('hello');
  const made = createServer((socket) => socket.destroy());
  let left = 1;
  made.on('connection', () => {
    left -= 1;
    if (left === 0) made.close();
  });
  const { port } = await listen(made);
  const result = await tryIn({ control: port });
  expect(control.ports).toEqual([]);
  expect(result).toMatchObject({ result: 'not shown' });
  expect(result.seen).toMatch(/^a control failed meanwhile \(ECONNREFUSED\): 10\.30\.9\.9:443/);
});

test('a canary of one’s own is the door to the outside', async () => {
  const canary = await server('hello');
  const intent = { from: 'workloads', to: { not: ['service'] }, canary: `${CONTROL}:443` };
  const file = { workloads: ['10.9.0.0/24'] };
  expect(await tryIn({ intent, file, control: canary.port })).toMatchObject({
    result: 'OPEN',
    door: `${CONTROL}:443`,
  });
});

test('an intent that must be proved with packets fails where it is not shown', async () => {
  const result = await tryIn({ intent: { proof: 'packets' }, isUnheard: true });
  expect(result).toMatchObject({ result: 'not shown', code: 'intent.not-shown' });
  expect(exitOf({ links: [], intents: [result] })).toBe(21);
});

test('a way that must be open is dialled, and fails the check where it is not', async () => {
  const open = await server('hello');
  const intent = { expect: 'reachable', from: '10.9.0.0/16', port: 443 } as const;
  expect(await tryIn({ intent, door: open.port })).toMatchObject({ result: 'reachable' });
  const silent = await tryIn({ intent });
  expect(silent).toMatchObject({ result: 'unreachable', code: 'intent.unreachable' });
  expect(exitOf({ links: [], intents: [silent] })).toBe(12);
});
