import { clbClb, clbListener, clbServerGroup } from '../../cloud/table/clb.js';
import { vpcPrefixList, vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../cloud/table/vpc.js';
import { list, object, text } from '../../review/read/json.js';
import type { Cloud } from '../../sandbox/cloud/cloud.js';
import type { JsonObject } from '../../sandbox/json.js';
import type { RehearsedTree } from '../read-trees.js';
import { isLiteral } from './surroundings.js';

/** What trees say of a resource that they name by its id, and do not make. */
interface Named {
  readonly vpcId?: string;
  readonly zoneId?: string;
  /** In the subnet. */
  readonly address?: string;
}

/** Resources by their ids, as the cloud has them before the base. */
type Given = Map<
  string,
  {
    readonly typeName: string;
    readonly properties: JsonObject;
    /** What it is there for: without that one it is not needed. */
    readonly of?: string | undefined;
  }
>;

/** Every private network: nobody says which part of them the VPC has. */
const ANY_NETWORK = {
  CidrBlock: '10.0.0.0/8',
  SecondaryCidrBlocks: ['172.16.0.0/12', '192.168.0.0/16'],
};

/**
 * Puts what the trees name by literal ids into the cloud, unless it is there: VPCs, subnets, groups,
 * load balancers and prefix lists, with the little that the trees say of them.
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
  const given = givenResources(named, zones);
  const known = new Set(cloud.resources().map(({ identifier }) => identifier));
  const missing = [...given].filter(([id, { of = '' }]) => !known.has(id) && !known.has(of));
  for (const [id, { typeName, properties }] of missing) cloud.place(typeName, id, properties);
  return missing.map(([id]) => id).filter((id) => named.some((name) => name.id === id));
}

type Name = Named & { readonly attribute: string; readonly id: string };

const ATTRIBUTES =
  /^(?:vpc_id|subnet_id|security_group_ids|source_group_id|load_balancer_id|resource_id|prefix_list_id)$/;

function namesIn(value: unknown, vpcId: string): Name[] {
  if (Array.isArray(value)) return value.flatMap((member) => namesIn(member, vpcId));
  const body = object(value);
  const zone = text(body.zone_id) || text(body.master_zone_id);
  const address = text(body.private_ip_address);
  const facts: Named = {
    ...(isLiteral(vpcId) && { vpcId }),
    ...(isLiteral(zone) && { zoneId: zone }),
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

function givenResources(named: readonly Name[], zones: readonly string[]): Given {
  const given: Given = new Map();
  const put = (typeName: string, id: string, properties: JsonObject, of?: string) => {
    if (!given.has(id)) given.set(id, { typeName, properties, of });
  };
  const network = (vpcId = 'vpc-given') => {
    put(vpcVpc.cloudType, vpcId, ANY_NETWORK);
    return vpcId;
  };
  const subnet = (id: string, facts: Named, block: string, of?: string) => {
    const { vpcId, zoneId = zones[0] ?? '' } = facts;
    put(vpcSubnet.cloudType, id, { VpcId: network(vpcId), ZoneId: zoneId, CidrBlock: block }, of);
  };
  const hasListener = (balancer: string) =>
    named.some(({ attribute, id }) => attribute === 'load_balancer_id' && id === balancer);
  for (const { attribute, id } of named) if (attribute === 'vpc_id') network(id);
  const subnets = new Map<string, Named>();
  for (const { attribute, id, ...facts } of named) {
    if (attribute === 'subnet_id') subnets.set(id, { ...facts, ...subnets.get(id) });
  }
  for (const [id, facts] of subnets) {
    subnet(id, facts, blockAround(facts.address) ?? spareBlock(given.size));
  }
  for (const { attribute, id, ...facts } of named) {
    if (attribute === 'security_group_ids' || attribute === 'source_group_id') {
      put(vpcSecurityGroup.cloudType, id, { VpcId: network(facts.vpcId) });
    } else if (attribute === 'load_balancer_id' || attribute === 'resource_id') {
      subnet(`subnet-of-${id}`, facts, spareBlock(given.size), id);
      put(clbClb.cloudType, id, { Type: 'private', SubnetId: `subnet-of-${id}` });
      if (hasListener(id)) continue;
      put(clbServerGroup.cloudType, `servers-of-${id}`, { LoadBalancerId: id, ...ONE_SERVER }, id);
      const ServerGroupId = `servers-of-${id}`;
      put(
        clbListener.cloudType,
        `listener-of-${id}`,
        { LoadBalancerId: id, ServerGroupId, ...OPEN },
        id,
      );
    } else if (attribute === 'prefix_list_id') {
      put(vpcPrefixList.cloudType, id, NOBODY);
    }
  }
  return given;
}

/** An address that nobody has: what a list holds, the trees do not say. */
const NOBODY = { MaxEntries: 1, PrefixListEntries: [{ Cidr: '192.0.2.0/32' }] };

/** A backend, and a listener that lets calls in: which there are, the trees do not say. */
const ONE_SERVER = {
  Type: 'ip',
  Servers: [{ InstanceId: '192.168.0.1', Ip: '192.168.0.1', Type: 'ip', Port: 80, Weight: 100 }],
};
const OPEN = { Protocol: 'TCP', Port: 80 };

function blockAround(address: string | undefined): string | undefined {
  return address?.replace(/\.\d+$/, '.0/24');
}

/** A block that no other stand-in has. */
function spareBlock(index: number): string {
  return `10.${200 + (index >> 8)}.${index & 255}.0/24`;
}
