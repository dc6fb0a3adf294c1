import { parseNetwork } from '../../net/cidr.js';
import { combine, everythingOf, type OpenRanges } from '../sets/ranges.js';
import { subtract, union } from '../sets/services.js';
import { everyPacket } from '../ways/pass.js';

/** Names: these, or all but these. */
export interface NameSet {
  readonly isAllBut: boolean;
  readonly names: readonly string[];
}

/** Everybody whom an end of an intent means. */
export interface PeerSet {
  readonly 4: OpenRanges;
  readonly 6: OpenRanges;
  readonly account: NameSet;
  readonly endpoint: NameSet;
  /** Names whose addresses no file says; a set without them is too small, or with `isTooLarge` too large. */
  readonly unclear: readonly string[];
  readonly isTooLarge: boolean;
}

const NO_NAMES: NameSet = { isAllBut: false, names: [] };

export const NOBODY: PeerSet = {
  4: [],
  6: [],
  account: NO_NAMES,
  endpoint: NO_NAMES,
  unclear: [],
  isTooLarge: false,
};

/** The addresses of networks. @throws RangeError naming the broken rule */
export function addressSet(networks: readonly string[]): PeerSet {
  const cidrs = networks.map(parseNetwork);
  return { ...NOBODY, 4: everythingOf(cidrs, 4), 6: everythingOf(cidrs, 6) };
}

export function namedSet(kind: 'account' | 'endpoint', name: string): PeerSet {
  return { ...NOBODY, [kind]: { isAllBut: false, names: [name] } };
}

export function unclearSet(name: string): PeerSet {
  return { ...NOBODY, unclear: [name] };
}

export function uniteSets(sets: readonly PeerSet[]): PeerSet {
  return sets.reduce(
    (a, b) => ({
      4: combine(a[4], b[4], union),
      6: combine(a[6], b[6], union),
      // Neither is one of all names but some.
      account: { isAllBut: false, names: [...a.account.names, ...b.account.names] },
      endpoint: { isAllBut: false, names: [...a.endpoint.names, ...b.endpoint.names] },
      unclear: [...a.unclear, ...b.unclear],
      isTooLarge: a.isTooLarge || b.isTooLarge,
    }),
    NOBODY,
  );
}

export function allBut(set: PeerSet): PeerSet {
  return {
    4: combine(everyPacket(4).packets, set[4], subtract),
    6: combine(everyPacket(6).packets, set[6], subtract),
    account: { ...set.account, isAllBut: true },
    endpoint: { ...set.endpoint, isAllBut: true },
    unclear: set.unclear,
    isTooLarge: set.unclear.length > 0,
  };
}

/** @param hasNames all but some names are somebody there */
export function isNobody(set: PeerSet, hasNames: boolean): boolean {
  const names = [set.account, set.endpoint].flatMap(({ isAllBut, names: own }) =>
    isAllBut && hasNames ? ['*'] : isAllBut ? [] : own,
  );
  return set[4].length + set[6].length + names.length + set.unclear.length === 0;
}

/** Tells whether a set has a name; a rule for `*` is for all of them. */
export function hasName({ isAllBut, names }: NameSet, name: string): boolean {
  if (name === '*') return isAllBut || names.length > 0;
  return names.includes(name) !== isAllBut;
}
