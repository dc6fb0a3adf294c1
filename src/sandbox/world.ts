import { privatelinkVpcEndpoint, vpcSecurityGroup, vpcSubnet } from '../cloud/table/index.js';
import { formatAddress } from '../net/address.js';
import { parseCidr } from '../net/cidr.js';
import { type CloudState, resourcesOf } from './cloud/cloud-state.js';
import { lastUsable } from './cloud/subnet-addresses.js';
import type { FaultName } from './faults.js';
import { type JsonObject, objectsOf, textOf, textsOf } from './json.js';
import { decide } from './security-rules.js';

/** Everything that decides who reaches whom. */
export interface World {
  readonly cloud: CloudState;
  readonly faults: ReadonlySet<FaultName>;
}

export type Route = 'open' | 'no-route' | 'dropped' | 'not-connected';

export interface Flight {
  /** The client's address. */
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** An endpoint as the network sees it. */
export interface Endpoint {
  readonly id: string;
  readonly domain: string;
  readonly vpcId: string;
  readonly groupIds: readonly string[];
  readonly connected: boolean;
  readonly zones: readonly { readonly domain: string; readonly address: string }[];
}

/** What becomes of a TCP connection to an address of the private network. */
export function route(world: World, { from, to, port }: Flight): Route {
  const endpoints = endpointsOf(world);
  const endpoint = endpoints.find(({ zones }) => zones.some(({ address }) => address === to));
  if (!endpoint) return 'no-route';
  if (!endpoint.connected) return 'not-connected';
  if (world.faults.has('security-group-closed')) return 'dropped';
  const groups = resourcesOf(world.cloud, vpcSecurityGroup.cloudType);
  const rules = groups
    .filter((group) => endpoint.groupIds.includes(textOf(group, 'SecurityGroupId')))
    .flatMap((group) => objectsOf(group, 'IngressPermissions'));
  const fromGroups = endpoints
    .filter(({ zones }) => zones.some(({ address }) => address === from))
    .flatMap(({ groupIds }) => groupIds);
  return decide(rules, { from, fromGroups, port }) === 'accept' ? 'open' : 'dropped';
}

export function endpointsOf({ cloud, faults }: World): Endpoint[] {
  return resourcesOf(cloud, privatelinkVpcEndpoint.cloudType).map((endpoint) => ({
    id: textOf(endpoint, 'EndpointId'),
    domain: textOf(endpoint, 'EndpointDomain'),
    vpcId: textOf(endpoint, 'VpcId'),
    groupIds: textsOf(endpoint, 'SecurityGroupIds'),
    connected: !faults.has('pending-acceptance'),
    zones: objectsOf(endpoint, 'Zones').map((zone) => ({
      domain: textOf(zone, 'ZoneDomain'),
      address: textOf(zone, 'PrivateIpAddress'),
    })),
  }));
}

/** Where a client of an endpoint stands by default: the last usable address of the VPC's first subnet. */
export function clientAddressOf({ cloud }: World, endpoint: Endpoint): string {
  const [first] = subnetsOf(cloud, endpoint.vpcId);
  if (!first) return '0.0.0.0';
  const subnet = parseCidr(textOf(first, 'CidrBlock'));
  return formatAddress({ family: 4, value: lastUsable(subnet) });
}

/** The subnets of a VPC, by zone and then by address block. */
export function subnetsOf(cloud: CloudState, vpcId: string): JsonObject[] {
  const key = (subnet: JsonObject) => `${textOf(subnet, 'ZoneId')} ${textOf(subnet, 'CidrBlock')}`;
  return resourcesOf(cloud, vpcSubnet.cloudType)
    .filter((subnet) => subnet.VpcId === vpcId)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
