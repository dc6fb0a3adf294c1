import { type Cidr, cidrCovers, cidrsOverlap, compareCidrs, hostCidr, parseCidr } from './cidr.js';
import { PRIVATE_NETWORKS } from './private-networks.js';

export const ADDRESS_STATES = ['announced', 'active', 'retiring', 'removed'] as const;
export type AddressState = (typeof ADDRESS_STATES)[number];

/** One address of a list that somebody else keeps. */
export interface ListedAddress {
  /** An IPv4 address, or a CIDR of at most /24. */
  readonly address: string;
  /** `announced` and `retiring` are let through as `active` is, so that a change of addresses has no gap. */
  readonly state: AddressState;
  /** `YYYY-MM-DD`. */
  readonly firstSeen: string;
  /** Where it was read. */
  readonly source: string;
}

/** A dated list of addresses. */
export interface AddressList {
  /** The date or number under which the list was handed over. */
  readonly version: string;
  readonly entries: readonly ListedAddress[];
}

/** Networks that no list of a public service can hold. */
const NOT_PUBLIC = [
  ...PRIVATE_NETWORKS,
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3'].map(parseCidr),
];

const WIDEST = 24;

/** The largest part of a list that may go away at once. */
const MOST_SHRINK = 0.25;

/** What rules let through: everything but removed entries, as CIDRs in numeric order. */
export function effectiveCidrs({ entries }: AddressList): string[] {
  return entries
    .filter(({ state }) => state !== 'removed')
    .map(({ address }) => parseEntry(address))
    .sort(compareCidrs)
    .map(({ text }) => text);
}

/**
 * Every reason not to build rules from a list.
 *
 * @param property named in the problems
 * @param before how many addresses were let through before, where that is known
 */
export function addressListProblems(
  property: string,
  { entries }: AddressList,
  before = 0,
): string[] {
  const broken = entries.flatMap(({ address }, index) => {
    const rule = brokenRule(address);
    return rule === undefined ? [] : [`\`${property}[${index}]\` ${rule}, got: "${address}"`];
  });
  if (broken.length > 0) return broken;
  const now = entries.filter(({ state }) => state !== 'removed').length;
  if (now === 0) return [`\`${property}\` must let at least one address through, got: none`];
  return [...repeats(property, entries), ...shrinkProblems(property, entries, now, before)];
}

/** Whether a list lost more than may go away at once; a named exception can allow it. */
export function shrinksTooMuch({ entries }: AddressList, before = 0): boolean {
  const now = entries.filter(({ state }) => state !== 'removed').length;
  return now < Math.max(before, knownBefore(entries)) * (1 - MOST_SHRINK);
}

function shrinkProblems(
  property: string,
  entries: readonly ListedAddress[],
  now: number,
  before: number,
): string[] {
  if (!shrinksTooMuch({ version: '', entries }, before)) return [];
  const were = Math.max(before, knownBefore(entries));
  return [
    `\`${property}\` must not shrink by more than a quarter at once, got: ${now} of ${were} addresses; name an exception if it is meant`,
  ];
}

function knownBefore(entries: readonly ListedAddress[]): number {
  return entries.filter(({ state }) => state !== 'announced').length;
}

function repeats(property: string, entries: readonly ListedAddress[]): string[] {
  const cidrs = entries.map(({ address }) => parseEntry(address));
  return cidrs.flatMap((cidr, index) => {
    const earlier = cidrs.slice(0, index).findIndex((other) => cidrsOverlap(cidr, other));
    return earlier < 0
      ? []
      : [
          `\`${property}[${index}]\` is already covered by \`${property}[${earlier}]\`, got: "${entries[index]?.address}"`,
        ];
  });
}

function brokenRule(text: string): string | undefined {
  try {
    const cidr = parseEntry(text);
    if (cidr.family !== 4) return 'must be IPv4, the family of the other addresses';
    if (NOT_PUBLIC.some((network) => cidrCovers(network, cidr))) return 'is not a public address';
    if (cidr.prefix < WIDEST) return `must be an address or a network of at most /${WIDEST}`;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function parseEntry(text: string): Cidr {
  return text.includes('/') ? parseCidr(text) : hostCidr(text);
}
