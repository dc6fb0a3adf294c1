import { clbServerGroup } from '../../cloud/table/clb.js';
import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcPrefixList, vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { NOBODY } from '../../net/special-ranges.js';
import { type CloudState, findResource, listResources } from '../cloud/cloud-state.js';
import type { FaultName } from '../faults/index.js';
import { type JsonObject, readObjects, readText, readTexts } from '../json.js';
import { type Direction, isPublicNetwork, type ServiceNames } from '../surroundings.js';
import { decide } from './firewalls.js';

/** The sources of the security groups of workloads and servers. */
interface Groups {
  readonly cloud: CloudState;
  readonly service: Pick<ServiceNames, 'workloadGroups'>;
}

/**
 * The security groups that the enterprise's workloads have, in one direction: those that the outputs of
 * stacks name, and a group that is gone lets nothing through. Without such an output those are assumed that
 * no endpoint carries and that have a rule about a public network or a prefix list.
 */
export function workloadGroups({ cloud, service }: Groups, direction: Direction): JsonObject[] {
  const named = service.workloadGroups?.[direction];
  if (named) return named.map((id) => findResource(cloud, vpcSecurityGroup, id) ?? {});
  return freeGroups(cloud).filter((group) => readRules(group, direction).some(isAboutInternet));
}

/** The security groups that no endpoint carries. */
function freeGroups(cloud: CloudState): JsonObject[] {
  const carried = endpointGroups(cloud);
  return listResources(cloud, vpcSecurityGroup).filter(
    (group) => !carried.includes(readText(group, 'SecurityGroupId')),
  );
}

/** Ids of the security groups that endpoints carry. */
function endpointGroups(cloud: CloudState): string[] {
  return listResources(cloud, privatelinkVpcEndpoint).flatMap((endpoint) =>
    readTexts(endpoint, 'SecurityGroupIds'),
  );
}

/**
 * The security groups of a server: those that outputs name beside the load balancers which call it. Without,
 * it carries all of its VPC that may be its own: not what endpoints or other servers carry, and not what was
 * made for ways out alone. Where there is none, nothing guards it.
 */
export function serverGroups(
  { cloud, service }: { readonly cloud: CloudState; readonly service: ServiceNames },
  { address, vpcId }: { readonly address: string; readonly vpcId: string },
): JsonObject[] {
  const { backendGroups = new Map<string, string>() } = service;
  const named = listResources(cloud, clbServerGroup)
    .filter((group) => readObjects(group, 'Servers').some(({ Ip }) => Ip === address))
    .flatMap((group) => backendGroups.get(readText(group, 'LoadBalancerId')) ?? []);
  if (named.length > 0) return named.map((id) => findResource(cloud, vpcSecurityGroup, id) ?? {});
  const ofOthers = [...backendGroups.values()];
  return freeGroups(cloud)
    .filter((group) => group.VpcId === vpcId)
    .filter((group) => !ofOthers.includes(readText(group, 'SecurityGroupId')))
    .filter((group) => {
      const id = readText(group, 'SecurityGroupId');
      const isInward = readRules(group, 'ingress').some(
        ({ SourceGroupId }) => SourceGroupId !== id,
      );
      return isInward || !readRules(group, 'egress').some(isAboutInternet);
    });
}

export function readRules(group: JsonObject, direction: Direction): JsonObject[] {
  return readObjects(group, direction === 'egress' ? 'EgressPermissions' : 'IngressPermissions');
}

/** Tells whether a rule is about a public network or a prefix list, and is not the cloud's own. */
export function isAboutInternet(rule: JsonObject): boolean {
  if (isGiven(rule) || NOBODY.some((nobody) => nobody === rule.CidrIp)) return false;
  const cidr = readText(rule, 'CidrIp');
  return cidr === '' ? readText(rule, 'PrefixListId') !== '' : isPublicNetwork(cidr);
}

/** Recognizes the cloud's default egress rule of a new group. */
function isGiven(rule: JsonObject): boolean {
  const isEveryone = rule.CidrIp === '0.0.0.0/0' || rule.CidrIp === '::/0';
  const isAccept = rule.Policy === 'accept';
  return isAccept && rule.Protocol === 'all' && rule.PortStart === -1 && isEveryone;
}

/** The other side of a connection, as groups see it. */
interface Peer {
  readonly peer: string;
  /** The groups that it is in. @default - none */
  readonly peerGroups?: readonly string[];
  readonly port: number;
}

/** Tells whether groups, by their identifiers, together let a connection through. */
export function groupsAccept(
  cloud: CloudState,
  groupIds: readonly string[],
  direction: Direction,
  peer: Peer,
): boolean {
  const all = listResources(cloud, vpcSecurityGroup);
  const own = all.filter((group) => groupIds.includes(readText(group, 'SecurityGroupId')));
  return accept(cloud, own, direction, peer);
}

export function accept(
  cloud: CloudState,
  groups: readonly JsonObject[],
  direction: Direction,
  { peer, peerGroups = [], port }: Peer,
): boolean {
  const rules = groups.flatMap((group) => readRules(group, direction));
  const networksOf = (id: string) => networksIn(cloud, id);
  return decide(rules, { peer, peerGroups, port, networksOf }) === 'accept';
}

/** The networks of a prefix list. */
export function networksIn(cloud: CloudState, prefixListId: string): string[] {
  const list = findResource(cloud, vpcPrefixList, prefixListId);
  return readObjects(list, 'PrefixListEntries').map((entry) => readText(entry, 'Cidr'));
}

/**
 * The security groups that a fault has closed: clients of the cloud read in them a rule that drops everything,
 * like one that was added by hand. A group that a deploy writes is as written until a name is looked up, and then
 * closed again: Terraform reads back what it wrote, and the check meets the fault.
 */
export class ClosedGroups {
  readonly #written = new Set<string>();

  onWrite(identifier = ''): void {
    this.#written.add(identifier);
  }

  onLookup(): void {
    this.#written.clear();
  }

  isShut(
    world: Groups & { readonly faults: ReadonlySet<FaultName> },
    group: string,
    direction: Direction,
  ): boolean {
    if (this.#written.has(group)) return false;
    if (direction === 'ingress') {
      const isOfEndpoint = endpointGroups(world.cloud).includes(group);
      return isOfEndpoint && world.faults.has('security-group-closed');
    }
    const waysOut = workloadGroups(world, 'egress').map(({ SecurityGroupId: id }) => id);
    return waysOut.includes(group) && world.faults.has('egress-closed');
  }
}
