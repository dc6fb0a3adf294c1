import { networkPeer, peerName, type RulePeer, type Verdict } from '../reach/packet-rule.js';
import { judgeAt } from '../reach/questions/answer.js';
import { firstAddress } from '../reach/read/address.js';
import { type Json, list, object, text } from '../reach/read/json.js';
import type { OwnSide } from '../reach/rules/reading.js';
import { toRange } from '../reach/sets/region.js';
import { readPorts, servicesText } from '../reach/sets/services.js';
import { passUnderDoubt } from '../reach/ways/bounds.js';
import type { Door, Way } from '../reach/ways/door.js';
import { type Reached, readReached } from '../reach/ways/doors.js';
import type { Asked } from '../reach/ways/pass.js';
import { endpointAt } from '../reach/ways/resolve-name.js';
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

/** Answers what the configuration of a stack's cloud says of dials, by the ways that every question is answered by. */
export class DialExplainer {
  readonly #reached: Reached;
  readonly #own: Reached;
  readonly #deployed: ReadonlySet<string>;

  constructor(readonly live: LiveStack) {
    const { name, access, deployed, unread, whole } = live;
    const common = { name, file: 'the cloud', unread, ...(access && { access }) };
    this.#reached = readReached({ ...common, terraform: whole });
    this.#own = readReached({ ...common, terraform: deployed });
    this.#deployed = new Set(this.#own.doors.flatMap(({ list }) => list.rules.map(ruleKey)));
  }

  /** Explains a dial; undefined where nothing that was read has the address. */
  explain(dial: Dial): Explained | undefined {
    const carrier = this.#carrierAt(dial.to);
    const isOut = isOutward(dial);
    const peer = networkPeer(carrier === undefined && isOut ? dial.to : dial.from);
    const services = readPorts('tcp', dial.port, dial.port);
    const ways = this.#ways(dial, carrier);
    if (ways.length === 0 || peer.kind !== 'addresses' || services === undefined) return undefined;
    const asked = { family: peer.family, packets: [toRange({ peer, services })] };
    const judged = ways.map((way) => this.#judge(way, asked));
    const isBlocked = judged.every(({ blockers }) => blockers.length > 0);
    return {
      notConnected: once(judged.flatMap(({ notConnected }) => notConnected)),
      // Which of several groups a server carries is not known; a caller may carry just one that stops it.
      blockers: isOut || isBlocked ? once(judged.flatMap(({ blockers }) => blockers)) : [],
      openers: once(judged.filter(({ isOpen }) => isOpen).flatMap(({ openers }) => openers)),
      unclear: once(judged.flatMap(({ unclear }) => unclear)),
      isOpen: judged.every(({ isOpen }) => isOpen),
    };
  }

  /** Says of an endpoint that the state has at an address, and that is deleted; undefined of any other. */
  goneEndpoint(address: string): string | undefined {
    const endpoint = endpointAt(this.#own.index, address);
    const own = this.live.gone.find((one) => one.address === endpoint?.address);
    return own && inWords(own);
  }

  /** The address in Terraform of what carries the groups of an address: the network interface, where it was read. */
  #carrierAt(address: string): string | undefined {
    const { index } = this.#reached;
    const card = index
      .ofType(INTERFACE_TYPE)
      .find(({ body }) => privateAddresses(body).includes(address));
    return (card ?? endpointAt(index, address))?.address;
  }

  #ways(dial: Dial, carrier: string | undefined): readonly Way[] {
    const direction = carrier === undefined && isOutward(dial) ? 'egress' : 'ingress';
    if (carrier === undefined && dial.via === 'service-endpoint') return [];
    return this.#reached.ways.filter(
      (way) =>
        way.direction === direction &&
        (carrier === undefined
          ? way.via === dial.via && way.series.some(({ list: own }) => own.kind === 'group')
          : way.series.some(({ list: own }) => own.carrier === carrier)),
    );
  }

  #judge(way: Way, asked: Asked) {
    const { pass, doubt, why, by } = judgeAt(way, asked);
    const stopping = way.series.filter((door) => passUnderDoubt([door], asked).most.length === 0);
    // A policy that was not read may stand before those that were.
    const isPartial = ({ list: { kind } }: Door) =>
      kind === 'firewall' && this.live.missed.length > 0;
    const isGate = ({ list: { kind } }: Door) => kind === 'gate';
    const closing = stopping.filter((door) => !isGate(door) && !isPartial(door));
    const isContrary = pass.length + doubt.length === 0 && stopping.length === 0;
    return {
      notConnected: stopping.filter(isGate).map(({ list: { carrier } }) => {
        const status = this.#reached.index.at(carrier)?.body.connection_status;
        return `the connection of ${this.live.idOf(carrier)} is ${text(status)}`;
      }),
      blockers: isContrary
        ? ['blocked by one rule or another, whatever the answer to what is in doubt']
        : closing.flatMap((door) => this.#blockersIn(door, asked)),
      openers: by().flatMap(({ door, rule }) =>
        rule.isAccept && !isGate(door) ? this.#describe(rule) : [],
      ),
      unclear: [...why, ...(stopping.some(isPartial) ? this.live.missed : [])],
      isOpen: pass.length > 0,
    };
  }

  /** Lists every rule of a list that stops the packets, each after those before it are gone. */
  #blockersIn(door: Door, asked: Asked): string[] {
    const found: Verdict[] = [];
    for (;;) {
      const left = <T extends OwnSide>(list: T): T => ({
        ...list,
        rules: list.rules.filter((rule) => !found.includes(rule)),
      });
      const { places } = door.list;
      const sides = places && {
        everywhere: left(places.everywhere),
        sides: places.sides.map(left),
      };
      const list = { ...left(door.list), ...(sides && { places: sides }) };
      const { most, by } = passUnderDoubt([{ ...door, list }], asked);
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
    const groups = once(own.rules.map(({ resource }) => this.live.idOf(resource)));
    const where = groups.join(', ') || this.live.idOf(carrier);
    return [`no rule of ${where} accepts ${askedText(asked)}`, ...once(gone)].join('; ');
  }

  #describe(rule: Verdict): string {
    const { resource, at, priority } = rule;
    const id = this.live.idOf(resource);
    if (priority === Number.POSITIVE_INFINITY) return `${rule.text} (${id})`;
    const which = at === undefined ? `a rule of ${id}` : `rule ${at} of ${id}`;
    const isOwn = this.live.deployed.resources.some(({ address }) => address === resource);
    const stranger = isOwn ? 'not in Terraform' : 'not in this stack’s Terraform';
    const whose = this.#deployed.has(ruleKey(rule)) ? resource : stranger;
    return `${which}, ${ruleText(rule)} (${whose})`;
  }
}

const INTERFACE_TYPE = 'volcenginecc_vpc_eni';

function privateAddresses({ primary_ip_address: primary, private_ip_sets: more }: Json): string[] {
  return [primary, ...list(more)].map((one) => text(object(one).private_ip_address));
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
