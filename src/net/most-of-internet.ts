import { type Cidr, NOT_PUBLIC, parseCidr } from './cidr.js';
import { countAddresses, subtractCidrs } from './cidr-set.js';

const ALL = { 4: [parseCidr('0.0.0.0/0')], 6: [parseCidr('::/0')] };

/** Addresses that the internet routes; RFC 4291. */
const PUBLIC = { 4: subtractCidrs(ALL[4], NOT_PUBLIC), 6: [parseCidr('2000::/3')] };

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
    const ofAll = percent(own, ALL[family]);
    const ofPublic = percent(own, PUBLIC[family]);
    if (ofAll < 50 && ofPublic < 50) continue;
    const [part, of] = ofPublic >= ofAll ? [ofPublic, 'the public'] : [ofAll, 'all'];
    return { cidrs: own, isAll: ofAll === 100, share: `${part} % of ${of} IPv${family} addresses` };
  }
  return undefined;
}

/** Computes a share in percent, rounded down: 100 means all of them. */
function percent(cidrs: readonly Cidr[], of: readonly Cidr[]): number {
  const left = countAddresses(subtractCidrs(of, cidrs));
  return Number((100n * (countAddresses(of) - left)) / countAddresses(of));
}
