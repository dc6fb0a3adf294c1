import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accessModel, rulesDigest } from '../../src/access/access-model.js';
import type { AccessRule } from '../../src/access/access-rule.js';

const rule: AccessRule = {
  via: 'service-endpoint',
  direction: 'ingress',
  subject: 'endpoint',
  peer: { kind: 'cidr', cidr: '10.0.0.0/8' },
  protocol: 'tcp',
  ports: { first: 443, last: 443 },
  reason: 'calls',
};

const anyRule: fc.Arbitrary<AccessRule> = fc.record({
  via: fc.constantFrom('service-endpoint', 'fixed-ip-egress'),
  direction: fc.constantFrom('ingress', 'egress'),
  subject: fc.constantFrom('a', 'b'),
  peer: fc.oneof(
    fc
      .constantFrom('10.0.0.0/8', '9.0.0.0/8', '10.2.0.0/16')
      .map((cidr) => ({ kind: 'cidr' as const, cidr })),
    fc.constantFrom('1', '2').map((account) => ({ kind: 'account' as const, account })),
  ),
  protocol: fc.constantFrom('tcp', 'udp'),
  ports: fc.record({
    first: fc.integer({ min: 1, max: 9 }),
    last: fc.integer({ min: 9, max: 20 }),
  }),
  reason: fc.constantFrom('x', 'y'),
});

test('is the same for the same rules in any order, repeated or not', () => {
  fc.assert(
    fc.property(fc.array(anyRule), fc.nat(), (rules, seed) => {
      const shuffled = [...rules, ...rules.slice(0, 2)].sort(
        (a, b) => ((JSON.stringify(a).length * seed) % 7) - ((JSON.stringify(b).length * seed) % 5),
      );
      expect(JSON.stringify(accessModel('s', shuffled))).toBe(
        JSON.stringify(accessModel('s', rules)),
      );
    }),
  );
});

test("does not depend on the order of a rule's fields", () => {
  const reversed = Object.fromEntries(Object.entries(rule).reverse()) as unknown as AccessRule;
  expect(rulesDigest([reversed])).toBe(rulesDigest([rule]));
});

test.each<[string, Partial<AccessRule>]>([
  ['another port', { ports: { first: 443, last: 444 } }],
  ['another peer', { peer: { kind: 'cidr', cidr: '10.0.0.0/9' } }],
  ['another direction', { direction: 'egress' }],
  ['an exception', { exception: { reason: 'r', owner: 'o', expires: '2027-01-01' } }],
])('has another digest with %s', (_, change) => {
  expect(rulesDigest([{ ...rule, ...change }])).not.toBe(rulesDigest([rule]));
});

test('sorts peers by number', () => {
  const rules = ['10.10.0.0/16', '9.0.0.0/8', '10.2.0.0/16'].map((cidr) => ({
    ...rule,
    peer: { kind: 'cidr' as const, cidr },
  }));
  expect(
    accessModel('s', rules).rules.map(({ peer }) => peer.kind === 'cidr' && peer.cidr),
  ).toEqual(['9.0.0.0/8', '10.2.0.0/16', '10.10.0.0/16']);
});
