import fc from 'fast-check';
import { accessModel } from '../../src/access/access-model.js';
import type { AccessRule } from '../../src/access/access-rule.js';
import type { SynthesizedStack, SynthesizedTree } from '../../src/reach/read/read-tree.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { review } from '../../src/review/review.js';

export const TODAY = '2030-06-15';

export const rule: AccessRule = {
  via: 'service-endpoint',
  direction: 'ingress',
  subject: 'endpoint',
  peer: { kind: 'cidr', cidr: '10.0.0.0/24' },
  protocol: 'tcp',
  ports: { first: 443, last: 443 },
  reason: 'calls to the service',
};

export function from(cidr: string, change: Partial<AccessRule> = {}): AccessRule {
  return { ...rule, peer: { kind: 'cidr', cidr }, ...change };
}

/** The rule as the constructs write it where no resource enforces it. */
export const elsewhere = (stated: AccessRule): AccessRule => ({
  enforcedElsewhere: 'the firewall of the office',
  ...stated,
});

/** A stack as if it had been synthesized; without resources something else enforces its rules. */
export function stackOf(
  rules: readonly AccessRule[],
  terraform: Record<string, unknown> = {},
  name = 'api-access',
): SynthesizedStack {
  const stated = terraform.resource === undefined ? rules.map(elsewhere) : rules;
  const access = JSON.parse(JSON.stringify(accessModel(name, stated)));
  return { name, terraform: readTerraform(terraform), access };
}

export function treeOf(...stacks: readonly SynthesizedStack[]): SynthesizedTree {
  return new Map(stacks.map((stack) => [stack.name, stack]));
}

/** The review of two sets of rules, with nothing in Terraform. */
export function reviewOf(base: readonly AccessRule[], head: readonly AccessRule[]) {
  return review(treeOf(stackOf(base)), treeOf(stackOf(head)), TODAY);
}

/** The review of two states of Terraform, with no rules. */
export function reviewOfTerraform(base: Record<string, unknown>, head: Record<string, unknown>) {
  return review(treeOf(stackOf([], base)), treeOf(stackOf([], head)), TODAY);
}

/** CIDRs that touch, overlap and nest, so that generated rules meet. */
const cidr = fc.oneof(
  fc.constantFrom('10.0.0.0/29', '10.0.0.4/30', '10.0.0.8/31', '10.0.0.10/32', '10.0.1.0/24'),
  fc.integer({ min: 0, max: 15 }).map((host) => `10.0.0.${host}/32`),
  fc.constantFrom('fd00::/126', 'fd00::2/128', '255.255.255.255/32', '0.0.0.0/32'),
);

export const anyRule: fc.Arbitrary<AccessRule> = fc.record({
  via: fc.constantFrom('service-endpoint', 'fixed-ip-egress'),
  direction: fc.constantFrom('ingress', 'egress'),
  subject: fc.constantFrom('a', 'b'),
  peer: fc.oneof(
    { weight: 6, arbitrary: cidr.map((text) => ({ kind: 'cidr' as const, cidr: text })) },
    fc.constantFrom('1', '2').map((account) => ({ kind: 'account' as const, account })),
    fc.constantFrom('ep-1', 'ep-2').map((endpoint) => ({ kind: 'endpoint' as const, endpoint })),
  ),
  protocol: fc.constantFrom('tcp', 'tcp', 'udp', 'icmp', 'any'),
  ports: fc
    .tuple(fc.constantFrom(0, 80, 442, 443, 65535), fc.constantFrom(0, 80, 443, 444, 65535))
    .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) })),
  reason: fc.constantFrom('x', 'y'),
});

export const anyRules = fc.array(anyRule, { maxLength: 8 });
