import { expect, test } from 'vitest';
import type { Door } from '../../src/reach/ways/door.js';
import type { CloudState } from '../../src/sandbox/cloud/cloud-state.js';
import { emptyCloud } from '../sandbox/support.js';
import { runs } from '../support/samples.js';
import { type Judged, judgeAll, randomCloud, randomOf } from './two-engines.js';

const CLOUDS = runs(60);

function* clouds() {
  for (let seed = 0; seed < CLOUDS; seed += 1) {
    const cloud = emptyCloud();
    randomCloud(cloud, randomOf(seed));
    yield cloud.state;
  }
}

/** Tells whether the engines disagree in any cloud: the first one that shows an error is enough. */
function isFound(judge: (cloud: CloudState) => Judged[]): boolean {
  for (const cloud of clouds()) if (judge(cloud).some(disagrees)) return true;
  return false;
}

/** Between both answers to what is assumed, where they differ. */
function disagrees({ sandbox, closed, open }: Judged): boolean {
  return sandbox ? !open : closed;
}

test('the sandbox and reach judge thousands of packets alike', () => {
  const all = [...clouds()].flatMap((cloud) => judgeAll(cloud));
  expect(all.length).toBeGreaterThan(runs(5000));
  expect(all.filter(({ sandbox }) => sandbox).length).toBeGreaterThan(runs(500));
  expect(all.filter(disagrees).map(({ packet }) => packet)).toEqual([]);
});

const change = (rules: (door: Door) => Door['list']['rules']) => (door: Door) => ({
  ...door,
  list: { ...door.list, rules: rules(door) },
});

test.each<[error: string, change: (door: Door) => Door]>([
  ['the first rule is left out', change(({ list }) => list.rules.slice(1))],
  [
    'the highest priority wins',
    change(({ list }) =>
      list.rules.map((rule) => ({
        ...rule,
        priority: rule.priority === Number.POSITIVE_INFINITY ? rule.priority : -rule.priority,
      })),
    ),
  ],
  [
    'at equal priority accept wins',
    change(({ list }) =>
      list.rules.map((rule) => ({ ...rule, priority: rule.priority + (rule.isAccept ? 0 : 0.5) })),
    ),
  ],
])('an error of reach is found: %s', (_, broken) => {
  expect(isFound((cloud) => judgeAll(cloud, broken))).toBe(true);
});

/** The cloud with another value for each member of such a name. */
const reread = (name: string, change: (value: unknown) => unknown) => (cloud: CloudState) =>
  JSON.parse(JSON.stringify(cloud), (key, value) => (key === name ? change(value) : value));

test.each<[error: string, change: (cloud: CloudState) => CloudState]>([
  ['the highest priority wins', reread('Priority', (value) => 101 - Number(value))],
  [
    'a range of ports ends before its last',
    reread('PortEnd', (value) => Math.max(-1, Number(value) - 1)),
  ],
  ['policies that are off hold', reread('Status', () => true)],
])('an error of the sandbox is found: %s', (_, change) => {
  expect(isFound((cloud) => judgeAll(cloud, undefined, change(cloud)))).toBe(true);
});
