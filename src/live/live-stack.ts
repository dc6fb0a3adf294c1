import { findResourceRow, RESOURCE_ROWS } from '../cloud/table/index.js';
import { READ_ONLY_ROWS } from '../cloud/table/read-only.js';
import { identifierReference } from '../reach/read/address.js';
import { asTerraform, type FoundCloud, type Told, toName } from '../reach/read/cloud-state.js';
import { type Json, list, text } from '../reach/read/json.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import { managedInstances, stateAsTerraform } from '../reach/read/state-file.js';
import type { Known } from '../reach/read/state-references.js';
import {
  references,
  stackWith,
  type TerraformResource,
  type TerraformStackJson,
} from '../reach/read/terraform-json.js';
import { endpointChanges } from './endpoint-changes.js';
import { type CloudName, foldInterfaces } from './leads.js';
import { type OpenCloud, type ReadObjects, readOutward } from './read-outward.js';
import { hostsOf, strangeAnswers } from './strange-answers.js';
import { describeUnjudged } from './unjudged.js';

/** A stack as the cloud has it, and what else was read there. */
export interface LiveStack extends FoundCloud {
  /** Parts that were not read, or are not judged, as clauses. */
  readonly unread: readonly string[];
  /** Those of them that were read and act on packets in a way that is not judged. */
  readonly unjudged: readonly string[];
  /** The same with each interface, also those that are guarded alike. */
  readonly whole: TerraformStackJson;
  /** Returns the identifier of the object at an address; the address where there is none. */
  readonly idOf: (address: string) => string;
}

/** An object of a state. */
type Managed = CloudName & Known;

/**
 * Reads from the cloud what a stack's state names, and what else acts on that. Objects of the state
 * keep Terraform's addresses; others are named by their identifiers.
 *
 * @param state as `terraform state pull` prints it
 * @param others the states of other stacks, whose objects are Terraform's as well
 * @throws Error where the network fails, or the cloud refuses every call
 */
export async function readLiveStack(
  cloud: OpenCloud,
  stack: SynthesizedStack,
  state: Json,
  maxReads: number,
  others: readonly Json[] = [],
): Promise<LiveStack> {
  const managed = new Map(managedObjects(state).map((one) => [keyOf(one), one]));
  const read = await readOutward(cloud, [...managed.values()], maxReads);
  const isOwn = (one: CloudName) => managed.has(keyOf(one));
  const addressOf = (one: CloudName) => managed.get(keyOf(one))?.address ?? addressIn(one);
  const gone = read.gone.filter(isOwn).map((one) => ({
    address: addressOf(one),
    clause: `${one.identifier} is in the state and no longer in the cloud`,
  }));
  const dangling = read.gone
    .filter((one) => !isOwn(one))
    .map((one) => `${keyOf(one)}: it is referred to and does not exist`);
  const missed = [...dangling, ...read.unread];
  const unjudged = describeUnjudged(read, addressOf);
  const { deployed, neighbours } = asDeployed(state, others, read, isOwn);
  const toTerraform = (resources: ReadObjects['resources']) => {
    const found = asTerraform({ resources }, (identifier, cloudType) =>
      addressOf({ cloudType, identifier }),
    );
    return { ...stackWith(found), outputs: stack.terraform.outputs };
  };
  const known = new Set([...managed.values(), ...neighbours].map(({ address }) => address));
  const whole = toTerraform(read.resources);
  const answers = strangeAnswers(whole.resources, known, hostsOf(stack, whole.resources));
  const ids = new Map(
    Object.entries(read.resources).flatMap(([cloudType, all]) =>
      Object.keys(all).map((identifier) => [addressOf({ cloudType, identifier }), identifier]),
    ),
  );
  const found = { ...stack, terraform: toTerraform(foldInterfaces(read.resources)) };
  return {
    ...found,
    unread: [...[...gone, ...answers].map(inWords), ...unjudged, ...missed],
    ...{ gone, missed, unjudged, answers, deployed, neighbours },
    expected: expectedHere({ ...found, deployed, neighbours, gone }),
    changes: endpointChanges(deployed, found.terraform),
    whole,
    idOf: (address) => ids.get(address) ?? address,
  };
}

const keyOf = ({ cloudType, identifier }: CloudName) => `${cloudType} ${identifier}`;

const TYPES = new Map(
  [...RESOURCE_ROWS, ...READ_ONLY_ROWS].map(({ cloudType, type }) => [cloudType, type]),
);

/** The address of an object that is not Terraform's. */
function addressIn({ cloudType, identifier }: CloudName): string {
  return `${TYPES.get(cloudType) ?? cloudType}.${toName(identifier)}`;
}

/**
 * Returns the objects of a state, and of other states those that were read beside it. References lead to
 * the same addresses as in the cloud, to objects of strangers as well.
 */
function asDeployed(
  state: Json,
  others: readonly Json[],
  { resources }: ReadObjects,
  isOwn: (one: CloudName) => boolean,
): Pick<LiveStack, 'deployed' | 'neighbours'> {
  const values = new Map(others.flatMap(managedObjects).map((one) => [keyOf(one), one.values]));
  const beside = Object.entries(resources).flatMap(([cloudType, all]) =>
    Object.keys(all)
      .map((identifier) => ({ cloudType, identifier }))
      .filter((one) => !isOwn(one)),
  );
  const written = beside.map((one) => {
    const attributes = values.get(keyOf(one)) ?? { id: one.identifier };
    const name = toName(one.identifier);
    const type = TYPES.get(one.cloudType) ?? one.cloudType;
    return { mode: 'managed', type, name, instances: [{ attributes }] };
  });
  const all = stateAsTerraform({ ...state, resources: [...list(state.resources), ...written] });
  const strangers = new Map(beside.map((one) => [addressIn(one), keyOf(one)]));
  const keyAt = (address: string) => strangers.get(address);
  return {
    deployed: { ...all, resources: all.resources.filter(({ address }) => !keyAt(address)) },
    neighbours: all.resources.filter(({ address }) => values.has(keyAt(address) ?? '')),
  };
}

/** Returns the objects of the cloud that a state holds. */
export function managedObjects(state: Json): Managed[] {
  return managedInstances(state).flatMap((one) => {
    const cloudType = findResourceRow(one.type)?.cloudType;
    const identifier = text(one.values.id);
    return cloudType === undefined || identifier === '' ? [] : [{ ...one, cloudType, identifier }];
  });
}

export function inWords({ address, clause }: Told): string {
  return `${address}: ${clause}`;
}

const GROUP = 'volcenginecc_vpc_security_group';
const INTERFACE = 'volcenginecc_vpc_eni';
const PLACE = /_(?:vpc_eni|vpc_endpoint|clb_listener)$/;

/**
 * Returns what a state says of the places that a cloud has: with the objects of other stacks beside them and the
 * interfaces of others that carry its groups, which is where its rules act; without places that are gone.
 */
function expectedHere({
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
