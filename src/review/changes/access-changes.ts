import { groupBy } from '../../reach/group-by.js';
import type { PacketRule } from '../../reach/packet-rule.js';
import { LIST_USERS } from '../../reach/rules/peers.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { combine, uniteAll } from '../../reach/sets/ranges.js';
import { type Cell, cellKey, toRegion } from '../../reach/sets/region.js';
import { EVERYTHING, subtract } from '../../reach/sets/services.js';
import { type Change, findChanges, mergeCarriers } from '../packet-changes.js';
import type { ReviewedTree } from '../stacks/reviewed-trees.js';

/**
 * Returns what one tree lets through and the other does not. A list, and a group of an endpoint, count
 * on their own as well, for whoever uses them elsewhere: where no row of this tree says the same.
 */
export function accessChanges(a: ReviewedTree, b: ReviewedTree): Change[] {
  const lookup = (tree: ReviewedTree) => new RuleLookup(statedRules(tree), cellKey);
  const stated = { a: lookup(a), b: lookup(b) };
  const changes = findChanges({ a: side(a), b: side(b) }, (side, { cell, pair }, services) =>
    stated[side].find(statedKey(cell), pair, services),
  );
  const [before, after] = [aloneCarriers(a), aloneCarriers(b)];
  const isAlone = (change: Change) => before.has(keyOf(change)) || after.has(keyOf(change));
  const own = changes.filter((change) => !isAlone(change));
  const alone = changes.filter(isAlone).filter((change) => !isTold(change, own));
  // Nothing can refer to a list that is removed.
  const lasting = alone.filter(
    (change) => change.effect === 'widens' || !isOfList(change) || after.has(keyOf(change)),
  );
  const isNarrower = ({ effect }: Change) => Number(effect === 'narrows');
  return mergeCarriers([...own, ...lasting]).sort((x, y) => isNarrower(x) - isNarrower(y));
}

function side({ stacks }: ReviewedTree) {
  const rules = stacks.flatMap(({ open, alone }) => [...open, ...alone]);
  return { region: toRegion(rules), rules };
}

function aloneCarriers({ stacks }: ReviewedTree): ReadonlySet<string> {
  return new Set(
    stacks.flatMap(({ name, alone }) => alone.map(({ carrier }) => aloneKey(name, carrier))),
  );
}

function keyOf({ stack, at: { carrier } }: Change): string {
  return aloneKey(stack, carrier);
}

function isOfList({ at: { carrier = '' } }: Change): boolean {
  return carrier.startsWith(LIST_USERS);
}

function aloneKey(stack: string, carrier = ''): string {
  return JSON.stringify([stack, carrier]);
}

/** Leaves out what others say of the same packets, whatever was open before. */
export function withoutTold(changes: readonly Change[], told: readonly Change[]): Change[] {
  const place = ({ effect, stack, direction, at: { carrier, peer } }: Change) =>
    JSON.stringify([effect, stack, direction, carrier, peer]);
  const known = groupBy(told, place);
  return changes.filter((change) => {
    const ranges = known.get(place(change))?.map(({ at: { range } }) => range) ?? [];
    return combine([change.at.range], uniteAll(ranges), subtract).length > 0;
  });
}

/** Tells whether other rows say the same of the same peers. */
function isTold(change: Change, own: readonly Change[]): boolean {
  const isList = isOfList(change);
  const peer = JSON.stringify(change.at.peer);
  const others = own.filter(
    (one) =>
      one.effect === change.effect &&
      one.stack === change.stack &&
      JSON.stringify(one.at.peer) === peer &&
      (isList || one.direction === change.direction),
  );
  const told = others.map(({ at: { range } }) =>
    isList ? { ...range, services: EVERYTHING } : range,
  );
  return combine([change.at.range], uniteAll(told), subtract).length === 0;
}

/**
 * Returns what firewalls of one tree deny and those of the other do not; of groups what they no longer drop
 * outward, where no other row says that it passes.
 */
export function deniedChanges(
  a: ReviewedTree,
  b: ReviewedTree,
  access: readonly Change[],
): Change[] {
  const denied = ({ stacks }: ReviewedTree) => {
    const rules = stacks.flatMap((stack) => stack.denied);
    return { region: toRegion(rules), rules };
  };
  const changes = findChanges({ a: denied(a), b: denied(b) });
  const carriers = new Set(b.open.concat(b.stacks.flatMap((stack) => stack.denied)).map(carrierOf));
  const isOfGroup = ({ at: { carrier = '' } }: Change) => !carrier.startsWith('Cloud Firewall');
  const dropped = changes.filter((one) => isOfGroup(one) && one.effect === 'narrows');
  const opened = access.map((one) => ({ ...one, effect: 'narrows' as const }));
  const lasting = dropped.filter(({ stack, at: { carrier } }) =>
    carriers.has(carrierOf({ stack, ...(carrier !== undefined && { carrier }) })),
  );
  const firewall = changes.filter((one) => !isOfGroup(one));
  return mergeCarriers([...firewall, ...withoutTold(lasting, opened)]);
}

function carrierOf({ stack, carrier }: Pick<PacketRule, 'stack' | 'carrier'>): string {
  return aloneKey(stack, carrier);
}

/** Returns the access rules of all stacks. */
export function statedRules({ stacks }: ReviewedTree): PacketRule[] {
  return stacks.flatMap(({ rules }) => rules);
}

/** By its name: access rules do not say what carries them. */
function statedKey({ carrier: _, ...cell }: Cell): string {
  return cellKey(cell);
}
