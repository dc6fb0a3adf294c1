import type { Link } from '../../link/link.js';
import { parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';

/** The zone whose network holds an address; undefined where the link does not say. */
export function zoneOf({ zones = [] }: Link, text: string): string | undefined {
  try {
    const address = parseAddress(text);
    return zones.find(({ network }) => cidrContains(parseCidr(network), address))?.name;
  } catch {
    return undefined;
  }
}
