import type { RulePeer } from '../../reach/packet-rule.js';
import type { SynthesizedStack, SynthesizedTree } from '../../reach/read/read-tree.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { cellKey, peerOf } from '../../reach/sets/region.js';
import { pickOne } from '../../reach/sets/sample.js';
import type { Door, Way } from '../../reach/ways/door.js';
import { readReached } from '../../reach/ways/doors.js';
import { mostThrough } from '../../reach/ways/pass.js';
import type { Change } from '../packet-changes.js';

/**
 * Says of each change which other door on the same way stops its packet in the tree where the rule lets it
 * through: a rule alone opens nothing that a firewall in front of it, or a group behind it, does not.
 */
export function withOtherDoors(
  changes: readonly Change[],
  [before, after]: readonly [SynthesizedTree, SynthesizedTree],
): Change[] {
  const [was, now] = [waysOf(before), waysOf(after)];
  return changes.map((one) => {
    const [there, other] = one.effect === 'widens' ? [now, was] : [was, now];
    const change = withOpenPlaces(one, other(one.stack));
    const stoppedBy = findStop(change, there(change.stack));
    return stoppedBy === undefined ? change : { ...change, at: { ...change.at, stoppedBy } };
  });
}

/** Leaves out other places at which another door stops the packet. @param ways of the other tree */
function withOpenPlaces(change: Change, ways: readonly Way[]): Change {
  const { passesAt: all, ...at } = change.at;
  if (all === undefined) return change;
  const passesAt = all.filter(
    (carrier) => findStop({ ...change, at: { ...at, carrier } }, ways) === undefined,
  );
  return { ...change, at: passesAt.length > 0 ? { ...at, passesAt } : at };
}

/** Types that stand before or behind the rules of others. */
const IN_SERIES = [
  'volcenginecc_fwcenter_control_policy',
  'volcenginecc_vpc_network_acl',
  'volcenginecc_clb_listener',
];

/** The ways of the stacks of a tree, read where one is asked for and can have doors in series. */
function waysOf(tree: SynthesizedTree): (name: string) => readonly Way[] {
  const read = new Map<string, readonly Way[]>();
  const readStack = ({ name, terraform, access }: SynthesizedStack) => {
    const hasSeries = terraform.resources.some(({ type }) => IN_SERIES.includes(type));
    return hasSeries
      ? readReached({ name, file: '', terraform, ...(access && { access }) }).ways
      : [];
  };
  return (name) => {
    const stack = tree.get(name);
    const ways = read.get(name) ?? (stack === undefined ? [] : readStack(stack));
    read.set(name, ways);
    return ways;
  };
}

/** The carrier of a door that certainly stops the packet of a change, on every way that its rule is on. */
function findStop({ direction, at }: Change, ways: readonly Way[]): string | undefined {
  const { carrier = '', peer, range } = at;
  if (peer.kind !== 'addresses' || carrier === '') return undefined;
  const isIts = ({ list }: Door) =>
    list.kind === 'firewall' ? list.carrier.includes(carrier) : list.carrier === carrier;
  const own = ways.filter((way) => way.direction === direction && way.series.some(isIts));
  const packet = pickOne(peer.family, [range]);
  const stops = own.map(({ series }) =>
    series.find((door) => !isIts(door) && !mayPass(door, packet)),
  );
  return stops.every((door) => door !== undefined) ? stops[0]?.list.carrier : undefined;
}

type OnePacket = ReturnType<typeof pickOne>;

function mayPass(door: Door, { peer, services }: OnePacket): boolean {
  const open = OPEN.get(door) ?? new Map<number, RuleLookup<Through>>();
  OPEN.set(door, open);
  const lookup = open.get(peer.family) ?? lookupOf(door, peer.family);
  open.set(peer.family, lookup);
  return lookup.find(cellKey({ peer }), peer, services, 1).length > 0;
}

type Through = { readonly peer: RulePeer; readonly services: OnePacket['services'] };

/** Computed once for each door and family. */
const OPEN = new WeakMap<Door, Map<number, RuleLookup<Through>>>();

function lookupOf(door: Door, family: 4 | 6): RuleLookup<Through> {
  const cell = { peer: { kind: 'addresses', family } } as const;
  const through = mostThrough(door, family).map((range) => ({
    peer: peerOf(cell, range),
    services: range.services,
  }));
  return new RuleLookup(through, cellKey);
}
