import type { Construct } from 'constructs';
import { formatAddress } from '../../net/address.js';
import { type Cidr, parseCidr } from '../../net/cidr.js';
import { Remembered } from '../remembered.js';

/** Subnets change their size only by leaving the block of this size that they are in. */
const BLOCK = 20;

/**
 * A changed subnet is made while the old one is still there, and the cloud lets no two of a VPC
 * overlap. So a plan refuses one that would lie over what was deployed: another size at the same place,
 * or the place of another zone's subnet.
 *
 * @returns preconditions of the subnet
 */
export function keepPlace(scope: Construct, zone: string, cidr: string) {
  const subnet = parseCidr(cidr);
  const block = blockOf(subnet);
  const inTwoDeploys = `Deploy in two steps: first give ${zone} a CIDR of the network that is free, then ${cidr}.`;
  const size = new Remembered(scope, `${zone}-in-${idOf(block)}`, {
    size: {
      value: `/${subnet.prefix}`,
      refusal: (before) =>
        `The subnet of ${zone} is a ${before} in ${block} and cannot become ${cidr} there, while the old one is still in use. ${inTwoDeploys} The free one must lie outside of ${block}.`,
    },
  });
  const place = new Remembered(scope, `${idOf(cidr)}-of`, {
    zone: {
      value: zone,
      refusal: (before) =>
        `${cidr} is the subnet of ${before}, and cannot become that of ${zone} in the same deploy. ${inTwoDeploys}`,
    },
  });
  return [...size.preconditions, ...place.preconditions];
}

/** The block that a subnet lies in, or the subnet itself where it is larger. */
function blockOf({ first, prefix }: Cidr): string {
  const length = Math.min(prefix, BLOCK);
  const host = 32n - BigInt(length);
  return `${formatAddress({ family: 4, value: (first >> host) << host })}/${length}`;
}

function idOf(cidr: string): string {
  return cidr.replaceAll(/[./]/g, '-');
}
