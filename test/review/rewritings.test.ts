import { expect, test } from 'vitest';
import { Random } from '../reach/differential/random.js';
import { runs } from '../support/samples.js';
import { reviewOfTerraform } from './trees.js';

// More by hand: REWRITINGS=200 npx vitest run test/review/rewritings.test.ts
const COUNT = Number(process.env.REWRITINGS ?? runs(4));

/** A set of numbers below 16 in words: as blocks of powers of two, in any order, some of them twice. */
function write(set: ReadonlySet<number>, random: Random): [first: number, size: number][] {
  const blocks = (first: number, size: number): [number, number][] => {
    const own = Array.from({ length: size }, (_, i) => first + i).filter((one) => set.has(one));
    if (own.length === 0) return [];
    if (own.length === size && (size === 1 || random.below(2) === 0)) return [[first, size]];
    return [...blocks(first, size / 2), ...blocks(first + size / 2, size / 2)];
  };
  const all = blocks(0, 16).flatMap((one) => (random.below(4) === 0 ? [one, one] : [one]));
  return random.below(2) === 0 ? all.reverse() : all;
}
const cidrs = (set: ReadonlySet<number>, random: Random) =>
  write(set, random).map(([first, size]) => `203.0.113.${first}/${32 - Math.log2(size)}`);
const ports = (set: ReadonlySet<number>, random: Random) =>
  write(set, random).map(([first, size]) => [8000 + first, 7999 + first + size] as const);

const rule = (more: object) => ({
  ...{ protocol: 'tcp', port_start: 443, port_end: 443, policy: 'accept', priority: 1 },
  ...more,
});
const group = (direction: string, rules: readonly object[]) => ({
  volcenginecc_vpc_security_group: {
    orders: {
      ...{ vpc_id: 'vpc-1', ingress_permissions: [], egress_permissions: [] },
      [`${direction}_permissions`]: rules.map((one) => ({ ...one, direction })),
    },
  },
});
const ofIds = (name: string, id: string) => `\${${name}.${id}}`;
const policy = (more: object) => ({
  ...{ action: 'accept', direction: 'in', source_type: 'net', destination_type: 'net', prio: 1 },
  ...{ source: '198.51.100.1/32', destination: '192.0.2.9/32', proto: 'TCP', dest_port: '443' },
  ...{ dest_port_type: 'port', status: true, ip_type: 'v4', repeat_type: 'Permanent', ...more },
});
const close = policy({ action: 'deny', source: '0.0.0.0/0', prio: 2 });
const firewall = (policies: Readonly<Record<string, object>>, more: object = {}) => ({
  volcenginecc_fwcenter_control_policy: policies,
  ...more,
});
const link = (more: object) => ({
  output: { connectivity: { value: JSON.stringify({ links: [{ name: 'a', ...more }] }) } },
});

/** The ways to write a set of addresses, or of ports. */
const PLACES: Readonly<Record<string, (set: ReadonlySet<number>, random: Random) => object>> = {
  'rules of a group': (...set) => ({
    resource: group(
      'ingress',
      cidrs(...set).map((cidr_ip) => rule({ cidr_ip })),
    ),
  }),
  'rules of a group outward': (...set) => ({
    resource: group(
      'egress',
      cidrs(...set).map((cidr_ip) => rule({ cidr_ip })),
    ),
  }),
  'ports of a group': (...set) => ({
    resource: group(
      'ingress',
      ports(...set).map(([port_start, port_end]) =>
        rule({ cidr_ip: '10.0.0.0/8', port_start, port_end }),
      ),
    ),
  }),
  'a prefix list': (...set) => ({
    resource: {
      ...group('ingress', [
        rule({ prefix_list_id: ofIds('volcenginecc_vpc_prefix_list.l', 'prefix_list_id') }),
      ]),
      volcenginecc_vpc_prefix_list: {
        l: { prefix_list_entries: cidrs(...set).map((cidr) => ({ cidr })) },
      },
    },
  }),
  'the access list of a listener': (...set) => ({
    resource: {
      volcenginecc_clb_acl: { l: { acl_entries: cidrs(...set).map((entry) => ({ entry })) } },
      volcenginecc_clb_listener: {
        l: {
          ...{ load_balancer_id: 'clb-1', port: 443, protocol: 'TCP', acl_status: 'on' },
          ...{ acl_type: 'white', acl_ids: [ofIds('volcenginecc_clb_acl.l', 'acl_id')] },
        },
      },
    },
  }),
  'networks of a VPC': (...set) => ({
    resource: { volcenginecc_vpc_vpc: { v: { secondary_cidr_blocks: cidrs(...set) } } },
  }),
  'the other side of a firewall': (...set) => ({
    resource: firewall({ open: policy({ source: cidrs(...set).join() }), close }),
  }),
  'ports of a firewall': (...set) => ({
    resource: firewall({
      ...Object.fromEntries(
        ports(...set).map((all, i) => [`open${i}`, policy({ dest_port: all.join('/') })]),
      ),
      close,
    }),
  }),
  'the own side of a firewall': (set, random) => ({
    resource: firewall({
      open: policy({ destination: cidrs(set, random).join() }),
      // The deny has words of its own, and perhaps several policies.
      ...Object.fromEntries(
        cidrs(set, random).map((destination, i) => [`close${i}`, { ...close, destination }]),
      ),
    }),
  }),
  'the own side as an address book': (...set) => ({
    resource: firewall(
      {
        open: policy({
          destination: ofIds('volcenginecc_fwcenter_address_book.b', 'group_uuid'),
          destination_type: 'group',
        }),
      },
      {
        volcenginecc_fwcenter_address_book: {
          b: { group_type: 'ip', address_list: cidrs(...set) },
        },
      },
    ),
  }),
  'addresses that a check accepts': (...set) => link({ expectedAddresses: cidrs(...set) }),
  'networks that a check accepts': (...set) => link({ expectedNetworks: cidrs(...set) }),
};

const drawSet = (random: Random) =>
  new Set(
    Array.from({ length: 15 }, (_, i) => i)
      .filter(() => random.below(3) > 0)
      .concat(0),
  );

test.each(
  Object.entries(PLACES),
)('%s in other words is no change, and one more is told', (_, place) => {
  const random = new Random(7);
  for (let i = 0; i < COUNT; i += 1) {
    const set = drawSet(random);
    const more = new Set([...set, [...Array(16).keys()].find((one) => !set.has(one)) ?? 15]);
    const base = place(set, random) as Record<string, unknown>;
    const told = (head: ReadonlySet<number>) => {
      const report = reviewOfTerraform(base, place(head, random) as Record<string, unknown>);
      // Without access rules beside it, either tree opens what nobody states; policies and their number may change.
      const rows = report.findings.filter(
        ({ decision, kind }) => decision !== 'forbidden' && kind !== 'disruption',
      );
      return { report, rows: rows.map(({ decision }) => decision) };
    };
    const { report, rows } = told(set);
    expect(rows, JSON.stringify([base, report.findings])).toEqual([]);
    const [{ base: before, head: after } = {}] = report.digests;
    expect(after).toBe(before);
    expect([report.reach, report.addressLists, report.changes]).toEqual([[], [], []]);
    expect(told(more).rows).toContain('needs-approval');
  }
});

/** Policies by their positions, each for a set of own addresses and of others. */
type Policies = readonly Readonly<
  Record<'own' | 'other', ReadonlySet<number>> & { action: string }
>[];

const toFirewall = (policies: Policies, random: Random) => ({
  resource: firewall(
    Object.fromEntries(
      policies.map(({ own, other, action }, i) => {
        const source = cidrs(other, random).join().replaceAll('203.0.113.', '198.51.100.');
        const destination = cidrs(own, random).join();
        return [`p${i}`, policy({ action, prio: i + 1, source, destination })];
      }),
    ),
  ),
});

/** Packets that pass, by own and other address: what no policy decides does. */
const passing = (policies: Policies) =>
  Array.from({ length: 256 }, (_, i) => [i >> 4, i % 16] as const).filter(([own, other]) => {
    const first = policies.find((one) => one.own.has(own) && one.other.has(other));
    return first?.action !== 'deny';
  });

test('whatever policies let through for any own address in place of others is told, and what they no longer do', () => {
  const random = new Random(11);
  const draw = () => {
    const action = random.below(2) === 0 ? 'deny' : 'accept';
    return { action, own: drawSet(random), other: drawSet(random) };
  };
  const kinds = { opened: 0, closed: 0 };
  for (let i = 0; i < 20 * COUNT; i += 1) {
    const before = Array.from({ length: 2 + random.below(3) }, draw);
    const [first = draw(), second = draw(), ...rest] = before;
    const after =
      [
        [second, first, ...rest],
        [first, ...rest],
        [draw(), second, ...rest],
      ][random.below(3)] ?? [];
    const [was, now] = [before, after].map((one) => passing(one).map(String));
    const { findings } = reviewOfTerraform(toFirewall(before, random), toFirewall(after, random));
    const rows = findings.filter(({ kind }) => kind === 'access' || kind === 'safeguard');
    const decisions = rows.map(({ decision }) => decision);
    const lacks = (some: readonly string[] = [], all: readonly string[] = []) =>
      some.some((one) => !all.includes(one));
    if (lacks(now, was)) {
      kinds.opened += 1;
      expect(decisions, `${i}`).toContain('needs-approval');
    }
    if (lacks(was, now)) {
      kinds.closed += 1;
      expect(rows, `${i}`).not.toEqual([]);
    }
  }
  expect(Math.min(kinds.opened, kinds.closed)).toBeGreaterThan(5 * COUNT);
});
