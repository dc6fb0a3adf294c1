import { expect, test } from 'vitest';
import { negativeControl } from '../../../src/verify/intents/controls.js';
import { CLOSED, CONTROL, DOOR, server, tryAllIn, tryIn } from './world-of-doors.js';

test('intents about one door share its dials', async () => {
  const door = await server('');
  const intents = ['nobody else', 'nor anybody else'].map((name) => ({ ...CLOSED, name }));
  const results = await tryAllIn({ door: door.port, file: { intents } });
  expect(results.map(({ result }) => result)).toEqual(['not shown', 'not shown']);
  // A second connection carries the first words of HTTP.
  expect(door.ports).toHaveLength(2);
});

test('an open place of the other family shows nothing', async () => {
  const result = await tryIn({ passed: ['2001:db8::9'] });
  expect(result).toMatchObject({ result: 'not shown' });
  expect(result.seen).toMatch(/^no control: nothing else on port 443/);
});

test('a door that was open from here a moment ago is not closed', async () => {
  const result = await tryIn({ passed: [CONTROL, DOOR] });
  expect(result).toMatchObject({ result: 'not shown' });
  expect(result.seen).toMatch(/^silent now, and open from here earlier in this run/);
});

test('a process that stands still meanwhile shows nothing', async () => {
  const control = await server('hello', (count) => {
    // The first connection chooses the control, the second is made while the door is dialled.
    if (count === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
  });
  const result = await tryIn({ control: control.port });
  expect(result).toMatchObject({ result: 'not shown' });
  expect(result.seen).toMatch(/^this machine stood still meanwhile/);
});

test('an address of somebody else that the name is answered with is no door', async () => {
  const other = await server('hello');
  const answers = ['203.0.113.7'];
  const connectTo = [`203.0.113.7:443:127.0.0.1:${other.port}`, '*:1-65535:127.0.0.1:9'];
  const results = await tryAllIn({ answers, options: { connectTo } });
  expect(results.map(({ door }) => door)).toEqual([`${DOOR}:443`]);
  expect(other.ports).toEqual([]);
});

test.each([
  ['is what the intent leaves out', { to: { not: ['service', `${CONTROL}/32`] } }],
  ['has another port', { to: { not: ['service'] }, port: 8443 }],
  ['is no place of the called side', { to: 'orders' }],
])('a canary that %s is not dialled', async (_, more) => {
  const canary = await server('hello');
  const intent = { from: 'workloads', canary: `${CONTROL}:443`, ...more };
  const result = await tryIn({
    intent,
    file: { workloads: ['10.9.0.0/24'] },
    control: canary.port,
  });
  expect(result).toMatchObject({ result: 'not shown' });
  expect(result.seen).toBe(`the intent is not known to speak of its canary ${CONTROL}:443`);
  expect(canary.ports).toEqual([]);
});

test('a subnet of few addresses has one that nobody has, and one of the other family has none', () => {
  const door = { host: '10.0.0.18', port: 443, via: '', networks: ['10.0.0.16/28'] };
  expect(negativeControl(door, [])?.host).toBe('10.0.0.30');
  expect(negativeControl(door, [{ host: '10.0.0.30', port: 1 }])?.host).toBe('10.0.0.29');
  expect(negativeControl({ ...door, networks: ['2001:db8::/64'] }, [])).toBeUndefined();
});
