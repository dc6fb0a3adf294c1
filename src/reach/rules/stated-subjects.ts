import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import { type PacketRule, type Packets, unknownPeer } from '../packet-rule.js';
import { typeOf } from '../read/address.js';
import { RuleLookup } from '../sets/lookup.js';
import { cellKey, directionKey, toRange } from '../sets/region.js';
import { overlaps, type Services, subtract, union } from '../sets/services.js';
import type { EffectiveFlow } from './reading.js';

/** The rules that a subject has on one network. */
type Statement = readonly [key: string, rules: NonEmpty<PacketRule>];

/** A network of access rules: an address is in few of them, however many rules there are. */
interface Network extends Packets {
  readonly statements: readonly Statement[];
}

/** A subject whose rules meet those of a carrier. */
export interface Fit {
  readonly key: string;
  readonly rule: PacketRule;
  /** Rules of the subject that the carrier does not open; of the only one that fits none is counted. */
  readonly missing: number;
}

/** The subjects of access rules, to be found by what carriers open. */
export class StatedSubjects {
  readonly #subjects: ReadonlyMap<string, NonEmpty<PacketRule>>;
  readonly #networks: RuleLookup<Network>;

  constructor(rules: readonly PacketRule[]) {
    this.#subjects = groupBy(rules, subjectKey);
    const networks = [...groupBy(rules, directionKey).values()].flatMap((alike) =>
      [...groupBy(alike, networkKey).values()].map(toNetwork),
    );
    this.#networks = new RuleLookup(networks, directionKey);
  }

  /** Finds the subjects that state the most of one carrier's flows. */
  findBest(stack: string, own: readonly EffectiveFlow[], states: States): Fit[] {
    const met = new Map<string, number>();
    for (const flow of own) {
      const found = new Set<string>();
      for (const [key, rules] of this.#meeting(stack, flow)) {
        if (!found.has(key) && rules.some((rule) => states(rule, flow))) found.add(key);
      }
      for (const key of found) met.set(key, (met.get(key) ?? 0) + 1);
    }
    const most = [...met.values()].reduce((a, b) => Math.max(a, b), 0);
    const best = [...met.keys()].filter((key) => met.get(key) === most);
    return best.flatMap((key) => {
      const rules = this.#subjects.get(key) ?? [];
      const isAlone = best.length === 1;
      const missing = isAlone ? 0 : rules.length - this.#countMet(stack, own, key, states);
      return rules.slice(0, 1).map((rule) => ({ key, rule, missing }));
    });
  }

  #meeting(stack: string, flow: EffectiveFlow): Statement[] {
    const { direction, peer, services } = flow;
    const key = directionKey({ stack, direction, peer, services });
    const found: Statement[] = [];
    for (const { statements } of this.#networks.find(key, toRange(flow), services)) {
      for (const one of statements) if (canCarry(flow, one[1][0])) found.push(one);
    }
    return found;
  }

  /** Counts the rules of a subject that state flows of a carrier. */
  #countMet(stack: string, own: readonly EffectiveFlow[], key: string, states: States): number {
    const rules = own.flatMap((flow) =>
      this.#meeting(stack, flow).flatMap(([one, rules]) =>
        one === key ? rules.filter((rule) => states(rule, flow)) : [],
      ),
    );
    return new Set(rules).size;
  }
}

type States = (rule: PacketRule, flow: EffectiveFlow) => boolean;

/** Tells whether a rule states all packets of a flow. */
export function statesAll(rule: PacketRule, flow: EffectiveFlow): boolean {
  const [a, b] = [toRange(rule), toRange(flow)];
  const isWithin = a.first <= b.first && b.last <= a.last && isSpanned(b.services, a.services);
  return isWithin && subtract(b.services, a.services).length === 0;
}

/** Tells whether a rule, of a network that a flow meets, states some of its packets. */
export function statesSome({ services }: PacketRule, flow: EffectiveFlow): boolean {
  return overlaps(services, flow.services);
}

function isSpanned(inner: Services, outer: Services): boolean {
  const [first, last] = [inner[0]?.first ?? 0, inner.at(-1)?.last ?? 0];
  return (outer[0]?.first ?? 0) <= first && last <= (outer.at(-1)?.last ?? 0);
}

/** Whatever it opens, a firewall is no listener, a listener no group of servers, and an endpoint no workload. */
function canCarry({ carrier, resource }: EffectiveFlow, { via, subject }: PacketRule): boolean {
  if (carrier.startsWith('Cloud Firewall')) return via.startsWith('fixed-ip-');
  if (typeOf(carrier) === ENDPOINT) return !via.startsWith('fixed-ip-');
  const isListener = typeOf(resource) === 'volcenginecc_clb_listener';
  return via !== 'plugin-endpoint-service' || subject.endsWith('-listener') === isListener;
}

const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';

function toNetwork(rules: NonEmpty<PacketRule>): Network {
  const [first, ...more] = rules;
  const { stack, direction, peer } = first;
  const services = rules.map((rule) => rule.services).reduce(union);
  // Most networks of a large stack have one rule.
  const statements: Statement[] =
    more.length === 0 ? [[subjectKey(first), rules]] : [...groupBy(rules, subjectKey)];
  return { stack, direction, peer, services, statements };
}

function networkKey({ peer }: PacketRule): string {
  return peer.kind === 'addresses' ? `${peer.first}-${peer.last}` : '';
}

function subjectKey({ via, direction, subject }: PacketRule): string {
  return cellKey({ via, direction, subject, peer: NOBODY });
}

const NOBODY = unknownPeer('');
