import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RuleLookup } from '../../src/reach/sets/lookup.js';
import { type OpenRange, overlay, uniteAll } from '../../src/reach/sets/ranges.js';
import { toRange } from '../../src/reach/sets/region.js';
import {
  countServices,
  EVERYTHING,
  intersect,
  joinSpans,
  overlaps,
  readPorts,
  type Services,
  servicesText,
  subtract,
  union,
} from '../../src/reach/sets/services.js';

const ADDRESSES = Array.from({ length: 24 }, (_, i) => BigInt(i));
const PORTS = Array.from({ length: 20 }, (_, i) => i);

const anySpan = fc
  .tuple(fc.nat({ max: 19 }), fc.nat({ max: 19 }))
  .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));
const anySpans = fc
  .array(anySpan, { maxLength: 4 })
  .map((spans): Services => joinSpans(spans.toSorted((a, b) => a.first - b.first)));
const anyRange = fc
  .tuple(fc.nat({ max: 23 }), fc.nat({ max: 23 }), anySpans)
  .map(([a, b, services]): OpenRange => {
    return { first: BigInt(Math.min(a, b)), last: BigInt(Math.max(a, b)), services };
  });
const anyRanges = fc.array(anyRange, { maxLength: 12 });

const has = (spans: Services, port: number) =>
  spans.some(({ first, last }) => first <= port && port <= last);
const portsOf = (spans: Services) => PORTS.filter((port) => has(spans, port));
const openTo = (ranges: readonly OpenRange[], address: bigint) =>
  PORTS.filter((port) =>
    ranges.some(
      ({ first, last, services }) => first <= address && address <= last && has(services, port),
    ),
  );

test('sets of ports are what they are port by port', () => {
  fc.assert(
    fc.property(anySpans, anySpans, (a, b) => {
      expect(portsOf(union(a, b))).toEqual(PORTS.filter((port) => has(a, port) || has(b, port)));
      expect(portsOf(subtract(a, b))).toEqual(
        PORTS.filter((port) => has(a, port) && !has(b, port)),
      );
      const both = intersect(a, b);
      expect(portsOf(both)).toEqual(PORTS.filter((port) => has(a, port) && has(b, port)));
      expect(overlaps(a, b)).toBe(both.length > 0);
      expect(countServices(both)).toBe(portsOf(both).length);
    }),
  );
});

test('the union of ranges is what they open address by address, in as few parts as can be', () => {
  fc.assert(
    fc.property(anyRanges, (ranges) => {
      // Rules often share the set of ports.
      const all = [...ranges, ...ranges.slice(0, 3).map((range) => ({ ...range, last: 23n }))];
      const united = uniteAll(all);
      for (const address of ADDRESSES) {
        expect(openTo(united, address)).toEqual(openTo(all, address));
      }
      for (const [i, { first, last, services }] of united.entries()) {
        expect(first <= last && services.length > 0).toBe(true);
        const before = united[i - 1];
        if (before === undefined) continue;
        expect(before.last < first).toBe(true);
        const isMore = before.last + 1n === first;
        if (isMore) expect(portsOf(before.services)).not.toEqual(portsOf(services));
      }
    }),
  );
});

test('what stays whole is the same object: thousands of rows share it', () => {
  const [https, other] = [
    [{ first: 443, last: 443 }],
    [
      { first: 80, last: 90 },
      { first: 444, last: 500 },
    ],
  ];
  expect(subtract(https, other)).toBe(https);
  expect(intersect(other, EVERYTHING)).toBe(other);
  expect(subtract(other, [{ first: 85, last: 85 }])).not.toBe(other);
});

test('two sets laid over each other are both of them at each address', () => {
  fc.assert(
    fc.property(anyRanges, anyRanges, (some, others) => {
      const [a, b] = [uniteAll(some), uniteAll(others)];
      const pairs = overlay(a, b);
      for (const address of ADDRESSES) {
        const at = pairs.filter(({ first, last }) => first <= address && address <= last);
        expect(at.length).toBeLessThan(2);
        expect(portsOf(at[0]?.a ?? [])).toEqual(openTo(a, address));
        expect(portsOf(at[0]?.b ?? [])).toEqual(openTo(b, address));
      }
    }),
  );
});

test('a lookup finds the rules that meet a range, in the order of their beginnings', () => {
  fc.assert(
    fc.property(anyRanges, anyRange, (ranges, wanted) => {
      const rules = ranges.map(({ first, last, services }) => ({
        peer: { kind: 'addresses', family: 4, first, last } as const,
        services,
      }));
      const expected = rules
        .filter(({ peer }) => peer.first <= wanted.last && wanted.first <= peer.last)
        .filter(({ services }) => overlaps(services, wanted.services))
        .toSorted((a, b) => Number(toRange(a).first - toRange(b).first));
      const lookup = new RuleLookup(rules, () => 'all');
      expect(lookup.find('all', wanted, wanted.services)).toEqual(expected);
      expect(lookup.find('all', wanted, wanted.services, 1)).toEqual(expected.slice(0, 1));
      expect(lookup.find('others', wanted, wanted.services)).toEqual([]);
    }),
  );
});

test('a number beyond the last port is none, and not one of the next protocol', () => {
  expect(readPorts('tcp', 443, 70_000)).toBeUndefined();
  expect(readPorts('tcp', 443, 442)).toBeUndefined();
  expect(readPorts('udp', -1, 53)).toBeUndefined();
  expect(servicesText(readPorts('udp', 0, 65_535) ?? [])).toBe('udp all ports');
  expect(servicesText(subtract(EVERYTHING, readPorts('tcp', 443, 443) ?? []))).toBe(
    'everything but tcp 443',
  );
});
