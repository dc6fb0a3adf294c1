import { networkPeer, peerName, type RulePeer, type Verdict } from '../reach/packet-rule.js';
import { firstAddress } from '../reach/read/address.js';
import { type Json, list, object, text } from '../reach/read/json.js';
import { toRange } from '../reach/sets/region.js';
import { readPorts, servicesText } from '../reach/sets/services.js';
import { passUnderDoubt } from '../reach/ways/bounds.js';
import type { Door, Way } from '../reach/ways/door.js';
import { type Reached, readReached } from '../reach/ways/doors.js';
import type { Asked } from '../reach/ways/pass.js';
import { addressesOf, ENDPOINT, INTERFACE } from './interfaces.js';
import { inWords, type LiveStack } from './live-stack.js';

/** A TCP connection that was dialled. */
export interface Dial {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  /** The option of the link or door that the address belongs to. */
  readonly via: string;
}

/** Reasons in the cloud's configuration, as clauses. */
export interface Explained {
  /** All that stop the packets, one after the other; none where nothing is known to. */
  readonly blockers: readonly string[];
  /** The state of the endpoint's connection, where it is not connected. */
  readonly notConnected: readonly string[];
  /** The rules that let the packets in, where all do. */
  readonly openers: readonly string[];
  /** Everything that leaves it undecided. */
  readonly unclear: readonly string[];
  /** The packets pass everything that was read. */
  readonly isOpen: boolean;
}

/** Answers what the configuration of a stack's cloud says of dials. */
export class DialExplainer {
  readonly #reached: Reached;
  readonly #deployed: ReadonlySet<string>;
  readonly #own: Reached;
  readonly #ids: ReadonlyMap<string, string>;

  constructor(readonly live: LiveStack) {
    const { name, access, deployed, unread, objects, addressOf } = live;
    const common = { name, file: 'the cloud', unread, ...(access && { access }) };
    const terraform = live.withObjects(withEveryEndpoint(objects));
    this.#reached = readReached({ ...common, terraform });
    this.#own = readReached({ ...common, terraform: deployed });
    this.#deployed = new Set(this.#own.doors.flatMap(({ list }) => list.rules.map(ruleKey)));
    this.#ids = new Map(
      Object.entries(objects).flatMap(([cloudType, all]) =>
        Object.keys(all).map((id) => [addressOf({ cloudType, identifier: id }), id] as const),
      ),
    );
  }

  /** Explains a dial; undefined where nothing that was read has the address. */
  explain(dial: Dial): Explained | undefined {
    const holder = holderOf(this.live.objects, dial.to);
    const peer = networkPeer(holder === undefined && isOutward(dial) ? dial.to : dial.from);
    const services = readPorts('tcp', dial.port, dial.port);
    const ways = this.#ways(dial, holder);
    if (ways.length === 0 || peer.kind !== 'addresses' || services === undefined) return undefined;
    const asked = { family: peer.family, packets: [toRange({ peer, services })] };
    const judged = ways.map((way) => this.#judge(way, asked));
    const status = text(holder?.endpoint?.properties.ConnectionStatus);
    const notConnected =
      holder === undefined || status === '' || status === 'Connected'
        ? []
        : [`the connection of ${holder.endpoint?.id} is ${status}`];
    return {
      notConnected,
      // Which of several groups a server carries is not known; a caller may carry just one that stops it.
      blockers:
        isOutward(dial) || judged.every(({ blockers }) => blockers.length > 0)
          ? once(judged.flatMap(({ blockers }) => blockers))
          : [],
      openers: once(judged.filter(({ isOpen }) => isOpen).flatMap(({ openers }) => openers)),
      unclear: once(judged.flatMap(({ unclear }) => unclear)),
      isOpen: notConnected.length === 0 && judged.every(({ isOpen }) => isOpen),
    };
  }

  /** Says of an endpoint that the state has at an address, and that is deleted; undefined of any other. */
  goneEndpoint(address: string): string | undefined {
    const { deployed, gone } = this.live;
    const endpoint = deployed.resources.find(
      ({ type, body }) =>
        type === 'volcenginecc_privatelink_vpc_endpoint' &&
        list(body.zones).some((zone) => object(zone).private_ip_address === address),
    );
    const own = gone.find((one) => one.address === endpoint?.address);
    return own && inWords(own);
  }

  #ways(dial: Dial, holder: Holder | undefined): readonly Way[] {
    const { ways } = this.#reached;
    if (holder !== undefined) {
      const { cloudType, id: identifier } = holder.guarded;
      const carrier = this.live.addressOf({ cloudType, identifier });
      return ways.filter(
        ({ direction, series }) =>
          direction === 'ingress' && series.some(({ list: own }) => own.carrier === carrier),
      );
    }
    if (dial.via === 'service-endpoint') return [];
    const direction = isOutward(dial) ? 'egress' : 'ingress';
    return ways.filter(
      (way) =>
        way.direction === direction &&
        way.via === dial.via &&
        way.series.some(({ list: own }) => own.kind === 'group'),
    );
  }

  #judge({ series }: Way, asked: Asked) {
    const doors = series.map((door) => ({ door, ...passUnderDoubt([door], asked) }));
    const isBlocked = ({ most }: (typeof doors)[number]) => most.length === 0;
    // A policy that was not read may stand before those that were.
    const isPartial = (door: Door) => door.list.kind === 'firewall' && this.live.missed.length > 0;
    return {
      blockers: doors
        .filter((one) => isBlocked(one) && !isPartial(one.door))
        .flatMap(({ door }) => this.#blockersIn(door, asked)),
      openers: doors.flatMap(({ by }) =>
        by().flatMap(({ rule }) => (rule.isAccept ? this.#describe(rule) : [])),
      ),
      unclear: doors.flatMap(({ door, why, most }) =>
        isPartial(door) && most.length === 0 ? this.live.missed : why,
      ),
      isOpen: doors.every(({ least }) => least.length > 0),
    };
  }

  /** Lists every rule of a list that stops the packets, each after those before it are gone. */
  #blockersIn(door: Door, asked: Asked): string[] {
    const found: Verdict[] = [];
    for (;;) {
      const rules = door.list.rules.filter((rule) => !found.includes(rule));
      const { most, by } = passUnderDoubt([{ ...door, list: { ...door.list, rules } }], asked);
      const drops = by().flatMap(({ rule }) => (rule.isAccept ? [] : rule));
      const isNew = drops.some((rule) => !found.includes(rule));
      if (most.length > 0) return found.map((rule) => `blocked by ${this.#describe(rule)}`);
      if (!isNew) {
        const named = found.map((rule) => `blocked by ${this.#describe(rule)}`);
        return [...named, this.#absent(door, asked)];
      }
      found.push(...drops.filter((rule) => !found.includes(rule)));
    }
  }

  /** Describes a list in which no rule accepts the packets, with what Terraform has in it. */
  #absent({ list: own }: Door, asked: Asked): string {
    const before = this.#own.doors.find(
      ({ list: other }) => other.carrier === own.carrier && other.direction === own.direction,
    );
    const live = new Set(own.rules.map(ruleKey));
    const gone = (before === undefined ? [] : passUnderDoubt([before], asked).by())
      .filter(({ rule }) => rule.isAccept && !live.has(ruleKey(rule)))
      .map(({ rule }) => `${ruleText(rule)}, which Terraform has, is gone`);
    const carrier = firstAddress(own.carrier);
    const groups = once(own.rules.map(({ resource }) => this.#name(resource)));
    const where = groups.join(', ') || this.#name(carrier);
    return [`no rule of ${where} accepts ${askedText(asked)}`, ...once(gone)].join('; ');
  }

  #describe(rule: Verdict): string {
    const { resource, at, priority } = rule;
    const id = this.#name(resource);
    if (priority === Number.POSITIVE_INFINITY) return `${rule.text} (${id})`;
    const which = at === undefined ? `a rule of ${id}` : `rule ${at} of ${id}`;
    const isOwn = this.live.deployed.resources.some(({ address }) => address === resource);
    const stranger = isOwn ? 'not in Terraform' : 'not in this stack’s Terraform';
    const whose = this.#deployed.has(ruleKey(rule)) ? resource : stranger;
    return `${which}, ${ruleText(rule)} (${whose})`;
  }

  #name(address: string): string {
    return this.#ids.get(address) ?? address;
  }
}

interface Found {
  readonly cloudType: string;
  readonly id: string;
  readonly properties: Json;
}

interface Holder {
  /** Carries the groups: the network interface, where it was read. */
  readonly guarded: Found;
  readonly endpoint: Found | undefined;
}

/** Finds the endpoint and network interface that have an address. */
function holderOf(objects: LiveStack['objects'], address: string): Holder | undefined {
  const [endpoint, card] = [ENDPOINT, INTERFACE].map((cloudType) => {
    const all = Object.entries(objects[cloudType] ?? {});
    const found = all.find(([, properties]) => addressesIn(properties).includes(address));
    return found && { cloudType, id: found[0], properties: found[1] };
  });
  const guarded = card ?? endpoint;
  return guarded && { guarded, endpoint };
}

function addressesIn(properties: Json): string[] {
  const zones = list(properties.Zones).map(object);
  const own = zones.flatMap((zone) => [zone.PrivateIpAddress, zone.PrivateIpv6Address]);
  return [...addressesOf(properties), ...own.map(text)];
}

/** Reads an endpoint's groups whatever the state of its connection, which is told beside them. */
function withEveryEndpoint(objects: LiveStack['objects']): LiveStack['objects'] {
  const endpoints = Object.entries(objects[ENDPOINT] ?? {}).map(
    ([id, { ConnectionStatus: _, ...rest }]) => [id, rest] as const,
  );
  return endpoints.length === 0
    ? objects
    : { ...objects, [ENDPOINT]: Object.fromEntries(endpoints) };
}

function isOutward({ via }: Dial): boolean {
  return via === 'fixed-ip-egress';
}

function ruleKey(rule: Verdict): string {
  return `${rule.resource} ${ruleText(rule)}`;
}

function ruleText({ isAccept, peers, services, priority }: Verdict): string {
  const who = peers.map((peer: RulePeer) => peerName(peer)).join(', ');
  return `${isAccept ? 'accept' : 'drop'} ${who} ${servicesText(services)}, priority ${priority}`;
}

function askedText({ family, packets: [range] }: Asked): string {
  if (range === undefined) return 'them';
  const { first, last, services } = range;
  return `${peerName({ kind: 'addresses', family, first, last })} ${servicesText(services)}`;
}

function once(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
