import { type Cell, type Region, splitParts } from '../../reach/sets/region.js';
import { intersect } from '../../reach/sets/services.js';
import type { ReviewReport } from '../report-schema.js';

/** Counts addresses to which anything at all is open; only subjects whose addresses changed. */
export function changedReach(a: Region, b: Region): ReviewReport['reach'] {
  const counted = new Map<string, Readonly<{ cell: Cell; addresses: Addresses }>>();
  for (const { key, cell, pair } of splitParts(a, b)) {
    const { addresses } = counted.get(key) ?? { addresses: { ...NONE } };
    counted.set(key, { cell, addresses });
    const size = pair.last - pair.first + 1n;
    const [was, now] = [pair.a.length > 0, pair.b.length > 0];
    if (was) addresses.was += size;
    if (now) addresses.now += size;
    if (now && !was) addresses.gained += size;
    if (was && !now) addresses.lost += size;
  }
  return [...counted.values()].flatMap(({ cell, addresses: { was, now, gained, lost } }) => {
    const { stack, via, direction, subject, peer } = cell;
    if (peer.kind !== 'addresses' || (gained === 0n && lost === 0n)) return [];
    return [
      {
        ...{ stack, via, direction, subject, family: peer.family },
        ...{ was: String(was), now: String(now) },
        newlyReachable: String(gained),
        noLongerReachable: String(lost),
      },
    ];
  });
}

const NONE = { was: 0n, now: 0n, gained: 0n, lost: 0n };

type Addresses = typeof NONE;

/** Accounts, connections and groups that appeared or went away. */
export function changedNamedPeers(a: Region, b: Region): ReviewReport['namedPeers'] {
  const named = (all: Region) =>
    new Map([...all].filter(([, { peer }]) => peer.kind !== 'addresses'));
  return [...splitParts(named(a), named(b))].flatMap(({ cell: { peer, stack, subject }, pair }) => {
    if (peer.kind === 'addresses' || intersect(pair.a, pair.b).length > 0) return [];
    const effect = pair.b.length > 0 ? ('gained' as const) : ('lost' as const);
    return [{ effect, kind: peer.kind, name: peer.name, stack, subject }];
  });
}
