import type { PacketRule } from '../../reach/packet-rule.js';
import { LIST_USERS } from '../../reach/rules/peers.js';
import { isOfFirewall } from '../../reach/rules/reading.js';
import { QUESTIONS } from '../../reach/rules/rule-list.js';
import { ASSUMED, type AssumedId } from '../../reach/semantics.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { type Cell, cellKey, type Region, toRegion } from '../../reach/sets/region.js';
import { EVERYTHING } from '../../reach/sets/services.js';
import { type Change, findChanges, mergeCarriers, toldBy } from '../packet-changes.js';
import { certainTree, type ReviewedTree } from '../stacks/reviewed-trees.js';

/**
 * Returns what one tree lets through and the other does not, by both bounds: openings of what may pass, cuts of
 * what passes for certain. A list, and a group of an endpoint, count on their own as well, for whoever uses them
 * elsewhere: where no row of this tree says the same.
 */
export function accessChanges(a: ReviewedTree, b: ReviewedTree): Change[] {
  const find = (...trees: Trees) => tellOnce(atSides(findDifferences(...trees), trees), trees);
  const most = find(a, b);
  const [x, y] = [certainTree(a), certainTree(b)];
  if (x === a && y === b) return most;
  return [...most, ...withoutTold(find(x, y), most)];
}

function findDifferences(a: ReviewedTree, b: ReviewedTree): Change[] {
  const side = (tree: ReviewedTree) => ({
    region: regionOf(tree),
    rules: tree.stacks.flatMap(({ open, alone }) => [...open, ...alone]),
  });
  const lookup = (tree: ReviewedTree) => new RuleLookup(statedRules(tree), statedKey);
  const stated = { a: lookup(a), b: lookup(b) };
  return findChanges({ a: side(a), b: side(b) }, (side, { cell, pair }, services) =>
    stated[side].find(statedKey(cell), pair, services),
  );
}

/** Names the questions in doubt on which it depends which packets pass in trees. */
export function notesOnDoubt(...trees: readonly ReviewedTree[]): string[] {
  const kinds = trees.flatMap((tree) => {
    const certain = certainTree(tree);
    const decided = certain === tree ? [] : findDifferences(certain, tree);
    const carriers = new Set(decided.map(({ stack, at }) => aloneKey(stack, at.carrier)));
    return tree.stacks.flatMap(({ name, effective: { inDoubt, aloneInDoubt } }) =>
      [...inDoubt, ...aloneInDoubt]
        .filter(({ carrier }) => carriers.has(aloneKey(name, carrier)))
        .map(({ kind }) => kind),
    );
  });
  return [...new Set(kinds.flatMap((kind) => QUESTIONS[kind] ?? []))].map(noteOf);
}

function noteOf(id: AssumedId): string {
  const { question, open, closed } = ASSUMED[id];
  return `The result depends on \`${id}\`, which is assumed: ${question} ${open}, or ${closed}. Openings count as open and cuts as dropped.`;
}

type Trees = readonly [before: ReviewedTree, after: ReviewedTree];

/** Tells what is of parts of a firewall's own side of the side itself, as policies write it. */
function atSides(changes: readonly Change[], trees: Trees): Change[] {
  const sides = new Map(
    trees
      .flatMap(({ stacks }) => stacks)
      .flatMap(({ name, effective: { firewalls } }) =>
        firewalls.map(({ carrier, side = carrier }) => [aloneKey(name, carrier), side] as const),
      ),
  );
  return changes.map((change) => {
    const { subject, at } = change;
    const { carrier, ...place } = at;
    const side = sides.get(keyOf(change)) ?? carrier;
    if (side === undefined || side === carrier) return change;
    return {
      ...{ ...change, subject: subject === carrier ? side : subject },
      at: { ...place, carrier: side },
    };
  });
}

/** Leaves out what counts on its own where other rows say the same. */
function tellOnce(found: readonly Change[], [a, b]: Trees): Change[] {
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

function regionOf({ stacks, region }: ReviewedTree): Region {
  return new Map([...region, ...toRegion(stacks.flatMap(({ alone }) => alone))]);
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
function withoutTold(changes: readonly Change[], told: readonly Change[]): Change[] {
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
  const changes = atSides(findChanges({ a: denied(a), b: denied(b) }), [a, b]);
  const isOfGroup = ({ at }: Change) => !isOfFirewall(at.carrier);
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
export function statedRules({ stacks }: ReviewedTree): PacketRule[] {
  return stacks.flatMap(({ rules }) => rules);
}

/** Makes the key of stated rules from names: access rules do not say what carries them. */
function statedKey({ stack, via, direction, subject, peer }: Cell | PacketRule): string {
  return cellKey({ stack, via, direction, subject, peer });
}
