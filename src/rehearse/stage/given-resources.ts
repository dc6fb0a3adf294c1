import { clbClb, clbListener, clbServerGroup } from '../../cloud/table/clb.js';
import { privatezonePrivateZone } from '../../cloud/table/privatezone.js';
import type { ResourceRow } from '../../cloud/table/row.js';
import { vpcPrefixList, vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../cloud/table/vpc.js';
import { NOBODY } from '../../net/special-ranges.js';
import { list, object, text } from '../../reach/read/json.js';
import type { Cloud } from '../../sandbox/cloud/cloud.js';
import type { JsonObject } from '../../sandbox/json.js';
import type { RehearsedTree } from '../read-trees.js';
import { SubnetBlocks } from './subnet-blocks.js';
import { isLiteral, zonesIn } from './surroundings.js';

/** A resource that the trees reference by id but do not create, with the facts they give. */
interface Named {
  readonly attribute: string;
  readonly id: string;
  readonly vpcId?: string;
  readonly zoneId?: string;
  /** In the subnet. */
  readonly address?: string;
}

/** Every private network: nobody says which part of them the VPC has. */
const ANY_NETWORK = {
  CidrBlock: '10.0.0.0/8',
  SecondaryCidrBlocks: ['172.16.0.0/12', '192.168.0.0/16'],
};

/** A list whose entries the trees do not say. */
const EMPTY_LIST = { MaxEntries: 1, PrefixListEntries: [{ Cidr: NOBODY[0] }] };

/** A backend, and a listener that lets calls in: which there are, the trees do not say. */
const ONE_SERVER = {
  Type: 'ip',
  Servers: [{ InstanceId: '192.168.0.1', Ip: '192.168.0.1', Type: 'ip', Port: 80, Weight: 100 }],
};
const OPEN = { Protocol: 'TCP', Port: 80 };

/**
 * Puts what the trees name by literal ids into the cloud, unless it is there: VPCs, subnets, groups,
 * load balancers, prefix lists and private zones, with the little that the trees say of them.
 *
 * @returns the ids of the stand-ins
 */
export function placeGivenResources(
  cloud: Cloud,
  trees: readonly RehearsedTree[],
  zones: readonly string[],
): string[] {
  const bodies = trees
    .flat()
    .flatMap(({ terraform }) => terraform.resources.map(({ body }) => body));
  const named = bodies.flatMap((body) => namesIn(body, text(body.vpc_id)));
  const ids = new Set(named.map(({ id }) => id));
  const placed = placeNamed(cloud, named, zones);
  return [...placed.filter((id) => ids.has(id)), ...placeZones(cloud, trees)];
}

/**
 * Private zones that exist have the records of their own that make the API host's name, and answer
 * like public DNS otherwise. The VPCs that they are bound to, the trees do not say.
 */
function placeZones(cloud: Cloud, trees: readonly RehearsedTree[]): string[] {
  const known = new Set(cloud.resources().map(({ identifier }) => identifier));
  const zones = trees
    .flat()
    .flatMap(zonesIn)
    .filter(({ id }) => !known.has(id));
  const { cloudType } = privatezonePrivateZone;
  for (const { id, ZoneName } of zones) {
    cloud.place(cloudType, id, { ZoneName, RecursionMode: true, Vpcs: [] });
  }
  return [...new Set(zones.map(({ id }) => id))];
}

const ATTRIBUTES =
  /^(?:vpc_id|subnet_id|security_group_ids|source_group_id|load_balancer_id|resource_id|prefix_list_id)$/;

function namesIn(value: unknown, vpcId: string): Named[] {
  if (Array.isArray(value)) return value.flatMap((member) => namesIn(member, vpcId));
  const body = object(value);
  const zoneId = text(body.zone_id) || text(body.master_zone_id);
  const address = text(body.private_ip_address);
  const facts = {
    ...(isLiteral(vpcId) && { vpcId }),
    ...(isLiteral(zoneId) && { zoneId }),
    ...(isLiteral(address) && { address }),
  };
  return Object.entries(body).flatMap(([attribute, member]) => {
    if (!ATTRIBUTES.test(attribute)) return namesIn(member, vpcId);
    return list(member)
      .map(text)
      .filter(isLiteral)
      .map((id) => ({ ...facts, attribute, id }));
  });
}

/** @returns the ids of whatever was put there */
function placeNamed(cloud: Cloud, named: readonly Named[], zones: readonly string[]): string[] {
  const known = new Set(cloud.resources().map(({ identifier }) => identifier));
  const placed: string[] = [];
  const put = ({ cloudType }: ResourceRow, id: string, properties: JsonObject) => {
    if (known.has(id)) return;
    known.add(id);
    placed.push(id);
    cloud.place(cloudType, id, properties);
  };
  const network = (vpcId = 'vpc-given') => {
    put(vpcVpc, vpcId, ANY_NETWORK);
    return vpcId;
  };
  const inSubnets = named.filter(({ attribute }) => attribute === 'subnet_id');
  const blocks = new SubnetBlocks(
    inSubnets.flatMap(({ id, vpcId, address }) =>
      address === undefined || known.has(id) ? [] : [{ subnet: id, vpcId, address }],
    ),
  );
  const subnet = (id: string, { vpcId, zoneId = zones[0] ?? '' }: Partial<Named>) => {
    const CidrBlock = blocks.blockFor(id);
    put(vpcSubnet, id, { VpcId: network(vpcId), ZoneId: zoneId, CidrBlock });
  };
  const balancer = (id: string, facts: Partial<Named>) => {
    subnet(`subnet-of-${id}`, facts);
    put(clbClb, id, { Type: 'private', SubnetId: `subnet-of-${id}` });
    if (named.some((one) => one.attribute === 'load_balancer_id' && one.id === id)) return;
    const ServerGroupId = `servers-of-${id}`;
    put(clbServerGroup, ServerGroupId, { LoadBalancerId: id, ...ONE_SERVER });
    put(clbListener, `listener-of-${id}`, { LoadBalancerId: id, ServerGroupId, ...OPEN });
  };
  for (const { attribute, id } of named) if (attribute === 'vpc_id') network(id);
  const subnets = new Map<string, Named>();
  for (const one of inSubnets) subnets.set(one.id, { ...one, ...subnets.get(one.id) });
  for (const [id, facts] of subnets) if (!known.has(id)) subnet(id, facts);
  for (const { attribute, id, vpcId, zoneId } of named.filter((one) => !known.has(one.id))) {
    if (/^(?:security_group_ids|source_group_id)$/.test(attribute)) {
      put(vpcSecurityGroup, id, { VpcId: network(vpcId) });
      // It lies where its users are, which may be a VPC that is not there yet.
      if (vpcId === undefined)
        delete cloud.state.resources[vpcSecurityGroup.cloudType]?.[id]?.VpcId;
    } else if (/^(?:load_balancer_id|resource_id)$/.test(attribute)) {
      balancer(id, { vpcId, zoneId });
    } else if (attribute === 'prefix_list_id') {
      put(vpcPrefixList, id, EMPTY_LIST);
    }
  }
  return placed;
}
