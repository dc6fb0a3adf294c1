import { tryAddress } from '../../net/address.js';
import { cidrPeer } from '../packet-rule.js';
import { type Json, text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { unclearRule } from '../rules/peers.js';
import type { ResourceIndex, RuleList } from '../rules/reading.js';
import type { Door } from './door.js';
import { addressOrId } from './resolve-name.js';

/** The network ACLs of the subnets that a door is in; where those are not known, any may be. */
export function aclsOf(
  { subnets, vpc, list: { direction } }: Door,
  kind: RuleList['kind'] | 'server',
  doors: readonly Door[],
): Door[] {
  const acls = doors.filter(({ list }) => list.kind === 'acl' && list.direction === direction);
  if (subnets.length > 0) {
    return acls.filter(({ subnets: guarded }) => guarded.some((one) => subnets.includes(one)));
  }
  if (kind === 'listener') return [];
  return acls
    .filter((acl) => acl.vpc === '' || vpc === '' || acl.vpc === vpc)
    .map((acl) => ({ ...acl, list: perhaps(acl) }));
}

/** An ACL that may not guard the place stops something only for cuts. */
function perhaps({ list }: Door): RuleList {
  const doubt = `Is this place in a subnet of ${list.carrier}?`;
  return { ...list, unclear: [unclearRule(list.carrier, doubt, 'accept', 'no')] };
}

/** The subnets of a server: those of its interfaces, or those of the balancer's VPC that hold its address. */
export function subnetsOfServer(
  ip: string,
  interfaces: readonly TerraformResource[],
  { vpc_id: vpc, subnet_id: subnet }: Json,
  index: ResourceIndex,
): string[] {
  if (interfaces.length > 0) {
    return interfaces.map(({ body }) => addressOrId(body.subnet_id)).filter((one) => one !== '');
  }
  const address = tryAddress(ip);
  const network = addressOrId(vpc ?? index.named(subnet)?.body.vpc_id);
  return index.ofType('volcenginecc_vpc_subnet').flatMap(({ address: own, body }) => {
    const block = cidrPeer(text(body.cidr_block));
    const isIn =
      block.kind === 'addresses' &&
      block.family === address?.family &&
      block.first <= address.value &&
      address.value <= block.last;
    return isIn && addressOrId(body.vpc_id) === network ? [own] : [];
  });
}
