import { formatAddress, parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';

/** The cloud keeps the first address of a subnet and the last three for itself. */
const KEPT_AT_START = 1n;
const KEPT_AT_END = 3n;

/**
 * The address that an endpoint takes in a subnet. It is written out, for the provider would hand the
 * address of one zone to another when zones change. It lies in the upper half of the subnet, away from
 * where addresses are given out first, and another generation of the endpoint has another one.
 */
export function endpointAddress(subnet: string, generation: string): string {
  const { first, last } = parseCidr(subnet);
  const [low, high] = [first + KEPT_AT_START, last - KEPT_AT_END];
  const middle = (low + high + 1n) / 2n;
  // The last one of the subnet's is left to whoever counts from the end.
  const choices = high - middle > 0n ? high - middle : 1n;
  return formatAddress({ family: 4, value: middle + (BigInt(`0x${generation}`) % choices) });
}

/** Every reason why addresses of the settings cannot be taken. */
export function addressProblems(
  addresses: Readonly<Record<string, string>>,
  subnets: ReadonlyMap<string, { readonly cidr: string }>,
): string[] {
  return Object.entries(addresses).flatMap(([zone, address]) => {
    const subnet = subnets.get(zone);
    if (subnet === undefined) {
      const zones = [...subnets.keys()].join(', ');
      return [`\`addresses\` must be of zones of the endpoint (${zones}), got: "${zone}"`];
    }
    return isIn(address, subnet.cidr)
      ? []
      : [`\`addresses.${zone}\` must lie in the subnet ${subnet.cidr}, got: "${address}"`];
  });
}

function isIn(address: string, subnet: string): boolean {
  try {
    return cidrContains(parseCidr(subnet), parseAddress(address));
  } catch {
    return false;
  }
}
