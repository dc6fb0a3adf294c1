import { groupBy } from '../../lists/group-by.js';
import { firstAddress } from '../read/address.js';
import { nameKey } from '../rules/carriers.js';
import { aclsOf } from './acls.js';
import { backendGate } from './backends.js';
import { borderOf } from './border.js';
import type { Door, Way } from './door.js';

const FAMILIES = [4, 6] as const;

/** Composes the doors of a stack; a firewall stands before each place, and alone it is all that is known. */
export function findWays(doors: readonly Door[]): Way[] {
  const places = doors.filter(({ list: { kind } }) => kind === 'group' || kind === 'listener');
  const firewalls = doors.filter(({ list: { kind } }) => kind === 'firewall');
  const guarded = new Set(places.flatMap(placeKeys));
  const alone = groupBy(
    firewalls
      .flatMap(eachSubject)
      .filter((door) => !placeKeys(door).some((key) => guarded.has(key))),
    (door) => placeKeys(door).join(),
  );
  const border = borderOf(firewalls);
  return [
    ...places.map((door) => {
      const acls = aclsOf(door, door.list.kind, doors);
      const gates = door.gates.map((list) => ({ ...door, list }));
      const inward = [...gates, ...border.before(door), ...acls, door, ...backendGate(door, doors)];
      return toWay(door, door.list.direction === 'ingress' ? inward : inward.toReversed());
    }),
    ...[...alone.values()].map((all) => toWay(all[0], border.before(all[0]), familiesOf(all))),
  ];
}

/** A firewall stands before each subject of its rules. */
function eachSubject(door: Door): Door[] {
  const [, ...others] = door.of;
  return others.length === 0 ? [door] : door.of.map((name) => ({ ...door, ...name, of: [name] }));
}

function placeKeys({ of, list: { direction } }: Door): string[] {
  return of.map((name) => `${direction} ${nameKey(name)}`);
}

/** A firewall alone knows a place by the addresses of its policies: none of another family reaches them. */
function familiesOf(firewalls: readonly Door[]): readonly (4 | 6)[] {
  const own = firewalls.map(({ list }) => list.own);
  const isNamed = own.some((peer) => peer?.kind !== 'addresses');
  if (isNamed) return FAMILIES;
  return FAMILIES.filter((family) =>
    own.some((peer) => peer?.kind === 'addresses' && peer.family === family),
  );
}

function toWay(door: Door, series: readonly Door[], families: Way['families'] = FAMILIES): Way {
  const { stack, subject, via, vpc, list, hosts } = door;
  const carrier = firstAddress(list.carrier);
  const resources = list.rules.map(({ resource }) => resource);
  const names = [...new Set([subject, list.carrier, carrier, ...resources])];
  return { stack, subject, via, vpc, direction: list.direction, names, series, hosts, families };
}
