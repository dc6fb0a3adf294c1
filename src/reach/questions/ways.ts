import { groupBy } from '../../lists/group-by.js';
import { peerName, type RulePeer, type Verdict } from '../packet-rule.js';
import { EVERYONE, unclearRule } from '../rules/peers.js';
import type { RuleList } from '../rules/reading.js';
import { backendGate } from './backends.js';
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
      const acls = aclsOf(door, doors);
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
  const [carrier = ''] = list.carrier.split(' ');
  const resources = list.rules.map(({ resource }) => resource);
  const names = [...new Set([subject, list.carrier, carrier, ...resources])];
  return { stack, subject, via, vpc, direction: list.direction, names, series, hosts, families };
}

/**
 * Joins the policies that decide on a place in one list, by their positions. Those for an address of the
 * enterprise decide if the place has that address: one that it is known by, or perhaps any.
 */
function firewallOf({ subject, list: { direction } }: Door, firewalls: readonly Door[]): Door[] {
  const all = firewalls.filter(({ list }) => list.direction === direction);
  const own = all.filter((door) => door.subject === subject);
  const places = own.flatMap(({ list }) => list.own ?? []);
  const read = (verdicts: (list: RuleList) => readonly Verdict[]) =>
    [...sidesOf(all, verdicts)].map(([verdict, sides]) => ({
      verdict,
      sides,
      relation: relationOf(sides, places),
    }));
  const [rules, unclear] = [read((list) => list.rules), read((list) => list.unclear ?? [])];
  const met = [...rules, ...unclear].filter(({ relation }) => relation !== 'apart');
  const names = new Set(met.flatMap(({ sides }) => sides));
  const deciding = all.filter(({ list: { own: side } }) => side && names.has(side));
  const [first = deciding[0]] = own;
  if (first === undefined) return [];
  const list: RuleList = {
    ...first.list,
    carrier: deciding.map((door) => door.list.carrier).join(', '),
    rules: rules.flatMap((one) => (one.relation === 'covers' ? one.verdict : [])),
    unclear: [
      ...unclear.flatMap((one) => (one.relation === 'covers' ? one.verdict : [])),
      ...met.flatMap((one) => (one.relation === 'meets' ? doubted(one.verdict, one.sides) : [])),
    ],
  };
  return [{ ...first, list }];
}

/** The own sides of each policy: one with several networks there is in the list of each. */
function sidesOf(
  firewalls: readonly Door[],
  verdicts: (list: RuleList) => readonly Verdict[],
): Map<Verdict, RulePeer[]> {
  const sides = new Map<Verdict, RulePeer[]>();
  for (const { list } of firewalls) {
    for (const verdict of verdicts(list)) {
      sides.set(verdict, [...(sides.get(verdict) ?? []), ...(list.own ? [list.own] : [])]);
    }
  }
  return sides;
}

/** Tells whether policies are for all addresses that a place has in their family, for some, or for none. */
function relationOf(sides: readonly RulePeer[], places: readonly RulePeer[]): Relation {
  if (sides.some(isEveryone)) return 'covers';
  const all = places
    .filter((place) => sides.some((side) => isOfFamily(side, place)))
    .map((place) => sides.map((side) => relation(side, place)));
  if (all.length > 0 && all.every((one) => one.includes('covers'))) return 'covers';
  const isApart = places.length > 0 && all.flat().every((one) => one === 'apart');
  return isApart ? 'apart' : 'meets';
}

type Relation = 'covers' | 'meets' | 'apart';

function relation(a: RulePeer, b: RulePeer): Relation {
  if (a.kind !== 'addresses' || b.kind !== 'addresses') return 'meets';
  if (a.family !== b.family || a.last < b.first || b.last < a.first) return 'apart';
  return a.first <= b.first && b.last <= a.last ? 'covers' : 'meets';
}

/** Whoever is not known may have an address of either. */
function isOfFamily(a: RulePeer, b: RulePeer): boolean {
  return a.kind !== 'addresses' || b.kind !== 'addresses' || a.family === b.family;
}

function isEveryone(peer: RulePeer): boolean {
  return EVERYONE.some((all) => peerName(all) === peerName(peer));
}

function doubted(verdict: Verdict, sides: readonly RulePeer[]): Verdict {
  const addresses = sides.map(peerName).join(', ') || 'an address of a policy';
  const doubt = `Is ${addresses} the public address of this place?`;
  return { ...verdict, doubt: verdict.doubt ?? doubt };
}

/** The network ACLs of the subnets that a door is in; where those are not known, any may be. */
function aclsOf({ subnets, vpc, list: { direction, kind } }: Door, doors: readonly Door[]): Door[] {
  const acls = doors.filter(({ list }) => list.kind === 'acl' && list.direction === direction);
  if (subnets.length > 0) {
    return acls.filter(({ subnets: guarded }) => guarded.some((one) => subnets.includes(one)));
  }
  if (kind === 'listener') return [];
  return acls
    .filter((acl) => acl.vpc === '' || vpc === '' || acl.vpc === vpc)
    .map((acl) => ({ ...acl, list: perhaps(acl) }));
}

/** An ACL that may not guard the place stops something only for cuts. */
function perhaps({ list }: Door): RuleList {
  const doubt = `Is this place in a subnet of ${list.carrier}?`;
  return { ...list, unclear: [unclearRule(list.carrier, doubt, 'accept', 'no')] };
}
