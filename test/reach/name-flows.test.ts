import { expect, test } from 'vitest';
import { cidrPeer, type PacketRule } from '../../src/reach/packet-rule.js';
import { nameFlows } from '../../src/reach/rules/name-flows.js';
import type { EffectiveFlow } from '../../src/reach/rules/reading.js';
import { StatedSubjects } from '../../src/reach/rules/stated-subjects.js';
import { toServices } from '../../src/reach/sets/services.js';

const OPENED = {
  direction: 'ingress' as const,
  peer: cidrPeer('10.0.0.0/8'),
  services: toServices('tcp', { first: 443, last: 443 }),
};

function nameOf(carrier: string, subjects: readonly string[]): string | undefined {
  const rules = subjects.map(
    (subject): PacketRule => ({ ...OPENED, stack: 's', via: '', subject, reason: '', unknown: [] }),
  );
  const flow: EffectiveFlow = { ...OPENED, kind: 'packets', carrier, resource: carrier };
  return nameFlows('s', [flow], new StatedSubjects(rules))[0]?.subject;
}

test.each([
  ['volcenginecc_vpc_security_group.orders-2_backend-security-group_E3094E7D', 'orders-2'],
  ['volcenginecc_vpc_security_group.orders_backend-security-group_E3094E7D', 'orders'],
  ['volcenginecc_clb_clb.orders-2_load-balancer_E3094E7D', 'orders-2'],
])('of subjects with equal rules, %s has the name %s', (carrier, name) => {
  expect(nameOf(carrier, ['orders', 'orders-2'])).toBe(name);
  expect(nameOf(carrier, ['orders-2', 'orders'])).toBe(name);
});

test('neither a type nor a part of a word is a name', () => {
  const carrier = 'volcenginecc_vpc_security_group.tickets_group';
  expect(nameOf(carrier, ['tickets', 'security', 'ticket', 'vpc'])).toBe('tickets');
  expect(nameOf(carrier, ['first', 'ticket', 'security'])).toBe('first');
});
