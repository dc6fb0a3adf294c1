import { createHash } from 'node:crypto';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpoint,
} from '../../cloud/table/privatelink.js';
import { type Attributes, cloudName } from '../../cloud/table/row.js';
import { vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../cloud/table/vpc.js';
import type { CloudFaultName } from '../faults/cloud-faults.js';
import { isObject, type Json, type JsonObject, readText } from '../json.js';
import { CloudError } from './cloud-error.js';
import { type CloudState, findResource, type TaskRequest } from './cloud-state.js';

const BUSY_MS = 10_000;
const SLOW_MS: Readonly<Record<string, number>> = {
  [privatelinkVpcEndpoint.cloudType]: 15_000,
  [privatelinkEndpointService.cloudType]: 29_000,
};

export interface TemperOptions {
  /** Decides the order in which sets are read. @default 1 */
  readonly seed?: number;
  /** The part of the time of slow objects that passes. @default 1 */
  readonly pace?: number;
}

/** The cloud's behaviour under the faults of its own. */
export class Temper {
  readonly #has: (fault: CloudFaultName) => boolean;
  readonly #options: TemperOptions;
  readonly #tried = new Set<string>();

  constructor(has: (fault: CloudFaultName) => boolean, options: TemperOptions = {}) {
    this.#has = has;
    this.#options = options;
  }

  /** @throws CloudError where the cloud is busy with something else */
  admit(state: CloudState, { operation, typeName, target }: TaskRequest, input: JsonObject): void {
    const isNewGroup = operation === 'CREATE' && typeName === vpcSecurityGroup.cloudType;
    const write = `${operation} ${typeName} ${target ?? JSON.stringify(input)}`;
    const isBusy =
      (this.#has('cloud-busy') && isNewGroup && isUnfinished(state, readText(input, 'VpcId'))) ||
      (this.#has('cloud-busy-once') && isNewGroup && this.#isFirst('group')) ||
      (this.#has('cloud-busy-writes') && this.#isFirst(write));
    if (!isBusy) return;
    const rule = 'The operation conflicts with another one under way. Try again later.';
    throw new CloudError('InvalidOperation.Conflict', rule, 409);
  }

  /** The time that a task takes. */
  milliseconds({ operation, typeName }: TaskRequest): number {
    if (operation !== 'CREATE' || !this.#has('slow-objects')) return 0;
    return (SLOW_MS[typeName] ?? 0) * (this.#options.pace ?? 1);
  }

  /** Returns what a client reads of properties. */
  read(attributes: Attributes, properties: JsonObject): JsonObject {
    const isPlain = !this.#has('sets-reordered') && !this.#has('empty-reads-null');
    return isPlain ? properties : this.#readSets(attributes, properties);
  }

  #readSets(attributes: Attributes, properties: JsonObject): JsonObject {
    const read = { ...properties };
    for (const [name, attribute] of Object.entries(attributes)) {
      const property = cloudName(name, attribute);
      const value = properties[property];
      if (!Array.isArray(value) || !attribute.is.startsWith('set')) continue;
      const { of = {} } = attribute;
      const members = value.map((one) => (isObject(one) ? this.#readSets(of, one) : one));
      if (members.length === 0 && this.#has('empty-reads-null')) delete read[property];
      else read[property] = this.#has('sets-reordered') ? this.#reorder(members) : members;
    }
    return read;
  }

  /** Another order of a set, the same as long as the set is. */
  #reorder(members: Json[]): Json[] {
    const { seed = 1 } = this.#options;
    const place = (member: Json) =>
      createHash('sha256')
        .update(`${seed} ${JSON.stringify(member)}`)
        .digest('hex');
    const sorted = members.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    const isSame = sorted.every((member, index) => member === members[index]);
    return isSame ? sorted.reverse() : sorted;
  }

  #isFirst(write: string): boolean {
    const isFirst = !this.#tried.has(write);
    this.#tried.add(write);
    return isFirst;
  }
}

/** Tells whether a VPC is new and its subnets are not made. */
function isUnfinished(state: CloudState, vpcId: string): boolean {
  const made = Date.parse(readText(findResource(state, vpcVpc, vpcId) ?? {}, 'CreationTime'));
  if (!(Date.now() - made < BUSY_MS)) return false;
  const { cloudType } = vpcSubnet;
  const subnets = Object.entries(state.resources[cloudType] ?? {})
    .filter(([, subnet]) => subnet.VpcId === vpcId)
    .map(([id]) => id);
  const isPending = (id: string) =>
    Object.values(state.tasks).some(
      ({ typeName, identifier, polls }) => typeName === cloudType && identifier === id && polls > 0,
    );
  return subnets.length === 0 || subnets.some(isPending);
}
