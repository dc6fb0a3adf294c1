import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import type { Link } from '../../link/link.js';
import { type CloudState, findResource, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../../sandbox/json.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';

/** A link, as far as it says whose clients call it. */
export type CalledLink = Pick<Link, 'via' | 'expectedAddresses'>;

/**
 * Finds the VPCs of a link's clients by what outputs name: that of its endpoint, or of the workloads' groups.
 * Undefined where no output says it.
 */
export function clientVpcs(
  cloud: CloudState,
  { via, expectedAddresses }: CalledLink,
  { workloadGroups }: Pick<ServiceNames, 'workloadGroups'>,
): readonly string[] | undefined {
  const addresses = expectedAddresses.map((cidr) => cidr.replace(/\/32$/, ''));
  const endpoints = listResources(cloud, privatelinkVpcEndpoint).filter((endpoint) =>
    readObjects(endpoint, 'Zones').some((zone) =>
      addresses.includes(readText(zone, 'PrivateIpAddress')),
    ),
  );
  const groups = (workloadGroups?.egress ?? []).map((id) =>
    findResource(cloud, vpcSecurityGroup, id),
  );
  const callers = via === 'service-endpoint' ? endpoints : groups;
  const vpcs = new Set(callers.map((one) => readText(one, 'VpcId')).filter((id) => id !== ''));
  return vpcs.size === 0 ? undefined : [...vpcs];
}
