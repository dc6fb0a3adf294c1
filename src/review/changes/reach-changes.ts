import { groupBy } from '../../lists/group-by.js';
import { type Region, splitParts } from '../../reach/sets/region.js';
import { intersect } from '../../reach/sets/services.js';
import type { ReviewReport } from '../report-schema.js';

/** Counts addresses to which anything at all is open; only subjects whose addresses changed. */
export function changedReach(a: Region, b: Region): ReviewReport['reach'] {
  return [...groupBy(splitParts(a, b), ({ key }) => key).values()].flatMap((parts) => {
    const [{ cell }] = parts;
    if (cell.peer.kind !== 'addresses') return [];
    const count = (isCounted: (was: boolean, now: boolean) => boolean) =>
      parts
        .filter(({ pair }) => isCounted(pair.a.length > 0, pair.b.length > 0))
        .reduce((sum, { pair }) => sum + pair.last - pair.first + 1n, 0n);
    const gained = count((was, now) => now && !was);
    const lost = count((was, now) => was && !now);
    if (gained === 0n && lost === 0n) return [];
    const { stack, via, direction, subject, peer } = cell;
    return [
      {
        stack,
        via,
        direction,
        subject,
        family: peer.family,
        was: String(count((was) => was)),
        now: String(count((_, now) => now)),
        newlyReachable: String(gained),
        noLongerReachable: String(lost),
      },
    ];
  });
}

/** Accounts, connections and groups that appeared or went away. */
export function changedNamedPeers(a: Region, b: Region): ReviewReport['namedPeers'] {
  return splitParts(a, b).flatMap(({ cell: { peer, stack, subject }, pair }) => {
    if (peer.kind === 'addresses' || intersect(pair.a, pair.b).length > 0) return [];
    const effect = pair.b.length > 0 ? ('gained' as const) : ('lost' as const);
    return [{ effect, kind: peer.kind, name: peer.name, stack, subject }];
  });
}
