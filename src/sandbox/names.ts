import { vpcSubnet } from '../cloud/table/index.js';
import { formatAddress } from '../net/address.js';
import { parseCidr } from '../net/cidr.js';
import { resourcesOf } from './cloud/cloud-state.js';
import { lastUsable } from './cloud/subnet-addresses.js';
import { textOf } from './json.js';
import { type Endpoint, endpointsOf, subnetsOf, type World } from './world.js';

/** What DNS says of a name: its IPv4 addresses where it is found. */
export interface Lookup {
  readonly outcome: 'found' | 'not-found' | 'server-failed' | 'silent';
  readonly addresses: readonly string[];
}

/** An address of TEST-NET-3: public to whoever judges it, and nobody's. */
export const PUBLIC_STAND_IN = '203.0.113.10';

const NOT_FOUND: Lookup = { outcome: 'not-found', addresses: [] };

/** Looks a name up: a domain of an endpoint that exists and is connected, or one of its zones. */
export function lookUp(world: World, name: string): Lookup {
  const { faults } = world;
  if (faults.has('dns-silent')) return { outcome: 'silent', addresses: [] };
  if (faults.has('dns-server-failed')) return { outcome: 'server-failed', addresses: [] };
  if (faults.has('dns-missing')) return NOT_FOUND;
  const wanted = name.toLowerCase();
  for (const endpoint of endpointsOf(world).filter(({ connected }) => connected)) {
    const addresses = addressesOf(endpoint, wanted);
    if (addresses.length > 0) {
      return { outcome: 'found', addresses: falsified(world, endpoint, addresses) };
    }
  }
  return NOT_FOUND;
}

/** Addresses that DNS answers only under a fault. Nothing is there. */
export function standInAddresses(world: World): string[] {
  const spares = resourcesOf(world.cloud, vpcSubnet.cloudType).map((subnet) =>
    spareAddress(textOf(subnet, 'CidrBlock')),
  );
  return [PUBLIC_STAND_IN, ...new Set(spares)];
}

function addressesOf({ domain, zones }: Endpoint, wanted: string): string[] {
  return zones
    .filter((zone) => wanted === domain || wanted === zone.domain)
    .map(({ address }) => address);
}

function falsified(world: World, endpoint: Endpoint, addresses: readonly string[]) {
  if (world.faults.has('address-public')) return [PUBLIC_STAND_IN];
  if (!world.faults.has('address-unexpected')) return addresses;
  const [subnet] = subnetsOf(world.cloud, endpoint.vpcId);
  return subnet ? [spareAddress(textOf(subnet, 'CidrBlock'))] : addresses;
}

// The cloud keeps the addresses after the last usable one for itself, so no endpoint ever has it.
function spareAddress(block: string): string {
  return formatAddress({ family: 4, value: lastUsable(parseCidr(block)) + 1n });
}
