import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cidrPeer, type PacketRule } from '../../src/reach/packet-rule.js';
import type { EffectiveFlow } from '../../src/reach/rules/reading.js';
import { StatedSubjects, statesAll, statesSome } from '../../src/reach/rules/stated-subjects.js';
import { toRange } from '../../src/reach/sets/region.js';
import { overlaps, toServices } from '../../src/reach/sets/services.js';

const BLOCKS = ['0.0.0.0/0', '10.0.0.0/8', '10.0.0.0/9', '10.0.0.0/24', '10.128.0.0/9', '::/0'];

const packets = fc.record({
  peer: fc.constantFrom(...BLOCKS).map(cidrPeer),
  services: fc
    .tuple(fc.nat({ max: 9 }), fc.nat({ max: 3 }))
    .map(([first, more]) => toServices('tcp', { first, last: first + more })),
  direction: fc.constantFrom('ingress' as const, 'egress' as const),
});
const rule = fc.tuple(packets, fc.constantFrom('a', 'b', 'c')).map(([of, subject]): PacketRule => {
  return { ...of, subject, stack: 's', via: 'service-endpoint', reason: '', unknown: [] };
});
const flow = packets.map((of): EffectiveFlow => {
  return { ...of, kind: 'packets', carrier: 'group', resource: 'group' };
});

/** Compares each flow with each rule. */
function naive(rules: readonly PacketRule[], flows: readonly EffectiveFlow[], isWhole: boolean) {
  const meets = (one: PacketRule, of: EffectiveFlow) => {
    const [a, b] = [toRange(one), toRange(of)];
    const isClass =
      one.direction === of.direction &&
      one.peer.kind === 'addresses' &&
      of.peer.kind === 'addresses' &&
      one.peer.family === of.peer.family;
    const isMet = a.first <= b.last && b.first <= a.last && overlaps(a.services, b.services);
    return isClass && isMet && (!isWhole || statesAll(one, of));
  };
  const counted = ['a', 'b', 'c'].flatMap((name) =>
    (['ingress', 'egress'] as const).flatMap((direction) => {
      const own = rules.filter((one) => one.subject === name && one.direction === direction);
      const met = flows.filter((of) => own.some((one) => meets(one, of))).length;
      const missing = own.filter((one) => !flows.some((of) => meets(one, of))).length;
      return met === 0 ? [] : [{ name: `${name} ${direction}`, met, missing }];
    }),
  );
  const most = Math.max(...counted.map(({ met }) => met));
  const best = counted.filter(({ met }) => met === most);
  // Of the only one that fits none is counted.
  return best.map(({ name, missing }) => `${name} ${best.length === 1 ? 0 : missing}`).sort();
}

test('the subjects that state the most of what a carrier opens are those that each rule is asked of', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 12 }),
      fc.array(flow, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      (rules, flows, isWhole) => {
        const found = new StatedSubjects(rules)
          .findBest('s', flows, isWhole ? statesAll : statesSome)
          .map(({ rule: of, missing }) => `${of.subject} ${of.direction} ${missing}`);
        expect(found.sort()).toEqual(naive(rules, flows, isWhole));
      },
    ),
  );
});

test('an endpoint that may call everybody is none of the workloads that may call the service', () => {
  const [everyone, service] = ['0.0.0.0/0', '36.110.186.29/32'].map(cidrPeer) as [never, never];
  const stated = { subject: 'workloads', via: 'fixed-ip-egress', direction: 'egress' as const };
  const common = { stack: 's', reason: '', unknown: [] };
  const rules = [{ ...common, ...stated, peer: service, services: toServices('tcp') }];
  const found = (carrier: string) =>
    new StatedSubjects(rules).findBest(
      's',
      [
        { kind: 'packets', carrier, direction: 'egress', peer: everyone },
        { kind: 'packets', carrier, direction: 'egress', peer: service },
      ].map((one) => ({ ...one, services: toServices('any'), resource: carrier }) as EffectiveFlow),
      statesSome,
    );
  expect(found('volcenginecc_privatelink_vpc_endpoint.api')).toEqual([]);
  expect(found('volcenginecc_vpc_security_group.own')).toHaveLength(1);
});
