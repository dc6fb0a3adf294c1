import {
  isUnknown,
  list,
  object,
  references,
  type TerraformResource,
  type TerraformStackJson,
  text,
} from '../read/terraform-json.js';
import { cidrPeer, type ReviewedPeer } from '../reviewed-rule.js';

export interface Peers {
  readonly peers: readonly ReviewedPeer[];
  readonly problems: readonly string[];
}

/** CIDRs, or addresses alone, as peers. */
export function addressPeers(cidrs: readonly unknown[], where: string): Peers {
  const peers: ReviewedPeer[] = [];
  const problems: string[] = [];
  for (const cidr of cidrs) {
    try {
      const written = text(cidr);
      peers.push(cidrPeer(written.includes('/') ? written : hostText(written)));
    } catch {
      problems.push(`${where} holds an address that is not known, got: ${JSON.stringify(cidr)}`);
    }
  }
  return { peers, problems };
}

/** The addresses of a list that a resource refers to; it must be in the same stack. */
export function listedPeers(
  value: unknown,
  stack: TerraformStackJson,
  entriesOf: Readonly<Record<string, (list: TerraformResource) => readonly unknown[]>>,
  where: string,
): Peers {
  const [address] = isUnknown(value) ? references(value) : [];
  const found = stack.resources.find((resource) => resource.address === address);
  const entries = found === undefined ? undefined : entriesOf[found.type];
  if (found === undefined || entries === undefined) {
    return {
      peers: [],
      problems: [
        `${where} refers to a list that is not in the stack, got: ${JSON.stringify(value)}`,
      ],
    };
  }
  return addressPeers(entries(found), found.address);
}

/** A member of each object of a list. */
export function members(value: unknown, name: string): unknown[] {
  return list(value).map((entry) => object(entry)[name]);
}

function hostText(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`;
}
