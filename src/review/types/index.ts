/**
 * A review's knowledge of each resource type, a file for each service of the cloud: its name, what it
 * interrupts, and how each attribute is read: as packets, compared as a fact, harmless, or unread.
 */

import { remember } from '../../lists/remember.js';
import { typeOf } from '../../reach/read/address.js';
import type { TerraformResource } from '../../reach/read/terraform-json.js';
import { CLB_TYPES } from './clb.js';
import { FWCENTER_TYPES } from './fwcenter.js';
import { PRIVATELINK_TYPES } from './privatelink.js';
import { PRIVATEZONE_TYPES } from './privatezone.js';
import { guard, type ReviewedType, type TypeModel } from './reviewed-type.js';
import { VPC_TYPES } from './vpc.js';

const TYPES: ReadonlyMap<string, ReviewedType> = new Map(
  [CLB_TYPES, FWCENTER_TYPES, PRIVATELINK_TYPES, PRIVATEZONE_TYPES, VPC_TYPES].flatMap((types) =>
    Object.entries<ReviewedType>(types),
  ),
);

const DATA_SOURCES: ReadonlyMap<string, TypeModel> = new Map([
  [
    'volcenginecc_privatelink_vpc_endpoint_connection',
    {
      access: [],
      facts: { id: guard('the owner of another connection is looked at') },
      harmless: {},
    },
  ],
]);

/** @param type Terraform's name of a type of resources */
export function findType(type: string): ReviewedType | undefined {
  return TYPES.get(type);
}

/** Returns how a type is read; undefined where all of it is unread, or a reader of its own reads it. */
export function findModel({
  kind,
  type,
}: Pick<TerraformResource, 'kind' | 'type'>): TypeModel | undefined {
  return kind === 'data' ? DATA_SOURCES.get(type) : findType(type)?.model;
}

/** Tells whether an attribute is known to decide nothing about who reaches whom. */
export function isHarmless(resource: TerraformResource, attribute: string): boolean {
  const model = findModel(resource);
  return model !== undefined && harmlessOf(model).has(attribute);
}

const harmlessOf = remember(({ harmless }: TypeModel) => new Set(Object.values(harmless).flat()));

/** Returns what a reader calls a resource; the address itself where it has no common name. */
export function nameResource(address: string): string {
  // Links have names of their own, and a row about all of a stack says so.
  if (address === 'output.connectivity' || address === 'stack') return '';
  return findType(typeOf(address))?.name ?? address;
}
