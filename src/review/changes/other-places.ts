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
  const otherSide = { widens: lookupOf(a), narrows: lookupOf(b) };
  return changes.map((change) => {
    const { effect, stack, direction, subject, at } = change;
    const key = nameOf({ stack, direction, subject, peer: at.peer });
    const [packet, services] = packetOf(change);
    const found = otherSide[effect].find(key, packet, services);
    const isElsewhere = found.some(({ carrier }) => carrier !== at.carrier);
    return isElsewhere && at.carrier !== undefined
      ? { ...change, at: { ...at, passesElsewhere: true } }
      : change;
  });
}

/** Indexes what resources open: what is only stated passes nowhere that is known. */
function lookupOf(region: Region) {
  const known = [...region.values()].filter(({ carrier }) => carrier !== undefined);
  const parts = known.flatMap((cell) =>
    cell.ranges.map((range) => ({
      key: nameOf(cell),
      carrier: cell.carrier,
      peer: peerOf(cell, range),
      services: range.services,
    })),
  );
  return new RuleLookup(parts, ({ key }) => key);
}

function nameOf({
  stack,
  direction,
  subject,
  peer,
}: Pick<Cell, 'stack' | 'direction' | 'subject' | 'peer'>) {
  return JSON.stringify([stack, direction, subject, peer]);
}

/** The packet that a review names. */
function packetOf({ at: { peer, range } }: Change) {
  if (peer.kind !== 'addresses') return [range, range.services] as const;
  const { peer: one, services } = pickOne(peer.family, [range]);
  return [one, services] as const;
}
