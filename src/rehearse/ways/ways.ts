import { clbClb } from '../../cloud/table/clb.js';
import { privatelinkEndpointService } from '../../cloud/table/privatelink.js';
import { privatezonePrivateZone } from '../../cloud/table/privatezone.js';
import type { ResourceRow } from '../../cloud/table/row.js';
import { vpcPrefixList, vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { LINK_NETWORK } from '../../net/cidr.js';
import { networkPeer } from '../../reach/packet-rule.js';
import { asTerraform, toName } from '../../reach/read/cloud-state.js';
import { stackWith, withPlainReferences } from '../../reach/read/terraform-json.js';
import { combine, type OpenRanges } from '../../reach/sets/ranges.js';
import { toRange } from '../../reach/sets/region.js';
import { intersect, subtract, toServices } from '../../reach/sets/services.js';
import { passUnderDoubt } from '../../reach/ways/bounds.js';
import type { Way as ReachWay } from '../../reach/ways/door.js';
import { type Reached, readReached } from '../../reach/ways/doors.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { RehearsedTree } from '../read-trees.js';
import type { WayState } from './clients.js';

/**
 * Reads the ways in one state of the cloud, under the names that the trees have for what is in it.
 *
 * @param addresses Terraform's, by the identifiers of resources: the access rules name what carries them by those
 * @param standIns identifiers of what the trees name and do not make: whom such groups and lists mean is not known
 */
export function readWays(
  state: CloudState,
  trees: readonly RehearsedTree[],
  service: Pick<ServiceNames, 'backendGroups'> = {},
  standIns: readonly string[] = [],
  addresses: ReadonlyMap<string, string> = new Map(),
): Reached {
  const found = asTerraform(withoutUnknown(state, standIns));
  const output = backendOutputs(service);
  const rules = trees.flatMap((tree) => tree.flatMap(({ access }) => access?.rules ?? []));
  const terraform = stackWith(found, output);
  return readReached({
    ...{ name: '', file: 'the cloud', terraform, access: { rules }, unread: [] },
    terraformAddress: (address) => withAddresses(address, addresses),
  });
}

/** Writes which groups the servers behind load balancers have, as outputs of a stack. */
function backendOutputs({ backendGroups = new Map() }: Pick<ServiceNames, 'backendGroups'>) {
  const outputs = [...backendGroups].flatMap(([balancer, group], i) => [
    [`${i}-load-balancer-id`, `\${${clbClb.type}.${toName(balancer)}.id}`] as const,
    [`${i}-backend-security-group-id`, `\${${vpcSecurityGroup.type}.${toName(group)}.id}`] as const,
  ]);
  return Object.fromEntries(outputs.map(([name, value]) => [name, { value }]));
}

/** Adds the address that people know an object by, if no access rule names it. */
export function withAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  return withPlainReferences(text).replaceAll(
    /volcenginecc_\w+\.([\w-]+)/g,
    (whole, id: string) => addresses.get(id) ?? whole,
  );
}

/** Bindings of a zone that exists: in no tree. */
const UNKNOWN_VPCS = [{ VpcId: '${private-zone.vpcs}' }];

/** Leaves out groups and prefix lists of whose rules and entries nothing is known, and the VPCs of such zones. */
function withoutUnknown(
  { resources }: Pick<CloudState, 'resources'>,
  standIns: readonly string[],
): Pick<CloudState, 'resources'> {
  if (standIns.length === 0) return { resources };
  const of = ({ cloudType }: ResourceRow) => Object.entries(resources[cloudType] ?? {});
  const known = [vpcSecurityGroup, vpcPrefixList].map((row) => {
    const own = of(row).filter(([id]) => !standIns.includes(id));
    return [row.cloudType, Object.fromEntries(own)] as const;
  });
  const zones = of(privatezonePrivateZone).map(
    ([id, zone]) => [id, standIns.includes(id) ? { ...zone, Vpcs: UNKNOWN_VPCS } : zone] as const,
  );
  const bound = { [privatezonePrivateZone.cloudType]: Object.fromEntries(zones) };
  return { resources: { ...resources, ...Object.fromEntries(known), ...bound } };
}

/**
 * Returns what becomes of a call of a private plugin, and to which port of its listener it goes.
 *
 * @param port the listener's; the lowest where none is given
 */
export function pluginWay(
  { privateLinks }: Pick<Reached, 'privateLinks'>,
  serviceId: string,
  port?: number,
): Called & { readonly port?: number } {
  const address = `${privatelinkEndpointService.type}.${toName(serviceId)}`;
  const link = privateLinks.find(({ service }) => service === address);
  if (link?.isConnected !== true) return { state: 'not-connected' };
  const [first] = link.listeners
    .flatMap((way) => tcpPorts(way).map((one) => ({ way, port: one })))
    .filter((one) => port === undefined || one.port === port)
    .sort((a, b) => a.port - b.port);
  return first === undefined
    ? { state: 'no-listener' }
    : { ...calledState(first.way, first.port), port: first.port };
}

/** The ports that listeners begin with: a listener for many ports is called at its first. */
function tcpPorts({ series }: ReachWay): number[] {
  const own = series.filter(({ list }) => list.kind === 'listener' && !list.isOff);
  const rules = own.flatMap(({ list }) => list.rules);
  const spans = rules.flatMap(({ services }) => intersect(services, TCP));
  // Tcp has the first block of numbers, so its ports are its numbers.
  return [...new Set(spans.map(({ first }) => first))];
}

const TCP = toServices('tcp');

/** The way of a plugin's calls. */
interface Called {
  readonly state: WayState;
  /** True where it is open under some answers to what is in doubt. */
  readonly isUnclear?: boolean;
}

/** Finds the first door that stops calls out of the network of private links. */
function calledState({ series }: ReachWay, port: number): Called {
  const services = toServices('tcp', { first: port, last: port });
  const packets = [toRange({ peer: networkPeer(LINK_NETWORK), services })];
  const boundsOf = (doors: typeof series) => passUnderDoubt(doors, { family: 4, packets });
  const isStopped = (open: OpenRanges) => combine(packets, open, subtract).length > 0;
  const stops = series.find((_, i) => isStopped(boundsOf(series.slice(0, i + 1)).least));
  if (stops === undefined) return { state: 'open' };
  const isUnclear = !isStopped(boundsOf(series).most);
  if (stops.list.kind === 'listener') return { state: 'refused', isUnclear };
  const drop = stops.list.rules.find(({ isAccept }) => !isAccept);
  return { state: drop?.resource === stops.list.carrier ? 'unreachable' : 'dropped', isUnclear };
}
