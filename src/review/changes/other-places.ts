import { groupBy } from '../../lists/group-by.js';
import type { Cell, Region } from '../../reach/sets/region.js';
import { pickOne } from '../../reach/sets/sample.js';
import { intersect } from '../../reach/sets/services.js';
import type { Change } from '../packet-changes.js';

/**
 * Marks changes whose packet passes at another place of the same name in the other tree: one more group of
 * a backend opens nothing that was closed everywhere, and one less closes nothing that is open still.
 */
export function withOtherPlaces(
  changes: readonly Change[],
  { a, b }: Readonly<Record<'a' | 'b', Region>>,
): Change[] {
  const otherSide = { widens: cellsByName(a), narrows: cellsByName(b) };
  return changes.map((change) => {
    const { effect, stack, direction, subject, at } = change;
    const cells = otherSide[effect].get(nameOf({ stack, direction, subject, peer: at.peer })) ?? [];
    const others =
      at.carrier === undefined ? [] : cells.filter((one) => one.carrier !== at.carrier);
    return others.some((cell) => passesAt(cell, change))
      ? { ...change, at: { ...at, passesElsewhere: true } }
      : change;
  });
}

function cellsByName(region: Region): ReadonlyMap<string, readonly Cell[]> {
  // What is only stated passes nowhere that is known.
  return groupBy(
    [...region.values()].filter(({ carrier }) => carrier !== undefined),
    nameOf,
  );
}

function nameOf({
  stack,
  direction,
  subject,
  peer,
}: Pick<Cell, 'stack' | 'direction' | 'subject' | 'peer'>) {
  return JSON.stringify([stack, direction, subject, peer]);
}

/** Asks for the packet that a review names. */
function passesAt({ ranges }: Cell, { at: { peer, range } }: Change): boolean {
  const { address, services } =
    peer.kind === 'addresses'
      ? packetOf(peer.family, range)
      : { address: range.first, services: range.services };
  return ranges.some(
    ({ first, last, services: open }) =>
      first <= address && address <= last && intersect(open, services).length > 0,
  );
}

function packetOf(family: 4 | 6, range: Change['at']['range']) {
  const { peer, services } = pickOne(family, [range]);
  return { address: peer.first, services };
}
