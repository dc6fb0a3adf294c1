import { type ReviewedRule, rangeText } from './reviewed-rule.js';
import { RuleLookup } from './sets/lookup.js';
import type { Pair } from './sets/ranges.js';
import { type Cell, cellKey, type Part, partsOf, type Region } from './sets/region.js';
import { intersect, type Services, servicesText, subtract } from './sets/services.js';

/** Packets that one tree lets through and the other does not. */
export interface Change {
  readonly effect: 'widens' | 'narrows';
  readonly stack: string;
  /** The connection option. */
  readonly via: string;
  readonly direction: string;
  readonly subject: string;
  /** A CIDR, an address, a range, or a kind and a name. */
  readonly peer: string;
  /** What was opened or closed: `tcp 443`. */
  readonly services: string;
  /** Everything that was open to the peer, and that is open to it now. */
  readonly was: string;
  readonly now: string;
  readonly why: string;
  /** Exceptions of the access rules that state it; absent where none does. */
  readonly exception?: string;
  /** Terraform's addresses of the resources that open or opened it; empty where none does. */
  readonly through: string;
  /** How many, in decimal digits; absent where the peer has a name only. */
  readonly addresses?: string;
}

/** Two sets of rules, packet by packet; `a` is before, `b` is after. */
interface Sides {
  readonly a: { readonly region: Region; readonly rules: readonly ReviewedRule[] };
  readonly b: { readonly region: Region; readonly rules: readonly ReviewedRule[] };
}

/** Finds the access rules that state a change; without it a rule states itself. */
type FindStated = (side: 'a' | 'b', part: Part, services: Services) => readonly ReviewedRule[];

/** What only one of two sets of rules lets through. */
export function findChanges({ a, b }: Sides, findStated?: FindStated): Change[] {
  const lookups = { a: new RuleLookup(a.rules, cellKey), b: new RuleLookup(b.rules, cellKey) };
  return partsOf(a.region, b.region).flatMap((part) => {
    const opened = subtract(part.pair.b, part.pair.a);
    const closed = subtract(part.pair.a, part.pair.b);
    if (opened.length === 0 && closed.length === 0) return [];
    const open = { was: servicesText(part.pair.a), now: servicesText(part.pair.b) };
    return [
      ...toChange('widens', part, opened, open, 'b'),
      ...toChange('narrows', part, closed, open, 'a'),
    ];
  });

  function toChange(
    effect: Change['effect'],
    part: Part,
    services: Services,
    open: Pick<Change, 'was' | 'now'>,
    side: 'a' | 'b',
  ): Change[] {
    if (services.length === 0) return [];
    const { key, cell, pair } = part;
    const { stack, via, direction, subject, peer } = cell;
    const rules = lookups[side].find(key, pair, services);
    const stated = findStated?.(side, part, services) ?? rules;
    const exception = joined(stated.map((rule) => exceptionText(rule)));
    return [
      {
        ...{ effect, stack, via, direction, subject },
        peer: peerText(cell, pair),
        services: servicesText(services),
        ...open,
        why: joined(stated.map(({ reason }) => reason)),
        through: joined(rules.map(({ resource = '' }) => resource)),
        ...(peer.kind === 'addresses' && { addresses: String(pair.last - pair.first + 1n) }),
        ...(exception !== '' && { exception }),
      },
    ];
  }
}

/** The same change through several resources is one row that names them all. */
export function mergeCarriers(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const { through, addresses: _, ...rest } = change;
    const key = JSON.stringify(rest);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, change);
    else
      merged.set(key, {
        ...known,
        through: [known.through, through].filter((one) => one !== '').join('; '),
      });
  }
  return [...merged.values()];
}

/** For people: until when, by whom and why; empty where the rule has no exception. */
export function exceptionText({ exception }: Pick<ReviewedRule, 'exception'>): string {
  if (exception === undefined) return '';
  const { expires, owner, reason } = exception;
  return `until ${expires}, ${owner}: ${reason}`;
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts)].filter((one) => one !== '').join('; ');
}

/** For people: the peer of a part of a cell. */
export function peerText({ peer }: Cell, { first, last }: Pick<Pair, 'first' | 'last'>): string {
  if (peer.kind === 'addresses') return rangeText(peer.family, first, last);
  return `${peer.kind} ${peer.name}`;
}

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
