import { findResourceRow } from '../cloud/table/index.js';
import { asTerraform, toName } from '../reach/read/cloud-state.js';
import { type Json, list, object, text } from '../reach/read/json.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import { instanceName, stateAsTerraform } from '../reach/read/state-file.js';
import {
  readTerraform,
  type TerraformStackJson,
  withAnswersOf,
} from '../reach/read/terraform-json.js';
import type { CloudName } from './leads.js';
import { type OpenCloud, readOutward } from './read-outward.js';

/** A stack as the cloud has it, with what others have put beside it. */
export interface LiveStack extends SynthesizedStack {
  /** Parts that were not read, or are not judged, as clauses. */
  readonly unread: readonly string[];
  /** Those of them that are in the state and not in the cloud. */
  readonly gone: readonly string[];
  /** Those of them that the cloud did not tell, or was not asked for. */
  readonly missed: readonly string[];
  /** The objects as the state has them. */
  readonly deployed: TerraformStackJson;
}

/** An object of a state. */
interface Managed extends CloudName {
  readonly type: string;
  readonly name: string;
}

/**
 * Reads from the cloud what a stack's state names, and what else acts on that. Objects of the state
 * keep Terraform's addresses; others are named by their identifiers.
 *
 * @param state as `terraform state pull` prints it
 * @throws Error where the network fails, or the cloud refuses every call
 */
export async function readLiveStack(
  cloud: OpenCloud,
  stack: SynthesizedStack,
  state: Json,
  maxReads: number,
): Promise<LiveStack> {
  const [managed, deployed] = [managedObjects(state), stateAsTerraform(state)];
  const read = await readOutward(cloud, managed, maxReads);
  const names = new Map(managed.map(({ identifier, name }) => [identifier, name]));
  const nameOf = (identifier: string) => names.get(identifier) ?? toName(identifier);
  const terraform = readTerraform({ resource: asTerraform(read, nameOf) });
  const addresses = new Map(managed.map((one) => [one.identifier, `${one.type}.${one.name}`]));
  const isOwn = ({ identifier }: CloudName) => addresses.has(identifier);
  const lost = (own: boolean) =>
    read.gone.filter((one) => isOwn(one) === own).map((one) => describeGone(one, addresses));
  const [gone, missed] = [lost(true), [...lost(false), ...read.unread]];
  return {
    ...stack,
    terraform: withAnswersOf(deployed, { ...terraform, outputs: stack.terraform.outputs }),
    unread: [...gone, ...describeUnjudged(terraform), ...missed],
    gone,
    missed,
    deployed,
  };
}

/** Returns the objects of the cloud that a state holds. */
export function managedObjects(state: Json): Managed[] {
  return list(state.resources).flatMap(readManaged);
}

function readManaged(resource: unknown): Managed[] {
  const { mode, type, name, instances } = object(resource);
  const cloudType = findResourceRow(text(type))?.cloudType;
  if (mode !== 'managed' || cloudType === undefined) return [];
  return list(instances).flatMap((instance) => {
    const { index_key: key, attributes, deposed } = object(instance);
    const identifier = text(object(attributes).id);
    if (identifier === '' || deposed !== undefined) return [];
    return [{ cloudType, identifier, type: text(type), name: instanceName(text(name), key) }];
  });
}

function describeGone(
  { cloudType, identifier }: CloudName,
  addresses: ReadonlyMap<string, string>,
) {
  const address = addresses.get(identifier);
  return address === undefined
    ? `${cloudType} ${identifier}: it is referred to and does not exist`
    : `${address}: ${identifier} is in the state and no longer in the cloud`;
}

/** Describes parts that act on packets and are read, but not judged. */
function describeUnjudged({ resources }: TerraformStackJson): string[] {
  return resources.flatMap(({ type, address, body }) => {
    if (type === 'volcenginecc_vpc_route_table') {
      const routes = list(body.custom_route_entries).map((route) => {
        const { destination_cidr_block: to, next_hop_type: kind, next_hop_id: hop } = object(route);
        return `${text(to)} to ${text(kind)} ${text(hop)}`;
      });
      return routes.length === 0
        ? []
        : [`${address}: its routes are not judged: ${routes.join(', ')}`];
    }
    if (type === 'volcenginecc_clb_rule') {
      return [`${address}: a rule of layer 7 is not judged: ${text(body.domain)}${text(body.url)}`];
    }
    if (type === 'volcenginecc_vpc_network_acl') {
      return [`${address}: a network ACL also decides on replies, which are not judged`];
    }
    return [];
  });
}
