import { groupBy } from '../../lists/group-by.js';
import { firstAddress } from '../read/address.js';
import { aclsOf } from './acls.js';
import { backendGate } from './backends.js';
import { firewallOf } from './border.js';
import type { Door, Way } from './door.js';

const FAMILIES = [4, 6] as const;

/** Composes the doors of a stack; a firewall stands before each place, and alone it is all that is known. */
export function findWays(doors: readonly Door[]): Way[] {
  const places = doors.filter(({ list: { kind } }) => kind === 'group' || kind === 'listener');
  const firewalls = doors.filter(({ list: { kind } }) => kind === 'firewall');
  const guarded = new Set(places.map(placeKey));
  const alone = groupBy(
    firewalls.filter((door) => !guarded.has(placeKey(door))),
    placeKey,
  );
  return [
    ...places.map((door) => {
      const border = firewallOf(door, firewalls);
      const acls = aclsOf(door, door.list.kind, doors);
      const gates = door.gates.map((list) => ({ ...door, list }));
      const inward = [...gates, ...border, ...acls, door, ...backendGate(door, doors)];
      return toWay(door, door.list.direction === 'ingress' ? inward : inward.toReversed());
    }),
    ...[...alone.values()].map((all) =>
      toWay(all[0], firewallOf(all[0], firewalls), familiesOf(all)),
    ),
  ];
}

function placeKey({ subject, list: { direction } }: Door): string {
  return `${direction} ${subject}`;
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
