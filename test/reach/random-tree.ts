import { type Json, Tree } from './brute-force.js';
import type { randomOf } from './two-engines.js';

type Random = ReturnType<typeof randomOf>;

const CIDRS = [
  ...['0.0.0.0/0', '10.20.0.0/16', '10.20.128.0/17', '10.20.0.1/32', '10.20.0.0/31', '128.0.0.0/1'],
  ...[
    '198.51.100.0/24',
    '198.51.100.7/32',
    '100.64.0.0/10',
    '::/0',
    '2001:db8::/32',
    '2001:db8::1/128',
  ],
] as const;

/** Addresses at the ends of those blocks. */
export const PROBED = [
  ...['0.0.0.0', '10.19.255.255', '10.20.0.0', '10.20.0.1', '10.20.0.2', '10.20.127.255'],
  ...['10.20.128.0', '10.20.255.255', '10.21.0.0', '127.255.255.255', '128.0.0.0', '198.51.99.255'],
  ...[
    '198.51.100.0',
    '198.51.100.7',
    '198.51.100.8',
    '198.51.101.0',
    '100.63.255.255',
    '100.64.0.0',
  ],
  ...['255.255.255.255', '2001:db8::', '2001:db8::1', '2001:db8::2', '2001:db9::', '::1'],
] as const;

/** Own sides of policies that overlap in part; each begins with an address that no smaller one has. */
const OWN = ['203.0.113.7/32', '203.0.113.0/28', '203.0.113.8/32', '203.0.113.6/31'] as const;

const PORTS = [0, 1, 79, 80, 443, 65_535] as const;

const ref = (type: string, name: string, attribute: string) => `\${${type}.${name}.${attribute}}`;
const GROUP = 'volcenginecc_vpc_security_group';
const LIST = 'volcenginecc_vpc_prefix_list';

/** A tree with everything that decides on packets, some of it unknown. */
export function randomTree(random: Random): Tree {
  const isRare = () => random.next(14) === 0;
  const several = <T>(most: number, make: (i: number) => T): T[] =>
    Array.from({ length: random.next(most + 1) }, (_, i) => make(i));
  const named = (prefix: string, all: readonly Json[]) =>
    Object.fromEntries(all.map((body, i) => [`${prefix}${i}`, body]));
  const block = () => (isRare() ? '${var.block}' : random.pick(CIDRS));

  const lists = [0, 1].map(() => ({
    prefix_list_entries: isRare() ? '${var.entries}' : several(3, () => ({ cidr: block() })),
  }));
  const peer = (): Json => {
    const kind = random.next(12);
    if (kind < 8) return { cidr_ip: block() };
    if (kind < 10) return { prefix_list_id: ref(LIST, `list${random.next(2)}`, 'prefix_list_id') };
    if (kind === 10) return { source_group_id: ref(GROUP, 'group0', 'security_group_id') };
    return random.pick([
      { prefix_list_id: 'pl-elsewhere' },
      { cidr_ip: block(), source_group_id: 'sg-9' },
    ]);
  };
  const permission = (): Json => {
    const protocol = random.pick(['tcp', 'tcp', 'tcp', 'udp', 'icmp', 'all']);
    const [one, other] = [random.pick(PORTS), random.pick(PORTS)];
    const hasPorts = (protocol === 'tcp' || protocol === 'udp') && random.next(4) > 0;
    const text = random.next(5) === 0 ? String : (value: number) => value;
    return {
      description: random.pick(['${timestamp()}', 'clients', '']),
      policy: isRare() ? '${var.policy}' : random.pick(['accept', 'accept', 'drop']),
      priority: isRare() ? '${var.priority}' : text(random.pick([1, 10, 10, 100])),
      protocol,
      port_start: hasPorts ? text(Math.min(one, other)) : -1,
      port_end: hasPorts ? text(Math.max(one, other)) : -1,
      ...peer(),
    };
  };
  const permissions = () => {
    const kind = random.next(12);
    return kind === 0 ? undefined : kind === 1 ? '${var.rules}' : several(5, permission);
  };
  const count = (): Json => {
    const kind = random.next(16);
    if (kind > 3) return {};
    return (
      [{ count: 0 }, { count: 1 }, { count: '${var.count}' }, { for_each: '${var.all}' }][kind] ??
      {}
    );
  };
  const groups = [0, 1, 2].map(() => ({
    vpc_id: random.pick(['vpc-1', 'vpc-2']),
    ingress_permissions: permissions(),
    egress_permissions: permissions(),
  }));
  const alone = several(2, () => ({
    vpc_id: 'vpc-1',
    ingress_permissions: permissions(),
    egress_permissions: permissions(),
    ...count(),
  }));
  const ids = () => [
    ...[0, 1, 2]
      .filter(() => random.next(2))
      .map((i) => ref(GROUP, `group${i}`, 'security_group_id')),
    ...(isRare() ? ['sg-elsewhere'] : []),
  ];
  const carriers = () =>
    several(2, () => ({ vpc_id: 'vpc-1', security_group_ids: ids(), ...count() }));
  const listeners = several(2, () => ({
    load_balancer_id: ref('volcenginecc_clb_clb', `clb${random.next(2)}`, 'load_balancer_id'),
    protocol: random.pick(['TCP', 'HTTP']),
    port: random.pick([80, 443]),
    enabled: random.pick(['on', 'on', 'off']),
    acl_status: random.pick(['on', 'on', 'off']),
    acl_type: random.pick(['white', 'white', 'black']),
    acl_ids: [ref('volcenginecc_clb_acl', 'acl0', 'acl_id')],
  }));
  const v4 = () => random.pick(CIDRS.slice(0, 9) as unknown as [string, ...string[]]);
  const policies = several(3, (i) => {
    const isOut = random.next(2) === 0;
    const [own, other] = isOut ? ['source', 'destination'] : ['destination', 'source'];
    const isListed = random.next(4) === 0;
    const isAny = random.next(2) === 0;
    return {
      description: `policy ${i}`,
      direction: isOut ? 'out' : 'in',
      action: random.pick(['accept', 'deny', 'deny', 'monitor']),
      [own ?? '']: random.next(4) === 0 ? random.pick(OWN) : '0.0.0.0/0',
      [`${own}_type`]: 'net',
      [other ?? '']: isListed
        ? ref('volcenginecc_fwcenter_address_book', 'book0', 'group_uuid')
        : v4(),
      [`${other}_type`]: isListed ? 'group' : 'net',
      proto: isAny ? 'ANY' : 'TCP',
      ...(isAny
        ? {}
        : { dest_port: random.pick(['443', '80/443', '1/65535']), dest_port_type: 'port' }),
      prio: random.next(4),
      status: random.next(5) > 0,
    };
  });
  const resource = {
    [LIST]: named('list', lists),
    [GROUP]: { ...named('group', groups), ...named('alone', alone) },
    volcenginecc_privatelink_vpc_endpoint: named('endpoint', carriers()),
    volcenginecc_vpc_eni: named('eni', carriers()),
    volcenginecc_clb_clb: {
      clb0: { type: 'private', address_ip_version: 'ipv4' },
      clb1: { type: 'private', address_ip_version: 'DualStack' },
    },
    volcenginecc_clb_acl: { acl0: { acl_entries: several(3, () => ({ entry: block() })) } },
    volcenginecc_clb_listener: named('listener', listeners),
    volcenginecc_fwcenter_address_book: {
      book0: { group_name: 'book', group_type: 'ip', address_list: several(2, v4) },
    },
    volcenginecc_fwcenter_control_policy: named('policy', policies),
  };
  return new Tree(JSON.parse(JSON.stringify(resource)));
}
