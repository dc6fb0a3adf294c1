import { vpcNetworkAcl } from '../../cloud/table/read-only.js';
import { type CloudState, listResources } from '../cloud/cloud-state.js';
import { type JsonObject, readObjects, readText } from '../json.js';
import { within } from './firewalls.js';

/** Tells whether the subnet's network ACLs let a connection in: of each the first matching entry decides. */
export function passesAcls(
  cloud: CloudState,
  subnets: readonly string[],
  { from, port }: { readonly from: string; readonly port: number },
): boolean {
  const guarding = listResources(cloud, vpcNetworkAcl).filter((acl) =>
    readObjects(acl, 'Resources').some((one) => subnets.includes(readText(one, 'ResourceId'))),
  );
  return guarding.every((acl) => aclEntriesFor(acl, from, port)[0]?.Policy !== 'drop');
}

function aclEntriesFor(acl: JsonObject, from: string, port: number): JsonObject[] {
  return readObjects(acl, 'IngressAclEntries').filter((entry) => {
    const [first = -1, last = first] = readText(entry, 'Port').split('/').map(Number);
    const isPort = first === -1 || (first <= port && port <= last);
    const isTcp = entry.Protocol === 'all' || entry.Protocol === 'tcp';
    return isTcp && isPort && within(from, [readText(entry, 'CidrIp')]);
  });
}
