import { groupBy } from '../../lists/group-by.js';
import { list, object, text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import type { ResourceIndex } from '../rules/reading.js';
import { toServices } from '../sets/services.js';
import { type Bounds, passUnderDoubt } from './bounds.js';
import { type Door, decideTogether, type Way } from './door.js';
import { everyPacket } from './pass.js';

/** A stack as it was read. */
interface Seen {
  readonly index: ResourceIndex;
  readonly ways: readonly Way[];
}

const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';

/** Finds the endpoint that has an address. */
export function endpointAt(index: ResourceIndex, address: string): TerraformResource | undefined {
  const isAt = (zone: unknown) => text(object(zone).private_ip_address) === address;
  return index.ofType(ENDPOINT).find(({ body }) => list(body.zones).some(isAt));
}

/** Finds the IPv4 clients that are let in to an address of an endpoint; undefined where none has it. */
export function clientsOf(stack: Seen, address: string, port: number): Bounds | undefined {
  const { index, ways } = stack;
  const endpoint = endpointAt(index, address);
  const isIts = (door: Door) => door.list.carrier === endpoint?.address;
  const way = ways.find(({ direction, series }) => direction === 'ingress' && series.some(isIts));
  if (way === undefined) return undefined;
  const services = toServices('tcp', { first: port, last: port });
  const packets = everyPacket(4).packets.map((range) => ({ ...range, services }));
  return passUnderDoubt(way.series, { family: 4, packets, isWithoutNames: true });
}

/**
 * Finds the doors that workloads pass on their way out to the internet: their groups, and Cloud Firewall.
 *
 * @param groups Terraform's addresses of their groups; of those that are gone none lets anything through
 * @returns undefined where all of them are gone
 */
export function doorsOut({ ways }: Seen, groups: readonly string[]): readonly Door[] | undefined {
  const outward = ways.filter(({ direction }) => direction === 'egress');
  const carriers = groupBy(
    outward.flatMap(({ series }) => series),
    ({ list: { carrier } }) => carrier,
  );
  const all = [...carriers.values()].map(([door]) => door);
  const [first, ...others] = all.filter(({ list }) => groups.includes(list.carrier));
  // The address of a workload out there is not known, so any policy may be for it.
  const border = all.filter(({ list }) => list.kind === 'firewall');
  if (first === undefined) return groups.length > 0 ? undefined : border;
  return [decideTogether(first, others), ...border];
}
