import { identifierReference } from '../reach/read/address.js';
import type { FoundCloud } from '../reach/read/cloud-state.js';
import { list } from '../reach/read/json.js';
import {
  references,
  type TerraformResource,
  type TerraformStackJson,
} from '../reach/read/terraform-json.js';

const GROUP = 'volcenginecc_vpc_security_group';
const INTERFACE = 'volcenginecc_vpc_eni';
const PLACE = /_(?:vpc_eni|vpc_endpoint|clb_listener)$/;

/**
 * Returns what a state says of the places that a cloud has: with the objects of other stacks beside them and the
 * interfaces of others that carry its groups, which is where its rules act; without places that are gone.
 */
export function expectedHere({
  deployed,
  neighbours,
  terraform,
  gone,
}: Pick<FoundCloud, 'deployed' | 'neighbours' | 'terraform' | 'gone'>): TerraformStackJson {
  const all = [...deployed.resources, ...neighbours];
  const own = new Set(all.map(({ address }) => address));
  const isOwn = (id: unknown) => own.has(identifierReference(id)?.address ?? '');
  const carriers = terraform.resources.flatMap((one): TerraformResource[] => {
    if (one.type !== INTERFACE || own.has(one.address)) return [];
    const groups = list(one.body.security_group_ids).filter(isOwn);
    return groups.length === 0
      ? []
      : [{ ...one, body: { ...one.body, security_group_ids: groups } }];
  });
  const lost = new Set(gone.map(({ address }) => address));
  const left = [...all, ...carriers].filter(
    ({ type, address }) => !(lost.has(address) && PLACE.test(type)),
  );
  const named = new Set(
    left.filter(({ address }) => !lost.has(address)).flatMap(({ body }) => references(body)),
  );
  // A group that is gone was a place where nothing that is left names it.
  const isUnused = ({ type, address }: TerraformResource) =>
    type === GROUP && lost.has(address) && !named.has(address);
  return { ...deployed, resources: left.filter((one) => !isUnused(one)) };
}
