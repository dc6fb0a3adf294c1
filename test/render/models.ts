import fc from 'fast-check';
import { type AccessModel, accessModel } from '../../src/access/access-model.js';
import type { AccessRule } from '../../src/access/access-rule.js';
import { toCidr } from '../../src/net/cidr.js';

export const rule: AccessRule = {
  via: 'fixed-ip-egress',
  direction: 'egress',
  subject: 'agents',
  peer: { kind: 'cidr', cidr: '198.51.100.10/32' },
  protocol: 'tcp',
  ports: { first: 443, last: 443 },
  reason: 'calls to the service',
};

export function cidrRule(cidr: string, change: Partial<AccessRule> = {}): AccessRule {
  return { ...rule, ...change, peer: { kind: 'cidr', cidr } };
}

export function modelOf(...rules: readonly AccessRule[]): AccessModel {
  return accessModel('api-access-test', rules);
}

/** As many addresses as the vendor has, with four pairs that merge, from a network for documents. */
export const STAND_INS = [
  10, 11, 15, 20, 25, 26, 30, 31, 40, 45, 47, 49, 51, 60, 61, 63, 70, 71, 75, 80, 90, 99, 120, 201,
].map((host) => `198.51.100.${host}`);

/** The stand-ins, one address range of IPv6, and what comes in from another list. */
export const MIXED = modelOf(
  ...STAND_INS.map((address) => cidrRule(`${address}/32`)),
  cidrRule('2001:db8:1::/64'),
  cidrRule('203.0.113.64/26', {
    direction: 'ingress',
    via: 'fixed-ip-ingress',
    ports: { first: 8440, last: 8449 },
  }),
);

/** The stand-ins only: what plain lists can hold. */
export const ONE_SERVICE = modelOf(...STAND_INS.map((address) => cidrRule(`${address}/32`)));

// Few addresses, so that networks touch and overlap often, and both ends of the number line.
const anyCidr = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 63 }), fc.integer({ min: 26, max: 32 }))
    .map(([host, prefix]) => toCidr({ family: 4, value: 0xc6336400n + BigInt(host) }, prefix).text),
  fc
    .tuple(fc.integer({ min: 0, max: 63 }), fc.integer({ min: 120, max: 128 }))
    .map(
      ([host, prefix]) =>
        toCidr({ family: 6, value: (0x20010db8n << 96n) + BigInt(host) }, prefix).text,
    ),
  fc.constantFrom('255.255.255.255/32', '0.0.0.0/32', '0.0.0.0/1', '::/128'),
);

const anyService = fc.oneof(
  fc.record({
    protocol: fc.constantFrom('tcp' as const, 'udp' as const),
    ports: fc.constantFrom(
      { first: 443, last: 443 },
      { first: 440, last: 450 },
      { first: 1, last: 65535 },
      { first: 65535, last: 65535 },
    ),
  }),
  fc.constant({ protocol: 'any' as const, ports: { first: -1, last: -1 } }),
);

const icmp = fc.constant({ protocol: 'icmp' as const, ports: { first: -1, last: -1 } });

interface Shape {
  readonly subjects: readonly [string, ...string[]];
  readonly icmp: boolean;
  readonly oneService?: boolean;
}

/** Models that a form with these limits can say. */
export function anyModel(shape: Shape): fc.Arbitrary<AccessModel> {
  const service = shape.icmp ? fc.oneof(anyService, icmp) : anyService;
  const direction = fc.constantFrom('egress' as const, 'ingress' as const);
  const common = { subject: fc.constantFrom(...shape.subjects), direction, service };
  const build = (cidr: string, { service, ...rest }: { service: object } & Partial<AccessRule>) =>
    cidrRule(cidr, { ...rest, ...service });
  if (shape.oneService) {
    return fc
      .tuple(fc.array(anyCidr, { minLength: 1, maxLength: 12 }), fc.record(common))
      .map(([cidrs, one]) => modelOf(...cidrs.map((cidr) => build(cidr, one))));
  }
  return fc
    .array(fc.tuple(anyCidr, fc.record(common)), { minLength: 1, maxLength: 12 })
    .map((rules) => modelOf(...rules.map(([cidr, one]) => build(cidr, one))));
}
