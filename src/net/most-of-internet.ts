import { NOT_PUBLIC } from './address-list.js';
import { type Cidr, parseCidr } from './cidr.js';

interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

/** IPv6 addresses that the internet routes; RFC 4291. */
const PUBLIC_IPV6 = [parseCidr('2000::/3')];

const PUBLIC: Readonly<Record<Cidr['family'], readonly Range[]>> = {
  4: gaps(NOT_PUBLIC.filter(({ family }) => family === 4)),
  6: PUBLIC_IPV6,
};

const ALL: Readonly<Record<Cidr['family'], readonly Range[]>> = {
  4: [parseCidr('0.0.0.0/0')],
  6: [parseCidr('::/0')],
};

/** A list that is open to most of the internet. */
interface Opening {
  /** The networks of the family that it is open in. */
  readonly cidrs: readonly Cidr[];
  /** True if they are all addresses of the family. */
  readonly isAll: boolean;
  /** `99 % of the public IPv4 addresses`, rounded down. */
  readonly share: string;
}

/**
 * Networks that together are half of the addresses of a family or more, all of them or the public
 * ones: two halves of the internet are the internet, and so is the internet without private networks.
 */
export function mostOfInternet(cidrs: readonly Cidr[]): Opening | undefined {
  for (const family of [4, 6] as const) {
    const own = cidrs.filter((cidr) => cidr.family === family);
    const united = unite(own);
    const ofAll = percent(united, ALL[family]);
    const ofPublic = percent(united, PUBLIC[family]);
    if (ofAll < 50 && ofPublic < 50) continue;
    const [part, of] = ofPublic >= ofAll ? [ofPublic, 'the public'] : [ofAll, 'all'];
    return { cidrs: own, isAll: ofAll === 100, share: `${part} % of ${of} IPv${family} addresses` };
  }
  return undefined;
}

/** Rounded down: 100 means all of them. */
function percent(united: readonly Range[], of: readonly Range[]): number {
  const covered = of.flatMap((whole) => united.map((range) => sizeOfOverlap(whole, range)));
  return Number((100n * sum(covered)) / sum(of.map(({ first, last }) => last - first + 1n)));
}

function sizeOfOverlap(a: Range, b: Range): bigint {
  const first = a.first > b.first ? a.first : b.first;
  const last = a.last < b.last ? a.last : b.last;
  return last < first ? 0n : last - first + 1n;
}

function sum(sizes: readonly bigint[]): bigint {
  return sizes.reduce((total, size) => total + size, 0n);
}

/** The same addresses as ranges that do not overlap, in their order. */
function unite(ranges: readonly Range[]): Range[] {
  const united: { first: bigint; last: bigint }[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = united.at(-1);
    if (before === undefined || first > before.last) united.push({ first, last });
    else if (last > before.last) before.last = last;
  }
  return united;
}

/** The IPv4 addresses that are in none of these ranges. */
function gaps(ranges: readonly Range[]): Range[] {
  const united = unite(ranges);
  const starts = [0n, ...united.map(({ last }) => last + 1n)];
  const ends = [...united.map(({ first }) => first - 1n), (1n << 32n) - 1n];
  return starts
    .map((first, index) => ({ first, last: ends[index] ?? first }))
    .filter(({ first, last }) => first <= last);
}
