import type { PacketRule } from '../../reach/packet-rule.js';
import { LIST_USERS } from '../../reach/rules/peers.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { combine, uniteAll } from '../../reach/sets/ranges.js';
import {
  type Cell,
  cellKey,
  peerOf,
  type Region,
  toRange,
  toRegion,
} from '../../reach/sets/region.js';
import { EVERYTHING, type Services, subtract } from '../../reach/sets/services.js';
import { type Change, findChanges, mergeCarriers } from '../packet-changes.js';
import type { ReviewedStack, ReviewedTree } from '../stacks/reviewed-trees.js';
import { withOtherPlaces } from './other-places.js';

/** The part of a tree that is compared. */
export interface ComparedTree extends Pick<ReviewedTree, 'region'> {
  readonly stacks: readonly Pick<ReviewedStack, 'name' | 'rules' | 'open' | 'alone'>[];
}

type Trees = readonly [before: ComparedTree, after: ComparedTree];

/**
 * Returns what one tree lets through and the other does not. A list, and a group of an endpoint, count
 * on their own as well, for whoever uses them elsewhere: where no row of this tree says the same.
 */
export function accessChanges(...trees: Trees): Change[] {
  return withPlaces(tellOnce(findDifferences(trees), trees), trees);
}

/** Finds what one tree lets through and the other does not. @param isCompared leaves out others */
export function findDifferences(
  [a, b]: Trees,
  isCompared: (one: Pick<PacketRule, 'stack' | 'direction'>) => boolean = () => true,
): Change[] {
  const side = (tree: ComparedTree) => ({
    region: new Map([...regionOf(tree)].filter(([, cell]) => isCompared(cell))),
    rules: tree.stacks.flatMap(({ open, alone }) => [...open, ...alone]).filter(isCompared),
  });
  const lookup = (tree: ComparedTree) =>
    new RuleLookup(statedRules(tree).filter(isCompared), statedKey);
  const stated = { a: lookup(a), b: lookup(b) };
  return findChanges({ a: side(a), b: side(b) }, (side, { cell, pair }, services) =>
    stated[side].find(statedKey(cell), pair, services),
  );
}

/** Leaves out what counts on its own where other rows say the same. */
export function tellOnce(found: readonly Change[], [a, b]: Trees): Change[] {
  const [before, after] = [aloneCarriers(a), aloneCarriers(b)];
  const hasAlone = before.size + after.size > 0;
  const isAlone = (change: Change) =>
    hasAlone && (before.has(keyOf(change)) || after.has(keyOf(change)));
  const own = found.filter((change) => !isAlone(change));
  const isTold = toldOfPeers(hasAlone ? own : []);
  const alone = found.filter((change) => isAlone(change) && !isTold(change));
  // Nothing can refer to a list that is removed.
  const lasting = alone.filter(
    (change) => change.effect === 'widens' || !isOfList(change) || after.has(keyOf(change)),
  );
  const isNarrower = ({ effect }: Change) => Number(effect === 'narrows');
  return mergeCarriers([...own, ...lasting]).sort((x, y) => isNarrower(x) - isNarrower(y));
}

export function withPlaces(changes: readonly Change[], [a, b]: Trees): Change[] {
  return withOtherPlaces(changes, { a: regionOf(a), b: regionOf(b) });
}

function regionOf({ stacks, region }: ComparedTree): Region {
  return new Map([...region, ...toRegion(stacks.flatMap(({ alone }) => alone))]);
}

function aloneCarriers({ stacks }: ComparedTree): ReadonlySet<string> {
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
  const isTold = toldBy(told, place);
  return changes.filter((change) => !isTold(change));
}

/** Tells whether other rows say the same of the same peers; of a list, in any direction, for any service. */
function toldOfPeers(own: readonly Change[]): (change: Change) => boolean {
  const ofList = ({ effect, stack, at: { peer } }: Change) => JSON.stringify([effect, stack, peer]);
  const ofGroup = (change: Change) => JSON.stringify([ofList(change), change.direction]);
  const [isTold, isListed] = [toldBy(own, ofGroup), toldBy(own, ofList, EVERYTHING)];
  return (change) => (isOfList(change) ? isListed(change) : isTold(change));
}

/** Finds whether changes that are alike say the same of all packets of one. @param open counts as theirs */
function toldBy(
  told: readonly Change[],
  keyOf: (change: Change) => string,
  open?: Services,
): (change: Change) => boolean {
  const rows = told.map((row) => {
    const { peer, range } = row.at;
    return { row, peer: peerOf({ peer }, range), services: open ?? range.services };
  });
  const lookup = new RuleLookup(rows, ({ row }) => keyOf(row));
  return (change) => {
    const { range } = change.at;
    const found = lookup.find(keyOf(change), range, range.services).map(toRange);
    return combine([range], uniteAll(found), subtract).length === 0;
  };
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
  const isOfGroup = ({ at: { carrier = '' } }: Change) => !carrier.startsWith('Cloud Firewall');
  const dropped = changes.filter((one) => isOfGroup(one) && one.effect === 'narrows');
  const firewall = changes.filter((one) => !isOfGroup(one));
  if (dropped.length === 0) return mergeCarriers(firewall);
  const rules = b.open.concat(b.stacks.flatMap((stack) => stack.denied));
  const carriers = new Set(rules.map(({ stack, carrier }) => aloneKey(stack, carrier)));
  const opened = access.map((one) => ({ ...one, effect: 'narrows' as const }));
  const lasting = dropped.filter(({ stack, at: { carrier } }) =>
    carriers.has(aloneKey(stack, carrier)),
  );
  return mergeCarriers([...firewall, ...withoutTold(lasting, opened)]);
}

/** Returns the access rules of all stacks. */
export function statedRules({ stacks }: ComparedTree): PacketRule[] {
  return stacks.flatMap(({ rules }) => rules);
}

/** Makes the key of stated rules from names: access rules do not say what carries them. */
function statedKey({ stack, via, direction, subject, peer }: Cell | PacketRule): string {
  return cellKey({ stack, via, direction, subject, peer });
}
