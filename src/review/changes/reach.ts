import { partsOf } from '../sets/parts.js';
import type { Cell, Region } from '../sets/region.js';
import { intersect } from '../sets/spans.js';

/** How many addresses a subject could reach, or could be reached from, and how that changed. */
export interface Reach {
  readonly stack: string;
  readonly via: string;
  readonly direction: string;
  readonly subject: string;
  readonly family: 4 | 6;
  readonly was: bigint;
  readonly now: bigint;
  readonly newlyReachable: bigint;
  readonly noLongerReachable: bigint;
}

/** Counts addresses to which anything at all is open; only subjects whose addresses changed. */
export function changedReach(a: Region, b: Region): Reach[] {
  const reaches = new Map<string, Reach>();
  for (const { key, cell, pair } of partsOf(a, b)) {
    if (cell.peer.kind !== 'addresses') continue;
    const before = reaches.get(key) ?? emptyReach(cell, cell.peer.family);
    const size = pair.last - pair.first + 1n;
    const was = pair.a.length > 0;
    const now = pair.b.length > 0;
    reaches.set(key, {
      ...before,
      was: before.was + (was ? size : 0n),
      now: before.now + (now ? size : 0n),
      newlyReachable: before.newlyReachable + (now && !was ? size : 0n),
      noLongerReachable: before.noLongerReachable + (was && !now ? size : 0n),
    });
  }
  return [...reaches.values()].filter(
    ({ newlyReachable, noLongerReachable }) => newlyReachable > 0n || noLongerReachable > 0n,
  );
}

/** An account, connection or group that appeared or went away. */
interface NamedPeerChange {
  readonly effect: 'gained' | 'lost';
  readonly kind: string;
  readonly name: string;
  readonly stack: string;
  readonly subject: string;
}

export function changedNamedPeers(a: Region, b: Region): NamedPeerChange[] {
  return partsOf(a, b).flatMap(({ cell: { peer, stack, subject }, pair }) => {
    if (peer.kind === 'addresses' || intersect(pair.a, pair.b).length > 0) return [];
    const effect = pair.b.length > 0 ? ('gained' as const) : ('lost' as const);
    return [{ effect, kind: peer.kind, name: peer.name, stack, subject }];
  });
}

function emptyReach({ stack, via, direction, subject }: Cell, family: 4 | 6): Reach {
  const none = { was: 0n, now: 0n, newlyReachable: 0n, noLongerReachable: 0n };
  return { stack, via, direction, subject, family, ...none };
}
