import { describe, expect, test } from 'vitest';
import {
  FixedIpIngress,
  type FixedIpIngressProps,
} from '../../src/constructs/fixed-ip/fixed-ip-ingress.js';
import { onlyResource, resources, synth } from '../support/synth.js';

function list(...addresses: string[]): FixedIpIngressProps['addresses'] {
  return {
    version: '2026-05-04',
    entries: addresses.map((address) => ({
      address,
      state: 'active',
      firstSeen: '2026-05-04',
      source: 'letter of the vendor',
    })),
  };
}

function build(props: Partial<FixedIpIngressProps> = {}) {
  let ingress: FixedIpIngress | undefined;
  const made = synth((stack) => {
    ingress = new FixedIpIngress(stack, 'ingress', {
      name: 'tickets',
      backend: 'tickets',
      addresses: list('192.0.2.2', '192.0.2.1'),
      ports: [443],
      enforcedElsewhere: 'the firewall of the data centre',
      ...props,
    });
  });
  return { made, ingress };
}

test('states who may call the backend, and guards it', () => {
  const { made, ingress } = build();
  expect(made.json.resource).toBeUndefined();
  expect(made.rules).toHaveLength(2);
  expect(made.rules[0]).toMatchObject({
    via: 'fixed-ip-ingress',
    direction: 'ingress',
    subject: 'tickets',
    peer: { kind: 'cidr', cidr: '192.0.2.1/32' },
    ports: { first: 443, last: 443 },
    enforcedElsewhere: 'the firewall of the data centre',
  });
  expect(ingress).toMatchObject({
    backend: 'tickets',
    callerNetworks: ['192.0.2.1/32', '192.0.2.2/32'],
  });
});

test('makes every target from the same rules', () => {
  const { made } = build({
    securityGroup: { vpcId: 'vpc-1' },
    prefixList: { headroom: 2 },
    cloudFirewall: { own: ['198.51.100.9/32'], close: true },
    tags: { owner: 'me' },
    projectName: 'p',
  });
  expect(onlyResource(made, 'volcenginecc_vpc_security_group')).toMatchObject({
    ingress_permissions: [{ cidr_ip: '192.0.2.1/32' }, { cidr_ip: '192.0.2.2/32' }],
    egress_permissions: [{ policy: 'drop' }, { policy: 'drop' }],
    project_name: 'p',
  });
  expect(onlyResource(made, 'volcenginecc_vpc_prefix_list')).toMatchObject({ max_entries: 4 });
  const books = Object.values(resources(made, 'volcenginecc_fwcenter_address_book'));
  expect(books.map((book) => book.address_detail_list)).toEqual(
    expect.arrayContaining([
      [
        expect.objectContaining({ address: '192.0.2.1/32' }),
        expect.objectContaining({ address: '192.0.2.2/32' }),
      ],
      [expect.objectContaining({ address: '198.51.100.9/32' })],
    ]),
  );
});

test('closes the ports of the backend on the firewall, and no other', () => {
  const { made } = build({ cloudFirewall: { own: ['198.51.100.9/32'], close: true } });
  const policies = Object.values(resources(made, 'volcenginecc_fwcenter_control_policy'));
  expect(policies.find(({ action }) => action === 'accept')).toMatchObject({
    direction: 'in',
    source_type: 'group',
    destination: expect.stringContaining('own-addresses'),
    prio: 1,
  });
  expect(policies.find(({ action }) => action === 'deny')).toMatchObject({
    direction: 'in',
    source: '0.0.0.0/0',
    destination: expect.stringContaining('own-addresses'),
    proto: 'TCP',
    dest_port: '443',
    prio: 0,
    // Nobody of the list is cut off between the two.
    depends_on: [expect.stringContaining('accept-tcp-443')],
  });
});

describe('refuses', () => {
  test.each<[string, Partial<FixedIpIngressProps>, string]>([
    [
      'an empty list',
      { addresses: list() },
      '`addresses.entries` must let at least one address through, got: none',
    ],
    [
      'a private address',
      { addresses: list('192.168.0.1') },
      '`addresses.entries[0]` is not a public address, got: "192.168.0.1"',
    ],
    [
      'a list of which too much is removed',
      {
        addresses: {
          version: '1',
          entries: list('192.0.2.1', '192.0.2.2').entries.map((entry, i) =>
            i === 0 ? { ...entry, state: 'removed' } : entry,
          ),
        },
      },
      '`addresses.entries` must not shrink by more than a quarter at once, got: 1 of 2 addresses; if this is intended, add a `shrinkException`',
    ],
    ['no port', { ports: [] }, '`ports` must name at least one port'],
    ['a port out of range', { ports: [0] }, '`ports` must be 1 to 65535, got: 0'],
  ])('%s', (_, props, message) => {
    expect(() => build(props)).toThrow(message);
  });
});
