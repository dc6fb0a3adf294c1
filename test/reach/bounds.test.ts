import { expect, test } from 'vitest';
import { cidrPeer, type RulePeer, type Verdict } from '../../src/reach/packet-rule.js';
import type { RuleList } from '../../src/reach/rules/reading.js';
import { tieQuestion } from '../../src/reach/rules/rule-list.js';
import { combine, meet, type OpenRanges } from '../../src/reach/sets/ranges.js';
import { subtract, toServices, union } from '../../src/reach/sets/services.js';
import {
  type Bounds,
  doubtText,
  findUses,
  isMixed,
  passUnderDoubt,
} from '../../src/reach/ways/bounds.js';
import type { Door } from '../../src/reach/ways/door.js';
import { everyPacket, passAll } from '../../src/reach/ways/pass.js';
import { runs } from '../support/samples.js';
import { randomOf } from './two-engines.js';

type Random = ReturnType<typeof randomOf>;

const KINDS = ['group', 'group', 'firewall', 'acl', 'listener'] as const;
const NETWORKS = ['0.0.0.0/0', '8.0.0.0/8', '8.8.0.0/16', '9.0.0.0/8'] as const;
const DOUBTS = ['a?', 'b?', 'c?'] as const;
const ASKED = { ...everyPacket(4), isWithoutNames: false };

function randomRule(random: Random): Verdict {
  const named: RulePeer = { kind: 'group', name: random.pick(['sg-1', 'sg-2']) };
  const port = random.pick([80, 443]);
  return {
    priority: random.pick([1, 1, 2, 3]),
    isAccept: random.next(2) === 0,
    peers: [random.next(4) === 0 ? named : cidrPeer(random.pick(NETWORKS))],
    services: toServices('tcp', { first: port, last: random.pick([port, 65_535]) }),
    ...{ resource: 'x', text: 'x' },
    ...(random.next(2) === 0 && {
      doubt: random.pick(DOUBTS),
      isUnless: random.next(3) === 0,
    }),
  };
}

function randomDoors(random: Random): Door[] {
  return Array.from({ length: 1 + random.next(3) }, () => {
    const rules = Array.from({ length: 1 + random.next(6) }, () => randomRule(random));
    const list: RuleList = {
      ...{ kind: random.pick(KINDS), carrier: 'x', direction: 'ingress', rules },
    };
    return { list } as Door;
  });
}

function isSame(a: OpenRanges, b: OpenRanges): boolean {
  return combine(a, b, subtract).length === 0 && combine(b, a, subtract).length === 0;
}

/** Sends everything through doors under every combination of answers. */
function enumerate(series: readonly Door[]) {
  const uses = findUses(series, ASKED);
  const ties = series.flatMap(({ list }) => tieQuestion(list) ?? []);
  const doubts = [...new Set([...uses.keys(), ...ties])];
  const all = Array.from(
    { length: 2 ** doubts.length },
    (_, bits) =>
      passAll(series, ASKED, (doubt) => ((bits >> doubts.indexOf(doubt)) & 1) === 1).open,
  );
  return {
    most: all.reduce((a, b) => combine(a, b, union)),
    least: all.reduce(meet),
    deciding: doubts
      .filter((_, i) => all.some((one, bits) => !isSame(one, all[bits ^ (1 << i)] ?? one)))
      .map(doubtText),
    mixed: [...uses.values()].filter(isMixed).length,
  };
}

const CASES = Array.from({ length: runs(400) }, (_, seed) => {
  const series = randomDoors(randomOf(seed * 7_919 + 1));
  return { seed, bounds: passUnderDoubt(series, ASKED), truth: enumerate(series) };
});
const isExact = ({ bounds, truth }: (typeof CASES)[number]) =>
  isSame(bounds.most, truth.most) && isSame(bounds.least, truth.least);
const isOpen = ({ most, least }: Pick<Bounds, 'most' | 'least'>) => !isSame(most, least);

test('no packet passes beyond the bounds, and one question answered for and against keeps them exact', () => {
  const outside = CASES.filter(
    ({ bounds, truth }) =>
      combine(truth.most, bounds.most, subtract).length > 0 ||
      combine(bounds.least, truth.least, subtract).length > 0,
  );
  expect(outside.map(({ seed }) => seed)).toEqual([]);
  const plain = CASES.filter(({ truth }) => truth.mixed < 2);
  expect(plain.length).toBeGreaterThan(CASES.length / 4);
  expect(plain.filter((one) => !isExact(one)).map(({ seed }) => seed)).toEqual([]);
  expect(CASES.filter(({ truth }) => truth.mixed === 1).length).toBeGreaterThan(CASES.length / 20);
});

test('several questions answered for and against at once widen few bounds', () => {
  const several = CASES.filter(({ truth }) => truth.mixed > 1);
  expect(several.length).toBeGreaterThan(CASES.length / 10);
  expect(several.filter((one) => !isExact(one)).length).toBeLessThan(several.length / 10);
});

test('reasons are doubts whose answer changes the result, and there is one wherever the bounds differ', () => {
  const unreasoned = CASES.filter(({ bounds }) => isOpen(bounds) !== bounds.why.length > 0);
  expect(unreasoned.map(({ seed }) => seed)).toEqual([]);
  const open = CASES.filter((one) => isExact(one) && isOpen(one.bounds));
  expect(open.length).toBeGreaterThan(CASES.length / 4);
  const wrong = open.filter(({ bounds, truth }) =>
    bounds.why.some((one) => !truth.deciding.includes(one)),
  );
  expect(wrong.map(({ seed }) => seed)).toEqual([]);
  const isWhole = ({ bounds, truth }: (typeof CASES)[number]) =>
    bounds.why.length === truth.deciding.length;
  const plain = open.filter(({ truth }) => truth.mixed === 0);
  expect(plain.length).toBeGreaterThan(CASES.length / 8);
  expect(plain.filter((one) => !isWhole(one)).length).toBeLessThan(plain.length / 50);
  expect(open.filter((one) => !isWhole(one)).length).toBeLessThan(open.length / 10);
});
