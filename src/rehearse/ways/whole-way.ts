import type { CarrierNames } from '../../reach/rules/carriers.js';
import { type EffectiveFlow, isOfFirewall, type RuleList } from '../../reach/rules/reading.js';
import { meet, type OpenRanges, rangesAt, uniteAll } from '../../reach/sets/ranges.js';
import { peerOf, toRange } from '../../reach/sets/region.js';
import { intersect, union } from '../../reach/sets/services.js';
import type { Door, Way } from '../../reach/ways/door.js';
import { everyPacket, mostThrough } from '../../reach/ways/pass.js';

/** Names of the packets that firewalls see, by carriers. */
type Subjects = ReadonlyMap<string, string>;

/** The packets of flows, in one state, that get to somebody past all doors. */
export interface WholeWays {
  /** Leaves what may pass the other doors on the ways of a flow too: past one that drops it, it gets to nobody. */
  readonly cut: (flow: EffectiveFlow) => EffectiveFlow[];
  /** Tells of packets that pass a firewall whether nothing else is known of where they go. */
  readonly isAlone: (flow: EffectiveFlow) => boolean;
}

/** Finds the ways of each state. Where it has no place behind a firewall, those of the other states count. */
export function findWholeWays(
  states: readonly (readonly Way[])[],
  subjects: Subjects,
): WholeWays[] {
  const found = states.map((ways) => {
    const known = new Map<string, OpenRanges | undefined>();
    return (flow: EffectiveFlow) => {
      const { carrier, direction, peer } = flow;
      if (peer.kind !== 'addresses') return undefined;
      const key = JSON.stringify([direction, carrier, peer.family]);
      if (!known.has(key)) known.set(key, passOthers(ways, flow, peer.family, subjects));
      return known.get(key);
    };
  });
  return found.map((own) => ({
    cut: (flow) => {
      const elsewhere = () => found.map((other) => other(flow)).filter((one) => one !== undefined);
      const open = own(flow) ?? joined(elsewhere());
      if (open === undefined) return [flow];
      const range = toRange(flow);
      const packets = meet([range], rangesAt(open, range));
      return packets.map((one) => ({ ...flow, peer: peerOf(flow, one), services: one.services }));
    },
    isAlone: (flow) => isOfFirewall(flow.carrier) && own(flow) === undefined,
  }));
}

function joined(all: readonly OpenRanges[]): OpenRanges | undefined {
  return all.length === 0 ? undefined : uniteAll(all.flat());
}

/** Finds what the other doors let through, on all ways through the carrier of a flow, or behind a firewall. */
function passOthers(
  ways: readonly Way[],
  { carrier, direction }: EffectiveFlow,
  family: 4 | 6,
  subjects: Subjects,
): OpenRanges | undefined {
  const subject = subjects.get(carrier) ?? carrier;
  const leadsThere = ({ names, series }: Way) =>
    isOfFirewall(carrier)
      ? names.includes(subject) && series.some(({ list }) => PLACES.includes(list.kind))
      : series.some(({ list }) => list.carrier === carrier);
  const isOther = ({ list: { kind, carrier: other } }: Door) =>
    kind !== 'gate' && (isOfFirewall(carrier) ? kind !== 'firewall' : other !== carrier);
  const open = (door: Door) => mostThrough(door, family);
  const everything: OpenRanges = everyPacket(family).packets;
  const own = ways
    .filter((way) => way.direction === direction && way.families.includes(family))
    .filter(leadsThere);
  return joined(own.map(({ series }) => series.filter(isOther).map(open).reduce(meet, everything)));
}

/** Lists of rules behind a firewall. */
const PLACES: readonly RuleList['kind'][] = ['group', 'listener'];

/**
 * Cuts what passes a firewall alone to what is known to be listened to. It knows a place by its policies: where some
 * accept ports there, nothing says that anybody listens at others, though they pass.
 */
export function acceptedPorts(lists: readonly RuleList[]) {
  const firewalls = new Map(lists.map((list) => [list.carrier, list.rules] as const));
  return (flow: EffectiveFlow): EffectiveFlow[] => {
    const rules = firewalls.get(flow.carrier)?.filter(({ resource }) => resource !== '') ?? [];
    const accepted = rules.filter(({ isAccept }) => isAccept).map(({ services }) => services);
    if (accepted.length === 0) return [flow];
    const services = intersect(flow.services, accepted.reduce(union));
    return services.length === 0 ? [] : [{ ...flow, services }];
  };
}

/** Names whose packets firewalls see: before the first policy and after the last nothing in a state says it. */
export function firewallSubjects(lists: readonly RuleList[], names: CarrierNames): Subjects {
  return new Map(
    lists
      .filter(({ kind }) => kind === 'firewall')
      .flatMap((list) => {
        const resources = list.rules.flatMap(({ resource }) => (resource === '' ? [] : resource));
        const { via, subject } = names.nameOf(list, resources);
        return via === '' ? [] : [[list.carrier, subject] as const];
      }),
  );
}
