import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import { peerName } from '../../reach/packet-rule.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { type Cell, peerOf, type Region } from '../../reach/sets/region.js';
import { pickOne } from '../../reach/sets/sample.js';
import { intersect } from '../../reach/sets/services.js';
import type { Change } from '../packet-changes.js';

/**
 * Marks changes whose packet passes at another place of the same name in the other tree: one more group of
 * a backend opens nothing that was closed everywhere, and one less closes nothing that is open still. So
 * may a peer of unknown addresses: a member of a group can have any.
 */
export function withOtherPlaces(
  changes: readonly Change[],
  { a, b }: Readonly<Record<'a' | 'b', Region>>,
): Change[] {
  const otherSide = { widens: placesOf(a), narrows: placesOf(b) };
  const named = { widens: namedPeersOf(a), narrows: namedPeersOf(b) };
  return changes.map((change) => {
    const { effect, stack, direction, subject, at } = change;
    const { carrier, peer } = at;
    if (carrier === undefined) return change;
    const places = otherSide[effect].get(nameOf({ stack, direction, subject, carrier, peer }));
    const passesAt = places?.findBeside(carrier, change) ?? [];
    if (passesAt.length > 0) return { ...change, at: { ...at, passesAt } };
    const passesAs = findNamed(named[effect].get(placeKey(stack, direction, carrier)), change);
    return passesAs.length > 0 ? { ...change, at: { ...at, passesAs } } : change;
  });
}

/** The peers that are known by name, whose addresses nobody here knows, by the place that lets them through. */
function namedPeersOf(region: Region): ReadonlyMap<string, readonly Cell[]> {
  const named = [...region.values()].filter(({ peer: { kind } }) => MEMBERS.has(kind));
  return groupBy(named, ({ stack, direction, carrier = '' }) =>
    placeKey(stack, direction, carrier),
  );
}

/** An account or an endpoint sends no packet. */
const MEMBERS: ReadonlySet<string> = new Set(['group', 'unknown']);

function placeKey(stack: string, direction: string, carrier: string): string {
  return JSON.stringify([stack, direction, carrier]);
}

/** The named peers that the packet of a change may be of. */
function findNamed(cells: readonly Cell[] = [], change: Change): string[] {
  if (cells.length === 0 || change.at.peer.kind !== 'addresses') return [];
  const [, services] = packetOf(change);
  const isOpen = ({ ranges }: Cell) =>
    ranges.some((range) => intersect(range.services, services).length > 0);
  return cells.filter(isOpen).map((cell) => peerName(peerOf(cell, NAMED)));
}

/** A named peer has number 0. */
const NAMED = { first: 0n, last: 0n };

/** Groups what resources open by its name: what is only stated passes nowhere that is known. */
function placesOf(region: Region): ReadonlyMap<string, Places> {
  const known = [...region.values()].filter(({ carrier }) => carrier !== undefined);
  return new Map([...groupBy(known, nameOf)].map(([name, cells]) => [name, new Places(cells)]));
}

/** The places of one name. */
class Places {
  #parts?: RuleLookup<ReturnType<typeof partsOf>[number]>;

  constructor(private readonly cells: NonEmpty<Cell>) {}

  /** The others that let the packet of a change through. */
  findBeside(carrier: string, change: Change): string[] {
    if (this.cells.every((cell) => cell.carrier === carrier)) return [];
    this.#parts ??= new RuleLookup(this.cells.flatMap(partsOf), () => '');
    const [packet, services] = packetOf(change);
    const found = this.#parts.find('', packet, services).map((part) => part.carrier);
    return [...new Set(found)].filter((other) => other !== carrier);
  }
}

function partsOf(cell: Cell) {
  const { carrier, ranges } = cell;
  return ranges.map((range) => ({
    carrier: carrier ?? '',
    peer: peerOf(cell, range),
    services: range.services,
  }));
}

/** A firewall stands before the places of its name, and is none of them. */
function nameOf({
  stack,
  direction,
  subject,
  carrier = '',
  peer,
}: Omit<Cell, 'via' | 'ranges' | 'carrier'> & { readonly carrier?: string | undefined }): string {
  return JSON.stringify([stack, direction, subject, carrier.startsWith('Cloud Firewall'), peer]);
}

/** The packet that a review names. */
function packetOf({ at: { peer, range } }: Change) {
  if (peer.kind !== 'addresses') return [range, range.services] as const;
  const { peer: one, services } = pickOne(peer.family, [range]);
  return [one, services] as const;
}
