import { groupBy } from '../../lists/group-by.js';
import { peerName, type Verdict } from '../packet-rule.js';
import { type AddressRange, compare, firstNot } from '../sets/ranges.js';
import { firewallCarrier, type OwnSide, type RuleList } from './reading.js';

/**
 * Gives each state a list of Cloud Firewall for every part of the own addresses that policies of any state tell
 * apart, with all policies for that part.
 */
export function splitOwnSides(states: readonly (readonly RuleList[])[]): RuleList[][] {
  const all = states.flat();
  const edges = new Map([...groupBy(all, axisOf)].map(([axis, own]) => [axis, edgesOf(own)]));
  const partsIn = (list: RuleList) => splitSide(list, edges.get(axisOf(list)) ?? []);
  // The smallest own side comes last, and is the one that its parts are told of.
  const bySize = all.toSorted((a, b) => compare(sizeOf(b), sizeOf(a)));
  const parts = new Map(bySize.flatMap(partsIn).map((part) => [part.carrier, part]));
  return states.map((lists) => {
    const placed = lists.flatMap((list) => partsIn(list).map(({ carrier }) => ({ carrier, list })));
    const byPart = groupBy(placed, ({ carrier }) => carrier);
    return [...parts].map(([carrier, part]) => ({
      ...{ ...part, ...joinSides(byPart.get(carrier)?.map(({ list }) => list) ?? []) },
    }));
  });
}

export function isFirewall({ kind }: Pick<RuleList, 'kind'>): boolean {
  return kind === 'firewall';
}

/** Addresses of one family in one direction can be told apart by their numbers. */
export function axisOf({ direction, own, carrier }: RuleList): string {
  return own?.kind === 'addresses' ? `${direction} ${own.family}` : carrier;
}

/** The own side in numbers; one of which no addresses are known has number 0. */
export function spanOf({ own }: RuleList): AddressRange {
  return own?.kind === 'addresses' ? own : { first: 0n, last: 0n };
}

function sizeOf(list: RuleList): bigint {
  return spanOf(list).last - spanOf(list).first;
}

/** The numbers at which an own side begins or has ended, in order. */
function edgesOf(lists: readonly RuleList[]): bigint[] {
  const edges = lists.map(spanOf).flatMap(({ first, last }) => [first, last + 1n]);
  return [...new Set(edges)].sort(compare);
}

/** Splits an own side at the edges within; one of which no addresses are known stays whole. */
function splitSide(list: RuleList, edges: readonly bigint[]): RuleList[] {
  const { first, last } = spanOf(list);
  const [start, end] = [first, last + 1n].map((at) => firstNot(edges, (edge) => edge < at));
  return edges.slice(start, end).map((from, i) => {
    const next = edges[(start ?? 0) + i + 1] ?? last + 1n;
    return partOf(list, { first: from, last: next - 1n });
  });
}

export function partOf(list: RuleList, { first, last }: AddressRange): RuleList {
  const { direction, own, side = list.carrier } = list;
  if (own?.kind !== 'addresses') return { ...list, side };
  const part = { ...own, first, last };
  return { ...list, side, own: part, carrier: firewallCarrier(direction, part) };
}

/** All rules of some sides, each once: one with several networks on its own side is in the list of each. */
export function joinSides(sides: readonly OwnSide[]) {
  const all = (of: (side: OwnSide) => readonly Verdict[]) => [...new Set(sides.flatMap(of))];
  return { rules: all(({ rules }) => rules), unclear: all(({ unclear = [] }) => unclear) };
}

/** The own sides at which packets of a family come; all where it has none. */
export function sidesOf(sides: readonly OwnSide[], family: 4 | 6): readonly OwnSide[] {
  const own = sides.filter(({ own: at }) => at?.kind !== 'addresses' || at.family === family);
  return own.length > 0 ? own : sides;
}

/** Asks which own side a place has. */
export function whichSide({ places }: RuleList): string {
  const named = (places?.sides ?? []).map(({ own }) => (own ? peerName(own) : 'another'));
  const more = named.length - MAX_NAMED;
  const all = more > 0 ? [...named.slice(0, MAX_NAMED), `${more} others`] : named;
  return `Which is the public address of this place: ${all.slice(0, -1).join(', ')} or ${all.at(-1)}?`;
}

/** The limit of own sides that a question names. */
const MAX_NAMED = 3;
