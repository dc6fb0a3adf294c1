import { contains, type Packet } from './packets.js';

export type Json = { readonly [name: string]: unknown };

/** The place where packets are let through, by a name that means the same in both trees. */
export type Door = (packet: Packet) => 'open' | 'denied' | 'closed';

/** Computes what a configuration opens straight from its JSON, without a line of the review. */
export interface Opened {
  readonly doors: ReadonlyMap<string, Door>;
  /** Names that are let in: accounts, connections, and whatever is not understood. */
  readonly names: ReadonlySet<string>;
}

export const obj = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const arr = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const str = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

interface Rule {
  readonly order: number;
  readonly accepts: boolean;
  readonly matches: (packet: Packet) => boolean;
}

interface Group {
  readonly rules: readonly Rule[];
  readonly isEmpty: boolean;
}

export function evaluate(json: Json): Opened {
  return new Evaluator(json).run();
}

class Evaluator {
  readonly #resources = new Map<string, Json>();
  readonly #doors = new Map<string, Door>();
  readonly #names = new Set<string>();

  constructor(private readonly json: Json) {
    for (const [type, all] of Object.entries(obj(json.resource))) {
      for (const [name, body] of Object.entries(obj(all)))
        this.#resources.set(`${type}.${name}`, obj(body));
    }
  }

  run(): Opened {
    this.#groups();
    for (const [address, body] of this.#all('volcenginecc_clb_listener'))
      this.#listener(address, body);
    this.#firewall();
    for (const [address, body] of this.#all('volcenginecc_privatelink_endpoint_service')) {
      for (const account of arr(body.permit_account_ids))
        this.#names.add(`${address} account ${str(account)}`);
    }
    for (const [, body] of this.#all('volcenginecc_privatelink_vpc_endpoint_connection')) {
      this.#names.add(`${str(body.service_id)} connection ${str(body.endpoint_id)}`);
    }
    return { doors: this.#doors, names: this.#names };
  }

  #all(type: string): [string, Json][] {
    return [...this.#resources].filter(([address]) => address.startsWith(`${type}.`));
  }

  #named(value: unknown): string | undefined {
    const [, address = ''] = /^\$\{(\w+\.[\w-]+)\.\w+\}$/.exec(str(value)) ?? [];
    return this.#resources.has(address) ? address : undefined;
  }

  #groups(): void {
    const carried = new Set<string>();
    for (const [address, body] of this.#all('volcenginecc_privatelink_vpc_endpoint')) {
      const ids = arr(body.security_group_ids).filter((id) => id !== '');
      for (const id of ids) carried.add(this.#named(id) ?? '');
      const foreign = ids.filter(
        (id) => !this.#named(id)?.startsWith('volcenginecc_vpc_security_group.'),
      );
      for (const id of ids.length === 0 ? ['default'] : foreign)
        this.#names.add(`${address} group ${str(id)}`);
      const own = ids
        .flatMap((id) => this.#named(id) ?? [])
        .filter((id) => id.startsWith('volcenginecc_vpc_security_group.'));
      this.#carrier(address, own);
    }
    for (const [address] of this.#all('volcenginecc_vpc_security_group')) {
      if (!carried.has(address)) this.#carrier(address, [address]);
    }
  }

  #carrier(name: string, groups: readonly string[]): void {
    for (const direction of ['ingress', 'egress']) {
      const read = groups.map((group) => this.#group(group, direction));
      const rules = read.flatMap((group) => group.rules);
      const isOpen =
        direction === 'egress' &&
        read.some((group) => group.isEmpty || group.rules.some(({ accepts }) => accepts));
      const members = direction === 'ingress' ? groups.filter((_, i) => read[i]?.isEmpty) : [];
      this.#doors.set(`${name} ${direction}`, (packet) => {
        const verdict = first(rules, packet, 'drop');
        if (verdict !== undefined) return verdict ? 'open' : 'closed';
        // The addresses of a group's members are decided by the rules of addresses.
        const isAddress = !packet.peer.startsWith('group:');
        return (isOpen && isAddress) || members.some((group) => packet.peer === `group:${group}`)
          ? 'open'
          : 'closed';
      });
    }
  }

  #group(address: string, direction: string): Group {
    const attribute = `${direction}_permissions`;
    const written = arr(this.#resources.get(address)?.[attribute]);
    const rules = written.map((entry): Rule => {
      const { priority, policy, protocol, port_start: from, port_end: to } = obj(entry);
      const order = Number(priority);
      const peer = this.#peer(obj(entry), address);
      const services = servicesOf(protocol, from, to);
      const isKnown =
        order >= 1 &&
        order <= 100 &&
        Number.isInteger(order) &&
        (policy === 'accept' || policy === 'drop');
      if (!isKnown || services === undefined || (obj(entry).direction ?? direction) !== direction) {
        this.#unsure(address, entry);
        return { order: 1, accepts: true, matches: () => false };
      }
      return {
        order,
        accepts: policy === 'accept',
        matches: (packet) => peer(packet) && services(packet),
      };
    });
    return { rules, isEmpty: written.length === 0 };
  }

  #unsure(where: string, value: unknown): void {
    this.#names.add(`${where} unsure ${JSON.stringify(value)}`);
  }

  #peer(entry: Json, where: string): (packet: Packet) => boolean {
    const { cidr_ip: cidr, source_group_id: group, prefix_list_id: list } = entry;
    const given = [cidr, group, list].filter(
      (one) => one !== undefined && one !== null && one !== '',
    );
    if (given.length !== 1) this.#unsure(where, entry);
    if (given.length === 0) return () => false;
    if (given[0] === cidr) return this.#addresses([cidr], where);
    if (given[0] === list) return this.#list(list, where);
    const name = this.#named(group) ?? str(group);
    if (this.#named(group) === undefined && name.includes('${')) this.#unsure(where, group);
    return (packet) => packet.peer === `group:${name}`;
  }

  #addresses(cidrs: readonly unknown[], where: string): (packet: Packet) => boolean {
    const known = cidrs.map(str).filter((cidr) => {
      const isCidr = contains(cidr, '0.0.0.0') !== undefined;
      if (!isCidr) this.#unsure(where, cidr);
      return isCidr;
    });
    const answers = new Map<string, boolean>();
    return ({ peer }) => {
      const answer = answers.get(peer) ?? known.some((cidr) => contains(cidr, peer) === true);
      answers.set(peer, answer);
      return answer;
    };
  }

  #list(id: unknown, where: string): (packet: Packet) => boolean {
    const address = this.#named(id);
    const body = this.#resources.get(address ?? '') ?? {};
    const member = {
      volcenginecc_vpc_prefix_list: ['prefix_list_entries', 'cidr'],
      volcenginecc_clb_acl: ['acl_entries', 'entry'],
      volcenginecc_fwcenter_address_book: ['address_detail_list', 'address'],
    }[(address ?? '').split('.')[0] ?? ''];
    const isManual =
      (body.auto_update_type ?? 'Manual') === 'Manual' &&
      ['ip', 'ipv6', undefined].includes(body.group_type as string);
    if (member === undefined || !isManual) {
      this.#unsure(where, [id, body.auto_update_type, body.group_type]);
      return () => false;
    }
    const [list = '', name = ''] = member;
    return this.#addresses(
      [...arr(body[list]).map((entry) => obj(entry)[name]), ...arr(body.address_list)],
      address ?? '',
    );
  }

  #listener(address: string, body: Json): void {
    if (body.enabled === 'off') return;
    const balancer = this.#named(body.load_balancer_id) ?? str(body.load_balancer_id);
    const { type, address_ip_version: version } = this.#resources.get(balancer) ?? {};
    const ids = body.acl_status === 'on' ? arr(body.acl_ids) : [];
    const lists = ids.map((id) => this.#list(id, address));
    const protocol = { TCP: 'tcp', HTTP: 'tcp', HTTPS: 'tcp', UDP: 'udp' }[str(body.protocol)];
    const services = servicesOf(protocol, body.start_port ?? body.port, body.end_port ?? body.port);
    if (
      services === undefined ||
      !['on', 'off', undefined, ''].includes(body.acl_status as string)
    ) {
      this.#unsure(address, body);
      return;
    }
    const isFamily = ({ peer }: Packet) => !peer.includes(':') || version === 'DualStack';
    const lets = (packet: Packet) => {
      if (packet.peer.startsWith('group:')) return false;
      if (body.acl_status !== 'on') return isFamily(packet);
      const isListed = lists.some((list) => list(packet));
      return body.acl_type === 'white' ? isListed : isFamily(packet) && !isListed;
    };
    const name = `${balancer} ${str(type)}`;
    const before = this.#doors.get(name);
    this.#doors.set(name, (packet) =>
      before?.(packet) === 'open' || (services(packet) && lets(packet)) ? 'open' : 'closed',
    );
  }

  /** A door for each own address at an end of what any policy names. */
  #firewall(): void {
    const policies = this.#all('volcenginecc_fwcenter_control_policy').flatMap(
      ([address, body]) => {
        if (body.action === 'monitor' || body.status === false || body.status === 'false')
          return [];
        const isOut = body.direction === 'out';
        const own = this.#side(address, body, isOut ? 'source' : 'destination');
        const other = this.#side(address, body, isOut ? 'destination' : 'source');
        const [from, to] = str(body.dest_port).split('/');
        const services = servicesOf(PROTOCOLS[str(body.proto)], from, to ?? from);
        const isOdd =
          services === undefined ||
          !['in', 'out'].includes(str(body.direction)) ||
          (body.dest_port_type ?? 'port') !== 'port' ||
          (body.action === 'deny' && (body.repeat_type ?? 'Permanent') !== 'Permanent') ||
          !['accept', 'deny'].includes(str(body.action));
        if (isOdd) this.#unsure(address, body);
        if (services === undefined || (isOdd && body.action !== 'accept')) return [];
        const order = Number(body.prio ?? 0) <= 0 ? 1e9 : Number(body.prio);
        return [
          {
            isOut,
            own,
            rule: {
              order,
              accepts: body.action !== 'deny',
              matches: (packet: Packet) => other(packet) && services(packet),
            },
          },
        ];
      },
    );
    this.#ownDoors(policies);
  }

  #ownDoors(
    policies: readonly { isOut: boolean; own: (packet: Packet) => boolean; rule: Rule }[],
  ): void {
    for (const isOut of [true, false]) {
      const mine = policies.filter((policy) => policy.isOut === isOut);
      if (mine.length === 0) continue;
      for (const own of this.#ownAddresses) {
        const rules = mine
          .filter((policy) => policy.own({ peer: own, protocol: '', port: 0 }))
          .map(({ rule }) => rule);
        this.#doors.set(`firewall ${isOut ? 'out' : 'in'} ${own}`, (packet) => {
          const verdict = first(rules, packet, 'accept');
          return verdict === undefined ? 'closed' : verdict ? 'open' : 'denied';
        });
      }
    }
  }

  get #ownAddresses(): string[] {
    return arr(this.json['own addresses to try']).map(str);
  }

  #side(address: string, body: Json, side: string): (packet: Packet) => boolean {
    const type = body[`${side}_type`];
    if (type === 'net') return this.#addresses(str(body[side]).split(','), address);
    if (type === 'group') return this.#list(body[side], address);
    this.#unsure(address, [type, body[side]]);
    return () => false;
  }
}

const PROTOCOLS: Readonly<Record<string, string>> = {
  TCP: 'tcp',
  UDP: 'udp',
  ICMP: 'icmp',
  ANY: 'all',
};

function servicesOf(
  protocol: unknown,
  from: unknown,
  to: unknown,
): ((packet: Packet) => boolean) | undefined {
  if (protocol === 'all') return () => true;
  if (protocol === 'icmp' || protocol === 'icmpv6') return (packet) => packet.protocol === protocol;
  const [first, last] = [Number(from), Number(to)];
  if (
    (protocol !== 'tcp' && protocol !== 'udp') ||
    !Number.isInteger(first) ||
    !Number.isInteger(last)
  )
    return undefined;
  if (first === -1 && last === -1) return (packet) => packet.protocol === protocol;
  if (first < 0 || last < first) return undefined;
  return (packet) => packet.protocol === protocol && first <= packet.port && packet.port <= last;
}

/** The verdict of the first rule that matches: accepted, refused, or nothing. */
function first(
  rules: readonly Rule[],
  packet: Packet,
  tie: 'drop' | 'accept',
): boolean | undefined {
  let order = Number.POSITIVE_INFINITY;
  let verdict: boolean | undefined;
  for (const rule of rules) {
    if (rule.order > order || !rule.matches(packet)) continue;
    const isFirst = rule.order < order;
    verdict = isFirst || rule.accepts === (tie === 'accept') ? rule.accepts : verdict;
    order = rule.order;
  }
  return verdict;
}
