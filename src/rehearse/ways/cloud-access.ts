import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import type { Packets } from '../../reach/packet-rule.js';
import { list } from '../../reach/read/json.js';
import type { OpenRanges } from '../../reach/sets/ranges.js';
import { peerOf, type Region, toRegion } from '../../reach/sets/region.js';
import { EVERYTHING, intersect, union } from '../../reach/sets/services.js';
import type { Reached } from '../../reach/ways/doors.js';
import { ACCEPTS, everyPacket, passAll, passSurely } from '../../reach/ways/pass.js';
import { addressOrId } from '../../reach/ways/resolve-name.js';
import type { SeenState } from './link-way.js';
import { placeNames } from './place-names.js';
import { findPlaces, type Place } from './places.js';

/** Packets as sets, by the names that access rules have for what they get to. */
export interface Opened {
  readonly rules: readonly Packets[];
  readonly region: Region;
}

/** Packets that the places of one state of the cloud let through, each past all the doors before it. */
export interface CloudAccess {
  /** Everything that may pass: the worse for openings. */
  readonly most: Opened;
  /** Packets that pass if nothing in doubt lets any through, or stops any: the worse for cuts. */
  readonly least: Opened;
  /** The part of that which is known to be listened to: nobody notices the end of any other. */
  readonly used: Opened;
}

/**
 * Returns what each state of a cloud opens. A group or a load balancer is called as the rules of the trees
 * that name it, in all states alike; what no rule names keeps its identifier. Of a private link only accounts
 * and connections count, which are all or nothing: each of its listeners is a place of its own.
 */
export function readAccess(
  states: readonly SeenState[],
  addresses: ReadonlyMap<string, string> = new Map(),
): CloudAccess[] {
  // A passage through many orders comes to the same states again and again; the last one ends it.
  const all = [...new Set([...states.filter((one) => one !== states.at(-1)), ...states.slice(-1)])];
  const reached = all.map((state) => state.reached);
  const attached = new Set([reached[0], reached.at(-1)].flatMap(attachedGroups));
  // Between two endpoints nobody carries a group of both.
  const isCarried = ({ carrier }: Pick<Place, 'carrier'>) => !attached.has(carrier);
  const places = findPlaces(reached).map((own) => own.filter(isCarried));
  const links = readLinks(reached).map((own) => own.filter(isCarried));
  const nameOf = placeNames(
    places.map((own, i) => [...own, ...(links[i] ?? [])]),
    addresses,
  );
  const withName = ({ peer, services }: Packets, of: Parameters<typeof nameOf>[0]): Packets => ({
    ...{ ...nameOf(of), peer, services },
  });
  const access = places.map((own, i): CloudAccess => {
    const named = (links[i] ?? []).map((link) => withName(link, link));
    const opened = (read: (place: Place) => Packets[]): Opened => {
      const packets = own.flatMap((place) => read(place).map((one) => withName(one, place)));
      const rules = [...named, ...packets];
      return { rules, region: toRegion(rules) };
    };
    const certain = new Map(own.map((place) => [place, isIdle(place) ? [] : leastOf(place)]));
    return {
      most: opened(mostOf),
      least: opened((place) => certain.get(place) ?? []),
      used: opened((place) => listenedTo(place, certain.get(place) ?? [])),
    };
  });
  return states.flatMap((state) => access[all.indexOf(state)] ?? []);
}

function mostOf({ series, families }: Place): Packets[] {
  return families.flatMap((family) =>
    packetsOf(family, passAll(series, everyPacket(family), ACCEPTS).open),
  );
}

function leastOf({ series, families }: Place): Packets[] {
  return families.flatMap((family) => packetsOf(family, passSurely(series, everyPacket(family))));
}

function packetsOf(family: 4 | 6, open: OpenRanges): Packets[] {
  return open.map((range) => ({
    peer: peerOf({ peer: { kind: 'addresses', family } }, range),
    services: range.services,
  }));
}

/** An endpoint is called and calls nobody. */
function isIdle({ carrier, direction }: Place): boolean {
  return direction === 'egress' && carrier.startsWith(privatelinkVpcEndpoint.type);
}

/**
 * Leaves what is known to be listened to. A firewall alone knows a place by its policies: where some accept
 * ports there, nothing says that anybody listens at others, though they pass.
 */
function listenedTo({ isAlone, series }: Place, packets: Packets[]): Packets[] {
  const rules = isAlone ? series.flatMap((door) => door.list.rules) : [];
  const accepted = rules.filter(({ isAccept }) => isAccept).map(({ services }) => services);
  if (accepted.length === 0) return packets;
  const known = accepted.reduce(union);
  return packets.flatMap((one) => {
    const services = intersect(one.services, known);
    return services.length === 0 ? [] : { ...one, services };
  });
}

type Link = Packets & Pick<Place, 'direction' | 'carrier' | 'name'>;

/** Peers that are known by name alone. What is let in for every account, is so for each that any state names. */
function readLinks(states: readonly Reached[]): Link[][] {
  const all = states.flatMap(({ named }) => named);
  const accounts = all.filter(({ peer }) => peer.kind === 'account');
  return states.map(({ named }) =>
    named.flatMap((rule) => {
      const { carrier, peer, direction, services, subject, via } = rule;
      if (carrier === undefined || peer.kind === 'unknown') return [];
      const isAll = peer.kind === 'account' && peer.name === '*';
      const others = accounts.filter((one) => isAll && one.carrier === carrier);
      const isLink = peer.kind !== 'group';
      return [peer, ...others.map((one) => one.peer)].map((one) => ({
        ...{ carrier, peer: one, services: isLink ? EVERYTHING : services },
        direction: direction === 'egress' ? ('egress' as const) : ('ingress' as const),
        name: via === '' ? undefined : { via, subject },
      }));
    }),
  );
}

/** The addresses of groups that endpoints carry. */
function attachedGroups(state: Reached | undefined): string[] {
  const endpoints = state?.index.ofType(privatelinkVpcEndpoint.type) ?? [];
  return endpoints.flatMap(({ body }) => list(body.security_group_ids).map(addressOrId));
}
