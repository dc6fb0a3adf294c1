import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { groupBy } from '../../lists/group-by.js';
import { remember } from '../../lists/remember.js';
import type { Name, RulePeer } from '../../reach/packet-rule.js';
import { list } from '../../reach/read/json.js';
import { carrierKey, nameKey } from '../../reach/rules/carriers.js';
import { isFirewall, splitOwnSides } from '../../reach/rules/own-sides.js';
import { borderOf } from '../../reach/ways/border.js';
import type { Way } from '../../reach/ways/door.js';
import type { Reached } from '../../reach/ways/doors.js';

/** Something that packets get to, in one state of the cloud, past the doors that decide by rules. */
export interface Place extends Pick<Way, 'direction' | 'series' | 'families'> {
  readonly carrier: string;
  /** The name that access rules have for it in some state; undefined where none names it. */
  readonly name: Name | undefined;
  /** The own addresses behind Cloud Firewall at which it is called, where policies tell some apart. */
  readonly side?: RulePeer;
  /** True where nothing is known of it but the policies of Cloud Firewall. */
  readonly isAlone: boolean;
}

/** The name of a place, by which own addresses are known to be its. */
type Named = Name & Pick<Way, 'direction'>;

/** Own addresses that no policy of any state tells apart. */
interface Side extends Pick<Way, 'direction'> {
  readonly own: RulePeer;
  readonly carrier: string;
  /** The names of what has them. */
  readonly names: readonly Named[];
}

/**
 * Finds the places of each state: those of `reach`, at each of the own addresses that policies of any state
 * tell apart. What a firewall alone knows is a place where no state has another of its name: it is there
 * before the first policy and after the last.
 */
export function findPlaces(states: readonly Reached[]): Place[][] {
  const guards = states.map(({ ways }) => ways.flatMap(guardOf));
  // What is named in one state has the name in all.
  const names = new Map(guards.flat().flatMap(({ key, name }) => (name ? [[key, name]] : [])));
  const known = new Set([...names.values()].map(keyOf));
  const sides = findSides(states);
  const alone = sides.filter((side) => !side.names.some((name) => known.has(keyOf(name))));
  const byName = groupBy(
    sides.flatMap((side) => side.names.map((name) => ({ ...side, key: keyOf(name) }))),
    ({ key }) => key,
  );
  return states.map((state, i) => [
    ...(guards[i] ?? []).flatMap((guard) => {
      const name = names.get(guard.key);
      return guardedPlaces(guard, name, state, name && byName.get(keyOf(name)));
    }),
    ...alone.map((side) => alonePlace(side, state)),
  ]);
}

type Guard = ReturnType<typeof guardOf>[number];

/** The place of a way, at each of its own addresses; those that are not known may be any. */
function guardedPlaces(
  { way, door }: Guard,
  name: Named | undefined,
  state: Reached,
  sides: readonly Side[] | undefined,
): Place[] {
  const { direction, series } = way;
  const { carrier } = door.list;
  const families = familiesOf(way, carrier, state);
  const place = { direction, carrier, name, families, isAlone: false };
  // What may be in a group that nobody describes is not shown, and no packet of it is.
  const doors = series
    .filter(({ list: { kind } }) => kind !== 'gate')
    .map((one) => (one === door ? { ...one, list: { ...one.list, unclear: [] } } : one));
  if (sides === undefined) return [{ ...place, series: doors }];
  const inner = doors.filter((one) => !isFirewall(one.list));
  return sides.map(({ own }) => ({
    ...{ ...place, side: own, series: [...borderIn(state).at(direction, own), ...inner] },
  }));
}

function alonePlace({ direction, own, carrier, names }: Side, state: Reached): Place {
  const [name, ...others] = names;
  return {
    ...{ direction, carrier, side: own, isAlone: true },
    name: others.length === 0 ? name : undefined,
    series: borderIn(state).at(direction, own),
    families: own.kind === 'addresses' ? [own.family] : [4, 6],
  };
}

const borderIn = remember(({ doors }: Reached) =>
  borderOf(doors.filter((door) => isFirewall(door.list))),
);

function findSides(states: readonly Reached[]): Side[] {
  const doors = states.flatMap((one) => one.doors.filter((door) => isFirewall(door.list)));
  const owners = new Map(
    doors.flatMap((door) => door.list.rules.map((rule) => [rule, door] as const)),
  );
  const [parts = []] = splitOwnSides([doors.map((door) => door.list)]);
  return parts.flatMap(({ direction, own, carrier, rules }) => {
    const named = rules.flatMap((rule) => owners.get(rule) ?? []).filter(({ via }) => via !== '');
    const names = [...groupBy(named, nameKey).values()].map(([{ via, subject }]) => ({
      ...{ direction, via, subject },
    }));
    return own === undefined ? [] : { direction, own, carrier, names };
  });
}

function keyOf(name: Named): string {
  return `${name.direction} ${nameKey(name)}`;
}

/** The door of a way whose rules are those of the place; none where a firewall is alone. */
function guardOf(way: Way) {
  const door = way.series.find(({ list: { kind } }) => kind === 'group' || kind === 'listener');
  if (door === undefined) return [];
  const { subject, via, direction } = way;
  // Listeners of one load balancer have its carrier.
  const [rule] = door.list.kind === 'listener' ? door.list.rules : [];
  const key = `${carrierKey(door.list)} ${rule?.resource}`;
  return [{ way, door, name: via === '' ? undefined : { subject, via, direction }, key }];
}

/** An endpoint for IPv4 alone has no address of the other family. */
function familiesOf({ families }: Way, carrier: string, { index }: Reached): Way['families'] {
  const endpoint = index.at(carrier);
  if (endpoint?.type !== privatelinkVpcEndpoint.type) return families;
  const isOfBoth = list(endpoint.body.ip_address_versions).includes('ipv6');
  return families.filter((family) => family === 4 || isOfBoth);
}
