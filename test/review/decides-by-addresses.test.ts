import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessRule } from '../../src/access/access-rule.js';
import { parseCidr, toCidr } from '../../src/net/cidr.js';
import { runs } from '../support/samples.js';
import { boundaryPackets, isLetThrough } from './decisions.js';
import { anyRule, anyRules, from, reviewOf } from './trees.js';

describe('properties of every two sets of rules', () => {
  test('the other way round, wider is narrower and the rest stays', () => {
    fc.assert(
      fc.property(anyRules, anyRules, (a, b) => {
        const there = reviewOf(a, b);
        const back = reviewOf(b, a);
        expect(back.totals).toMatchObject({
          widens: there.totals.narrows,
          narrows: there.totals.widens,
          neutral: there.totals.neutral,
        });
        const turned = back.changes.map(({ effect, was, now, why: _, ...change }) => ({
          ...change,
          effect: effect === 'widens' ? 'narrows' : 'widens',
          was: now,
          now: was,
        }));
        const reported = there.changes.map(({ why: _, ...change }) => change);
        expect(sorted(turned)).toEqual(sorted(reported));
        expect(
          back.reach.map(({ was, now, newlyReachable, noLongerReachable, ...place }) => ({
            ...place,
            was: now,
            now: was,
            newlyReachable: noLongerReachable,
            noLongerReachable: newlyReachable,
          })),
        ).toEqual(there.reach);
      }),
    );
  });

  test('neutral if and only if both let the same packets through at every boundary', () => {
    const close = fc.oneof(
      fc.tuple(anyRules, anyRules),
      fc.tuple(anyRules, anyRule).map(([rules, one]) => [rules, [...rules, one]] as const),
      anyRules.map((rules) => [rules, rules.flatMap(split)] as const),
    );
    fc.assert(
      fc.property(close, ([a, b]) => {
        const { totals } = reviewOf(a, b);
        let isAlike = true;
        for (const packet of boundaryPackets([...a, ...b])) {
          if (isLetThrough(a, packet) !== isLetThrough(b, packet)) isAlike = false;
        }
        expect(totals.widens + totals.narrows === 0).toBe(isAlike);
      }),
      { numRuns: runs(60) },
    );
  });

  test('says wider exactly where a packet is let through that was not', () => {
    fc.assert(
      fc.property(anyRules, anyRules, (a, b) => {
        const { totals } = reviewOf(a, b);
        let [opened, closed] = [false, false];
        for (const packet of boundaryPackets([...a, ...b])) {
          const [was, now] = [isLetThrough(a, packet), isLetThrough(b, packet)];
          if (now && !was) opened = true;
          if (was && !now) closed = true;
        }
        expect([totals.widens > 0, totals.narrows > 0]).toEqual([opened, closed]);
      }),
    );
  });

  test('order, repetition, splitting and reasons change nothing', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const other = [...rules, ...rules]
          .reverse()
          .flatMap(split)
          .map((one) => ({ ...one, reason: 'another' }));
        const { totals, changes } = reviewOf(rules, other);
        expect(changes).toEqual([]);
        expect(totals.neutral).toBe(reviewOf(rules, rules).totals.neutral);
      }),
    );
  });
});

test('a /31 split into two /32 is neutral', () => {
  const { decision, totals } = reviewOf(
    [from('10.0.0.8/31')],
    [from('10.0.0.8/32'), from('10.0.0.9/32')],
  );
  expect(decision).toBe('no-change');
  expect(totals).toMatchObject({ widens: 0, narrows: 0, neutral: 1, forbidden: 0 });
});

test('tells what was opened of a peer that something was open to already', () => {
  const { changes } = reviewOf(
    [from('10.0.0.0/24')],
    [from('10.0.0.0/24', { ports: { first: 443, last: 444 } })],
  );
  expect(changes).toEqual([
    {
      effect: 'widens',
      stack: 'api-access',
      via: 'service-endpoint',
      direction: 'ingress',
      subject: 'endpoint',
      peer: '10.0.0.0/24',
      services: 'tcp 444',
      was: 'tcp 443',
      now: 'tcp 443–444',
      addresses: '256',
      why: 'calls to the service',
      through: '',
    },
  ]);
});

test('counts addresses: 24 become 26', () => {
  const addresses = (count: number) =>
    Array.from({ length: count }, (_, i) => from(`192.0.2.${i * 2}/32`));
  const { reach } = reviewOf(addresses(24), addresses(26));
  expect(reach).toMatchObject([
    { was: '24', now: '26', newlyReachable: '2', noLongerReachable: '0', family: 4 },
  ]);
});

test('tells accounts and connections that came and went', () => {
  const account = (id: string) => from('', { peer: { kind: 'account', account: id } });
  const endpoint = (id: string) => from('', { peer: { kind: 'endpoint', endpoint: id } });
  const { namedPeers } = reviewOf(
    [account('2100000001'), endpoint('ep-1')],
    [account('2100000001'), account('2100000002')],
  );
  expect(namedPeers.map(({ effect, kind, name }) => [effect, kind, name])).toEqual([
    ['gained', 'account', '2100000002'],
    ['lost', 'endpoint', 'ep-1'],
  ]);
});

/** The same packets in two rules, where a rule has more than one address. */
function split(rule: AccessRule): AccessRule[] {
  if (rule.peer.kind !== 'cidr') return [rule];
  const { family, first, last, prefix } = parseCidr(rule.peer.cidr);
  if (first === last) return [rule];
  return [first, first + (last - first + 1n) / 2n].map((value) => ({
    ...rule,
    peer: { kind: 'cidr', cidr: toCidr({ family, value }, prefix + 1).text },
  }));
}

function sorted(changes: readonly object[]): string[] {
  return changes.map((change) => JSON.stringify(change, Object.keys(change).sort())).sort();
}
