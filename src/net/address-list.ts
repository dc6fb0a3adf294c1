import { cidrCovers, cidrsOverlap, compareCidrs, NOT_PUBLIC, parseNetwork } from './cidr.js';
import { countAddresses } from './cidr-set.js';

/** An address moves from left to right; all but `removed` are let through, so that a change has no gap. */
export const ADDRESS_STATES = ['announced', 'active', 'retiring', 'removed'] as const;
export type AddressState = (typeof ADDRESS_STATES)[number];

/** One address in a list that another party maintains. */
export interface ListedAddress {
  /** An IPv4 address, or a CIDR no larger than a /24. */
  readonly address: string;
  readonly state: AddressState;
  /** `YYYY-MM-DD`. */
  readonly firstSeen: string;
  /** The file or setting that it was read from. */
  readonly source: string;
}

/** A dated list of addresses. */
export interface AddressList {
  /** The date or number that identifies this version of the list. */
  readonly version: string;
  readonly entries: readonly ListedAddress[];
}

/** The widest network that an entry can be. */
const MIN_PREFIX = 24;

/** The largest part of a list that may go away at once. */
export const MAX_SHRINK = 0.25;

/** Returns the allowed addresses (all but removed entries) as CIDRs in numeric order. */
export function effectiveCidrs(list: AddressList): string[] {
  return effectiveEntries(list)
    .map(({ address }) => parseNetwork(address))
    .sort(compareCidrs)
    .map(({ text }) => text);
}

/** Every entry that rules must not be built from, named; and an empty list. */
export function addressListProblems(property: string, list: AddressList): string[] {
  const broken = list.entries.flatMap(({ address }, index) => {
    const rule = brokenRule(address);
    return rule === undefined ? [] : [`\`${property}[${index}]\` ${rule}, got: "${address}"`];
  });
  if (broken.length > 0) return broken;
  if (effectiveEntries(list).length === 0) {
    return [`\`${property}\` must let at least one address through, got: none`];
  }
  return repeats(property, list.entries);
}

/**
 * A list that lost more than a quarter of its addresses at once, as a list of none or one problem.
 *
 * @param before how many addresses were let through before, where that is known
 */
export function shrinkProblems(property: string, list: AddressList, before = 0): string[] {
  const count = (entries: readonly ListedAddress[]) =>
    Number(countAddresses(entries.map(({ address }) => parseNetwork(address))));
  const now = count(effectiveEntries(list));
  const known = count(list.entries.filter(({ state }) => state !== 'announced'));
  const were = Math.max(before, known);
  if (now >= were * (1 - MAX_SHRINK)) return [];
  return [
    `\`${property}\` must not shrink by more than a quarter at once, got: ${now} of ${were} addresses; if this is intended, add a \`shrinkException\``,
  ];
}

/** The entries that rules let through. */
function effectiveEntries({ entries }: AddressList): readonly ListedAddress[] {
  return entries.filter(({ state }) => state !== 'removed');
}

function repeats(property: string, entries: readonly ListedAddress[]): string[] {
  const cidrs = entries.map(({ address }) => parseNetwork(address));
  return cidrs.flatMap((cidr, index) => {
    const earlier = cidrs.slice(0, index).findIndex((other) => cidrsOverlap(cidr, other));
    if (earlier < 0) return [];
    const got = entries[index]?.address ?? '';
    return [
      `\`${property}[${index}]\` is covered by \`${property}[${earlier}]\` already, got: "${got}"`,
    ];
  });
}

function brokenRule(text: string): string | undefined {
  try {
    const cidr = parseNetwork(text);
    if (cidr.family !== 4) return 'must be IPv4, the family of the other addresses';
    if (NOT_PUBLIC.some((network) => cidrCovers(network, cidr))) return 'is not a public address';
    if (cidr.prefix < MIN_PREFIX)
      return `must be an address or a network of at most /${MIN_PREFIX}`;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
