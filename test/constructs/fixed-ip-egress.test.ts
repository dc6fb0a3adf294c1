import { describe, expect, test } from 'vitest';
import {
  FixedIpEgress,
  type FixedIpEgressProps,
} from '../../src/constructs/fixed-ip/fixed-ip-egress.js';
import type { ListedAddresses } from '../../src/constructs/fixed-ip/fixed-ip-enforcement.js';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';
import { onlyResource, resources, type Synthesized, synth } from '../support/synth.js';
import { warningsOf } from '../support/warnings.js';

const minimal = {
  name: 'api',
  baseUrl: 'https://static-api.example',
  apiHost: 'api.example',
  enforcedElsewhere: 'the firewall of the office',
} as const;

function build(props: Partial<FixedIpEgressProps> = {}) {
  let egress: FixedIpEgress | undefined;
  let warnings: string[] = [];
  const made = synth((stack) => {
    egress = new FixedIpEgress(stack, 'egress', { ...minimal, ...props });
    warnings = warningsOf(stack);
  });
  return { made, egress, warnings };
}

function list(...addresses: string[]): ListedAddresses {
  return {
    version: '7',
    entries: addresses.map((address) => ({
      address,
      state: 'active',
      firstSeen: '2026-05-04',
      source: 'test',
    })),
  };
}

const full = Array.from({ length: 24 }, (_, i) => `192.0.2.${i + 1}`);

function rulesOf(group: Record<string, unknown>) {
  return group.egress_permissions as Record<string, unknown>[];
}

function policies(made: Synthesized) {
  return Object.values(resources(made, 'volcenginecc_fwcenter_control_policy'));
}

test('states the rules and the link without any target where something else enforces them', () => {
  const { made, egress } = build();
  expect(made.json.resource).toBeUndefined();
  expect(made.rules).toHaveLength(24);
  expect(made.rules[0]).toMatchObject({
    via: 'fixed-ip-egress',
    direction: 'egress',
    subject: 'api',
    peer: { kind: 'cidr', cidr: '36.110.186.29/32' },
    protocol: 'tcp',
    ports: { first: 443, last: 443 },
    enforcedElsewhere: 'the firewall of the office',
  });
  expect(egress?.links[0]).toMatchObject({
    via: 'fixed-ip-egress',
    baseUrl: 'https://static-api.example',
    apiHost: 'api.example',
    expectedAddresses: egress?.addresses,
    expectedNetworks: [],
  });
});

test('is refused without anything that enforces the rules', () => {
  for (const enforcedElsewhere of ['', ' ']) {
    expect(() => build({ enforcedElsewhere })).toThrow(
      '`securityGroup`, `prefixList` or `cloudFirewall` must be given: without a target, nothing in the cloud enforces the rules; if something else does, name it in `enforcedElsewhere`',
    );
  }
  expect(() => build({ enforcedElsewhere: 'two\nlines' })).toThrow(
    '`enforcedElsewhere` must be one line, got: "two\\nlines"',
  );
});

test('says at a rule what enforces it only where no target does', () => {
  const enforcers = (props: Partial<FixedIpEgressProps>) =>
    new Set(build(props).made.rules.map(({ enforcedElsewhere }) => enforcedElsewhere));
  expect(enforcers({ securityGroup: { vpcId: 'vpc-1' } })).toEqual(new Set([undefined]));
  expect(enforcers({ prefixList: {}, enforcedElsewhere: '' })).toEqual(
    new Set(['what uses the prefix list api']),
  );
  const dnsServers = ['10.0.0.2/32'];
  const cloudFirewall = { own: ['198.51.100.7/32'], close: true };
  expect(enforcers({ cloudFirewall, dnsServers })).toEqual(
    new Set([undefined, 'the firewall of the office']),
  );
  for (const props of [{ cloudFirewall }, { prefixList: {} }]) {
    expect(() => build({ ...props, dnsServers, enforcedElsewhere: '' })).toThrow(
      '`dnsServers` needs a new security group that allows name servers, or `enforcedElsewhere` with what allows them, got: neither',
    );
  }
});

test('lets workloads ask one more name server', () => {
  let egress: FixedIpEgress | undefined;
  const made = synth((stack) => {
    egress = new FixedIpEgress(stack, 'egress', { ...minimal, securityGroup: { vpcId: 'vpc-1' } });
    egress.allowDns('10.0.0.2/32');
  });
  const dns = rulesOf(onlyResource(made, 'volcenginecc_vpc_security_group')).filter(
    ({ cidr_ip }) => cidr_ip === '10.0.0.2/32',
  );
  expect(dns.map(({ protocol, port_start }) => [protocol, port_start])).toEqual([
    ['tcp', 53],
    ['udp', 53],
  ]);
  expect(egress?.accessRules).toHaveLength(26);
  expect(made.rules).toHaveLength(26);
});

test('makes a group with one rule an address, and drops of both families under them', () => {
  const { made, warnings } = build({ securityGroup: { vpcId: 'vpc-1' } });
  const rules = rulesOf(onlyResource(made, 'volcenginecc_vpc_security_group'));
  expect(rules).toHaveLength(26);
  expect(rules[0]).toMatchObject({ cidr_ip: '36.110.186.29/32', port_start: 443, priority: 10 });
  expect(rules.slice(-2)).toMatchObject([
    { policy: 'drop', cidr_ip: '0.0.0.0/0', protocol: 'all', priority: 100 },
    { policy: 'drop', cidr_ip: '::/0', protocol: 'all', priority: 100 },
  ]);
  expect(warnings).toEqual([]);
});

test('makes a prefix list with room to spare, and a group with one rule over it', () => {
  const { made } = build({ prefixList: { vpcId: 'vpc-1' } });
  const entries = onlyResource(made, 'volcenginecc_vpc_prefix_list');
  expect(entries).toMatchObject({ max_entries: 30, ip_version: 'IPv4' });
  expect(entries.prefix_list_entries).toHaveLength(24);
  const rules = rulesOf(onlyResource(made, 'volcenginecc_vpc_security_group'));
  expect(rules).toHaveLength(3);
  expect(rules[0]).toMatchObject({ policy: 'accept', port_start: 443 });
  expect(rules[0]?.prefix_list_id).toMatch(/volcenginecc_vpc_prefix_list/);
  expect(rules[0]).toMatchObject({ cidr_ip: '', source_group_id: '' });
});

test('makes a prefix list alone for rules of your own', () => {
  const { made } = build({ prefixList: { headroom: 0 } });
  expect(onlyResource(made, 'volcenginecc_vpc_prefix_list')).toMatchObject({ max_entries: 24 });
  expect(resources(made, 'volcenginecc_vpc_security_group')).toEqual({});
});

/** The book of own addresses, then the service's. */
function books(made: Synthesized) {
  return Object.values(resources(made, 'volcenginecc_fwcenter_address_book')).sort((a, b) =>
    String(a.group_name) < String(b.group_name) ? -1 : 1,
  );
}

test('lets the firewall accept the list first and deny everything else last', () => {
  const { made, warnings } = build({
    cloudFirewall: { own: ['198.51.100.7/32'], close: true, firewallId: 'fw-1' },
  });
  const [own, book] = books(made);
  expect(own?.address_detail_list).toEqual([
    { address: '198.51.100.7/32', description: 'own address' },
  ]);
  expect(book).toMatchObject({ auto_update_type: 'Manual', cloud_firewall_id: 'fw-1' });
  expect(book?.address_detail_list).toHaveLength(24);
  // Tags of a book choose the assets in it.
  expect(book?.tags).toBeUndefined();
  const [accept, deny] = policies(made).sort((a, b) => Number(b.prio) - Number(a.prio));
  expect(accept).toMatchObject({
    direction: 'out',
    action: 'accept',
    source: expect.stringContaining('own-addresses'),
    source_type: 'group',
    destination: expect.stringContaining('service-addresses'),
    destination_type: 'group',
    proto: 'TCP',
    dest_port: '443',
    prio: 1,
    internet_firewall_id: 'fw-1',
  });
  expect(deny).toMatchObject({
    action: 'deny',
    source: expect.stringContaining('own-addresses'),
    destination: '0.0.0.0/0',
    proto: 'ANY',
    prio: 0,
  });
  expect(deny).not.toHaveProperty('dest_port');
  expect(String(deny?.depends_on)).toContain('accept-tcp-443');
  expect(warnings).toEqual([]);
});

test('puts several own networks into one book', () => {
  const { made } = build({
    cloudFirewall: { own: ['198.51.100.7/32', '198.51.100.8/32'], close: false },
  });
  expect(books(made).map(({ address_detail_list: list }) => (list as object[]).length)).toEqual([
    2, 24,
  ]);
  expect(policies(made)[0]).toMatchObject({ source_type: 'group' });
});

test('says that an accept alone restricts nothing', () => {
  const { made, warnings } = build({ cloudFirewall: { own: ['198.51.100.7/32'], close: false } });
  expect(policies(made)).toHaveLength(1);
  expect(warnings.join()).toContain('the accept policy alone restricts nothing');
});

test('opens further ports and DNS only where asked', () => {
  const { made } = build({
    securityGroup: { vpcId: 'vpc-1' },
    ports: [443, 8443],
    dnsServers: ['10.0.0.2/32'],
    addresses: list(...full),
  });
  const rules = rulesOf(onlyResource(made, 'volcenginecc_vpc_security_group'));
  expect(rules).toHaveLength(24 * 2 + 2 + 2);
  expect(
    rules
      .filter(({ cidr_ip }) => cidr_ip === '10.0.0.2/32')
      .map(({ protocol, port_start }) => [protocol, port_start])
      .sort(),
  ).toEqual([
    ['tcp', 53],
    ['udp', 53],
  ]);
  expect(made.rules).toHaveLength(50);
});

test('tags what it makes with the version of the list', () => {
  const { made } = build({ prefixList: {}, tags: { owner: 'me' }, addresses: list(...full) });
  expect(onlyResource(made, 'volcenginecc_vpc_prefix_list').tags).toEqual(
    expect.arrayContaining([
      { key: 'list-version', value: '7' },
      { key: 'owner', value: 'me' },
    ]),
  );
});

test('lets announced and retiring addresses through, and no removed one', () => {
  const { version, entries } = list(...full, '192.0.2.25');
  const states = new Map([
    [0, 'announced' as const],
    [1, 'retiring' as const],
    [2, 'removed' as const],
  ]);
  const addresses = {
    version,
    entries: entries.map((entry, i) => ({ ...entry, state: states.get(i) ?? entry.state })),
  };
  expect(build({ addresses }).egress?.addresses).toHaveLength(24);
  expect(build({ addresses }).egress?.addresses).not.toContain('192.0.2.3/32');
});

test('adding an address adds one entry and moves no other', () => {
  const [before, after] = [list(...full), list('192.0.2.200', ...full)].map((addresses) => {
    const { made } = build({ addresses, prefixList: {} });
    const made1 = onlyResource(made, 'volcenginecc_vpc_prefix_list');
    return (made1.prefix_list_entries as { cidr: string }[]).map(({ cidr }) => cidr);
  });
  expect(after).toEqual([...(before ?? []), '192.0.2.200/32']);
});

const exception = { reason: 'merge of sites', owner: 'platform', expires: '2099-12-31' };

test('shrinks by more than a quarter only with a named exception', () => {
  const addresses = { ...list(...full.slice(0, 17)), shrinkException: exception };
  const { egress, warnings } = build({ addresses });
  expect(egress?.addresses).toHaveLength(17);
  expect(warnings.join()).not.toContain('expired');
});

test('warns of an expired exception and continues', () => {
  const addresses = {
    ...list(...full.slice(0, 17)),
    shrinkException: { ...exception, expires: '2020-01-31' },
  };
  expect(build({ addresses }).warnings.join()).toContain(
    'the exception "merge of sites" expired on 2020-01-31; platform must end it or set a new date',
  );
});

describe('refuses', () => {
  const replaced = (address: string) => list(...full.slice(1), address);
  const where = '`addresses.entries[23]`';
  test.each<[string, Partial<FixedIpEgressProps>, string]>([
    [
      'an empty list',
      { addresses: list() },
      '`addresses.entries` must let at least one address through, got: none',
    ],
    [
      'a list that shrinks by more than a quarter',
      { addresses: list(...full.slice(0, 17)) },
      '`addresses.entries` must not shrink by more than a quarter at once, got: 17 of 24 addresses; if this is intended, add a `shrinkException`',
    ],
    [
      'a private address',
      { addresses: replaced('10.0.0.1') },
      `${where} is not a public address, got: "10.0.0.1"`,
    ],
    [
      'the shared address space',
      { addresses: replaced('100.64.0.1') },
      `${where} is not a public address, got: "100.64.0.1"`,
    ],
    [
      'an octet with a leading zero',
      { addresses: replaced('010.1.2.3') },
      `${where} has an octet with a leading zero, which some systems read as octal, got: "010.1.2.3"`,
    ],
    [
      'host bits',
      { addresses: replaced('198.51.100.5/30') },
      `${where} has host bits set; the network is 198.51.100.4/30, got: "198.51.100.5/30"`,
    ],
    [
      'what is no address',
      { addresses: replaced('static-api.example') },
      `${where} is not an IPv4 or IPv6 address, got: "static-api.example"`,
    ],
    [
      'a wide network',
      { addresses: replaced('198.0.0.0/8') },
      `${where} must be an address or a network of at most /24, got: "198.0.0.0/8"`,
    ],
    [
      'every address',
      { addresses: replaced('0.0.0.0/0') },
      `${where} must be an address or a network of at most /24, got: "0.0.0.0/0"`,
    ],
    [
      'another family',
      { addresses: replaced('2001:db8::1') },
      `${where} must be IPv4, the family of the other addresses, got: "2001:db8::1"`,
    ],
    [
      'an address twice',
      { addresses: replaced('192.0.2.2') },
      `${where} is covered by \`addresses.entries[0]\` already, got: "192.0.2.2"`,
    ],
    [
      'an exception without an owner',
      { addresses: { ...list(...full), shrinkException: { ...exception, owner: ' ' } } },
      '`addresses.shrinkException.owner` must name who answers, got: " "',
    ],
    [
      'an exception that never ends',
      { addresses: { ...list(...full), shrinkException: { ...exception, expires: 'never' } } },
      '`addresses.shrinkException.expires` must be a day as YYYY-MM-DD, got: "never"',
    ],
    ['no port', { ports: [] }, '`ports` must name at least one port'],
    ['a port out of range', { ports: [443, 70000] }, '`ports` must be 1 to 65535, got: 70000'],
    [
      'ports without the one of the base URL',
      { baseUrl: 'https://static-api.example:8443' },
      '`ports` must include the port of `baseUrl`, 8443, got: 443',
    ],
    [
      'the host of the base URL as audience',
      { apiHost: 'static-api.example' },
      '`apiHost` must not be the host of `baseUrl`: the fixed-IP base URL is called in place of the public one, whose host is the audience, got: "static-api.example"',
    ],
    [
      'plain http over the internet',
      { baseUrl: 'http://static-api.example' },
      '`baseUrl` must be https, host and port only, got: "http://static-api.example"',
    ],
    [
      'a password in the base URL',
      { baseUrl: 'https://:pw@static-api.example' },
      '`baseUrl` must be https, host and port only, got: "https://…@static-api.example"',
    ],
    [
      'a path in the base URL',
      { baseUrl: 'https://static-api.example/v1' },
      '`baseUrl` must be https, host and port only, got: "https://static-api.example/v1"',
    ],
    [
      'every address as name server',
      { dnsServers: ['0.0.0.0/0'] },
      '`dnsServers` must not be every address, got: "0.0.0.0/0"',
    ],
    [
      'a firewall for nobody',
      { cloudFirewall: { own: [], close: true } },
      '`cloudFirewall.own` must contain at least one of your networks',
    ],
    [
      'a firewall for everybody',
      { cloudFirewall: { own: ['0.0.0.0/0'], close: true } },
      '`cloudFirewall.own` must not be every address, got: "0.0.0.0/0"; name your networks',
    ],
    [
      'IPv6 networks for the firewall',
      { cloudFirewall: { own: ['2001:db8::/32'], close: true } },
      '`cloudFirewall.own` must be IPv4, as the policies are, got: "2001:db8::/32"',
    ],
    [
      'a position before the first',
      { cloudFirewall: { own: ['198.51.100.7/32'], close: true, priority: 0 } },
      '`cloudFirewall.priority` must be 1 or more, got: 0',
    ],
    [
      'a negative headroom',
      { prefixList: { headroom: -1 } },
      '`headroom` must be a whole number of 0 or more, got: -1',
    ],
  ])('%s', (_, props, message) => {
    expect(() => build(props)).toThrow(message);
  });
});

describe('quotas', () => {
  const many = (count: number) =>
    list(...Array.from({ length: count }, (_, i) => `192.0.${2 + (i >> 8)}.${i & 255}`));
  test('199 addresses and the IPv4 drop fill a group', () => {
    const { made } = build({ addresses: many(199), securityGroup: { vpcId: 'vpc-1' } });
    expect(rulesOf(onlyResource(made, 'volcenginecc_vpc_security_group'))).toHaveLength(201);
  });
  test('one more is refused', () => {
    expect(() => build({ addresses: many(200), securityGroup: { vpcId: 'vpc-1' } })).toThrow(
      '`rules` must be at most 200 for egress, got: 201; use a prefix list',
    );
  });
  test('200 addresses fill a prefix list, and the group over it may be full', () => {
    const { made, warnings } = build({ addresses: many(200), prefixList: { vpcId: 'vpc-1' } });
    expect(onlyResource(made, 'volcenginecc_vpc_prefix_list').max_entries).toBe(200);
    expect(warnings.join()).toContain(
      'if the cloud counts a prefix list by its size, egress has 201 of 200 rules',
    );
  });
  test('201 do not fit', () => {
    expect(() => build({ addresses: many(201), prefixList: {} })).toThrow(
      '`rules` must have at most 200 addresses for a prefix list, got: 201',
    );
  });
});

test('the shipped list is the 24 documented addresses, each once', () => {
  expect(new Set(FIXED_ADDRESSES.entries.map(({ address }) => address)).size).toBe(24);
});
