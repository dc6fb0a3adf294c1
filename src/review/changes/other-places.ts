import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { type Cell, peerOf, type Region } from '../../reach/sets/region.js';
import { pickOne } from '../../reach/sets/sample.js';
import type { Change } from '../packet-changes.js';

/**
 * Marks changes whose packet passes at another place of the same name in the other tree: one more group of
 * a backend opens nothing that was closed everywhere, and one less closes nothing that is open still.
 */
export function withOtherPlaces(
  changes: readonly Change[],
  { a, b }: Readonly<Record<'a' | 'b', Region>>,
): Change[] {
  const otherSide = { widens: placesOf(a), narrows: placesOf(b) };
  return changes.map((change) => {
    const { effect, stack, direction, subject, at } = change;
    const { carrier, peer } = at;
    const places = otherSide[effect].get(nameOf({ stack, direction, subject, carrier, peer }));
    const passesAt = carrier === undefined ? [] : (places?.findBeside(carrier, change) ?? []);
    return passesAt.length > 0 ? { ...change, at: { ...at, passesAt } } : change;
  });
}

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
