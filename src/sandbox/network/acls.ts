import { vpcNetworkAcl } from '../../cloud/table/read-only.js';
import { type CloudState, listResources } from '../cloud/cloud-state.js';
import { type JsonObject, readObjects, readText } from '../json.js';
import type { ServiceNames } from '../surroundings.js';
import { within } from './firewalls.js';

/**
 * Tells whether the subnet's network ACL lets a connection in: its first matching entry decides, unless
 * its owner states that any accept or any drop does.
 */
export function passesAcls(
  { cloud, service }: { readonly cloud: CloudState; readonly service: ServiceNames },
  subnets: readonly string[],
  { from, port }: { readonly from: string; readonly port: number },
): boolean {
  const guarding = listResources(cloud, vpcNetworkAcl).filter((acl) =>
    readObjects(acl, 'Resources').some((one) => subnets.includes(readText(one, 'ResourceId'))),
  );
  const answer = service.decisions?.['network-acl-order']?.answer;
  return guarding.every((acl) => {
    const policies = aclEntriesFor(acl, from, port).map(({ Policy }) => Policy);
    const [first] = policies;
    if (answer === undefined) return first !== 'drop';
    const isOpen = answer === 'open';
    return first === undefined ? isOpen : policies.includes(isOpen ? 'accept' : 'drop') === isOpen;
  });
}

function aclEntriesFor(acl: JsonObject, from: string, port: number): JsonObject[] {
  return readObjects(acl, 'IngressAclEntries').filter((entry) => {
    const [first = -1, last = first] = readText(entry, 'Port').split('/').map(Number);
    const isPort = first === -1 || (first <= port && port <= last);
    const isTcp = entry.Protocol === 'all' || entry.Protocol === 'tcp';
    return isTcp && isPort && within(from, [readText(entry, 'CidrIp')]);
  });
}
