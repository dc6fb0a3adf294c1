/**
 * Decides single packets by reading Terraform JSON as naively as can be, without a line of `src/reach`.
 * What no file says is tried in every possible world.
 */
export type Json = Readonly<Record<string, unknown>>;

export interface Packet {
  readonly address: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  readonly port: number;
}

/** One possible truth about everything that the tree leaves open: each question is asked once. */
export class World {
  readonly asked: string[] = [];

  constructor(private readonly bits: number) {}

  is(question: string): boolean {
    let at = this.asked.indexOf(question);
    if (at < 0) at = this.asked.push(question) - 1;
    return ((this.bits >> at) & 1) === 1;
  }
}

/** The outcomes of all worlds, or of the first 4,096. */
export function outcomes(judge: (world: World) => boolean): Set<boolean> {
  const found = new Set<boolean>();
  let depth = 0;
  for (let bits = 0; bits < 2 ** Math.min(depth, 12) || bits === 0; bits += 1) {
    const world = new World(bits);
    found.add(judge(world));
    depth = Math.max(depth, world.asked.length);
    if (found.size === 2) break;
  }
  return found;
}

export class Tree {
  constructor(readonly resource: Readonly<Record<string, Readonly<Record<string, Json>>>>) {}

  get(address: string): Json | undefined {
    const [type = '', name = ''] = address.split('.');
    return this.resource[type]?.[name];
  }

  all(type: string): [string, Json][] {
    return Object.entries(this.resource[type] ?? {}).map(([name, body]) => [
      `${type}.${name}`,
      body,
    ]);
  }

  named(value: unknown): string | undefined {
    const match = /^\$\{(\w+\.\w+)\.\w+\}$/.exec(String(value));
    return match?.[1] !== undefined && this.get(match[1]) ? match[1] : undefined;
  }
}

export function bits(address: string): string {
  if (!address.includes(':')) {
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  }
  const [left = '', right] = address.split('::');
  const words = (text: string) => (text === '' ? [] : text.split(':'));
  const [a, b] = [words(left), words(right ?? '')];
  const zeros = right === undefined ? 0 : 8 - a.length - b.length;
  return [...a, ...Array<string>(zeros).fill('0'), ...b]
    .map((word) => Number.parseInt(word, 16).toString(2).padStart(16, '0'))
    .join('');
}

export function isIn(address: string, cidr: string): boolean {
  const [network = '', length] = cidr.split('/');
  const [own, other] = [bits(address), bits(network)];
  if (own.length !== other.length) return false;
  const prefix = length === undefined ? own.length : Number(length);
  return own.slice(0, prefix) === other.slice(0, prefix);
}

interface Rule {
  readonly order: number;
  readonly accepts: boolean;
  readonly matches: boolean;
}

const arr = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

/** Tells whether a place lets a packet in or out, in one world. */
export function passes(
  tree: Tree,
  place: string,
  direction: 'ingress' | 'egress',
  packet: Packet,
  world: World,
): boolean {
  return (
    passesOwn(tree, place, direction, packet, world) &&
    passesFirewall(tree, direction, packet, world)
  );
}

function passesOwn(
  tree: Tree,
  place: string,
  direction: 'ingress' | 'egress',
  packet: Packet,
  world: World,
): boolean {
  if (place.startsWith('volcenginecc_clb_listener.'))
    return passesListener(tree, place, packet, world);
  if (!exists(tree.get(place), place, world)) return false;
  const isGroup = place.startsWith('volcenginecc_vpc_security_group.');
  const ids = isGroup ? [] : arr(tree.get(place)?.security_group_ids);
  const groups = isGroup ? [place] : ids.map((id) => tree.named(id) ?? String(id));
  const rules: Rule[] = [];
  let isUndecidedOpen = false;
  for (const group of groups.length === 0 ? ['default'] : groups) {
    const body = tree.get(group);
    if (body === undefined) rules.push(...foreign(group, direction, world));
    else {
      const own = groupRules(tree, group, body, direction, packet, world);
      rules.push(...own.rules);
      isUndecidedOpen ||= own.rest;
    }
  }
  return firstOf(rules) ?? isUndecidedOpen;
}

function exists(body: Json | undefined, name: string, world: World): boolean {
  const { count, for_each: each } = body ?? {};
  if (each !== undefined) return world.is(`any ${name}`);
  if (count === undefined) return true;
  return typeof count === 'number' ? count > 0 : world.is(`any ${name}`);
}

/** The group may accept everything before all others, drop everything, or say nothing. */
function foreign(group: string, direction: string, world: World): Rule[] {
  const known = world.is(`${group} ${direction} speaks`);
  const accepts = world.is(`${group} ${direction} accepts`);
  return known ? [{ order: 0, accepts, matches: true }] : [];
}

function groupRules(
  tree: Tree,
  group: string,
  body: Json,
  direction: 'ingress' | 'egress',
  packet: Packet,
  world: World,
): { rules: Rule[]; rest: boolean } {
  const written = body[`${direction}_permissions`];
  if (typeof written === 'string') {
    return { rules: foreign(`${group} unknown`, direction, world), rest: false };
  }
  const entries = arr(written);
  const rules = entries.flatMap((entry) => groupRule(tree, group, entry, packet, world));
  if (direction === 'ingress') {
    const own =
      entries.length === 0
        ? [{ order: 101, accepts: true, matches: world.is(`member ${group}`) }]
        : [];
    return { rules: [...rules, ...own], rest: false };
  }
  if (written === undefined || written === null) return { rules, rest: true };
  if (entries.length === 0) return { rules, rest: world.is('group-outward') };
  const hasAccept = entries.some(({ policy }) => policy === 'accept');
  return { rules, rest: hasAccept && world.is('group-outward') };
}

function groupRule(tree: Tree, group: string, entry: Json, packet: Packet, world: World): Rule[] {
  const unknown = ['policy', 'priority', 'protocol', 'port_start', 'port_end'].find((name) =>
    String(entry[name]).includes('${'),
  );
  if (unknown !== undefined) {
    const name = `${group} ${JSON.stringify(entry)}`;
    return foreign(name, '', world);
  }
  const matches =
    isProtocol(String(entry.protocol), Number(entry.port_start), Number(entry.port_end), packet) &&
    isPeer(tree, entry, packet, world);
  return [{ order: Number(entry.priority), accepts: entry.policy === 'accept', matches }];
}

function isProtocol(protocol: string, first: number, last: number, packet: Packet): boolean {
  if (protocol === 'all') return true;
  if (protocol !== packet.protocol) return false;
  if (protocol === 'icmp' || first === -1) return true;
  return first <= packet.port && packet.port <= last;
}

function isPeer(tree: Tree, entry: Json, { address }: Packet, world: World): boolean {
  const { cidr_ip: cidr, source_group_id: group, prefix_list_id: list } = entry;
  if (cidr) return isWithin(String(cidr), address, world);
  if (group) return world.is(`member ${String(group)}`);
  return isListed(tree, list, address, world);
}

function isWithin(cidr: string, address: string, world: World): boolean {
  return cidr.includes('${') ? world.is(`${address} in ${cidr}`) : isIn(address, cidr);
}

/** The attribute of each kind of list that has the addresses. */
function isListed(tree: Tree, value: unknown, address: string, world: World): boolean {
  const body = tree.get(tree.named(value) ?? '');
  if (body === undefined) return world.is(`${address} in ${String(value)}`);
  const entries = body.prefix_list_entries ?? body.acl_entries ?? body.address_list;
  if (typeof entries === 'string') return world.is(`${address} in ${entries}`);
  return arr(entries).some((one) => {
    const text = typeof one === 'string' ? one : String(one.cidr ?? one.entry);
    return isWithin(text, address, world);
  });
}

/** At the lowest order that matches, a drop wins. */
function firstOf(rules: readonly Rule[], isDropFirst = true): boolean | undefined {
  const met = rules.filter(({ matches }) => matches);
  if (met.length === 0) return undefined;
  const lowest = Math.min(...met.map(({ order }) => order));
  const deciding = met.filter(({ order }) => order === lowest).map(({ accepts }) => accepts);
  return isDropFirst ? deciding.every(Boolean) : deciding.some(Boolean);
}

function passesListener(tree: Tree, place: string, packet: Packet, world: World): boolean {
  const body = tree.get(place) ?? {};
  const balancer = tree.get(tree.named(body.load_balancer_id) ?? '') ?? {};
  if (body.enabled === 'off' || packet.protocol !== 'tcp' || packet.port !== Number(body.port)) {
    return false;
  }
  if (packet.address.includes(':') && balancer.address_ip_version !== 'DualStack') {
    // A white list of IPv6 addresses lets them in all the same: the balancer decides on nothing.
    if (body.acl_status !== 'on' || body.acl_type !== 'white') return false;
  }
  if (body.acl_status !== 'on') return true;
  const isOn = arr(body.acl_ids).some((id) => isListed(tree, id, packet.address, world));
  return body.acl_type === 'white' ? isOn : !isOn;
}

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

function passesFirewall(
  tree: Tree,
  direction: 'ingress' | 'egress',
  packet: Packet,
  world: World,
): boolean {
  if (PRIVATE.some((network) => isIn(packet.address, network))) return true;
  const [own, other] =
    direction === 'egress'
      ? (['source', 'destination'] as const)
      : (['destination', 'source'] as const);
  const policies = tree
    .all('volcenginecc_fwcenter_control_policy')
    .map(([, body]) => body)
    .filter((body) => body.direction === (direction === 'egress' ? 'out' : 'in'))
    .filter(({ status, action }) => status !== false && action !== 'monitor');
  // The public address of a place is its own secret, and the same for all policies; it may be none of theirs.
  const begins = new Set(policies.map((body) => String(body[own]).replace(/\/.*/, '')));
  const at = [...begins].find((address) => world.is(`own ${address}`)) ?? '192.0.2.99';
  const rules = policies.map((body): Rule => {
    const [, first, last = first] = /^(\d+)(?:\/(\d+))?$/.exec(String(body.dest_port)) ?? [];
    const isOther =
      body[`${other}_type`] === 'group'
        ? isListed(tree, body[other], packet.address, world)
        : isWithin(String(body[other]), packet.address, world);
    const isOwn = isIn(at, String(body[own]));
    const protocol = String(body.proto).toLowerCase().replace('any', 'all');
    const matches = isOwn && isOther && isProtocol(protocol, Number(first), Number(last), packet);
    const position = Number(body.prio);
    return { order: position === 0 ? 1e9 : position, accepts: body.action === 'accept', matches };
  });
  return firstOf(rules, !world.is('firewall-same-position')) ?? true;
}
