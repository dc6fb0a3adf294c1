import { cloudName } from '../../cloud/table/cloud-name.js';
import type { Attributes } from '../../cloud/table/row.js';
import {
  hiddenTags,
  isJsonArray,
  type Json,
  type JsonObject,
  toProperty,
} from './state-conversion.js';
import { type ObjectValue, sameValue } from './value.js';

/** An operation of a JSON patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** The patch that takes the cloud's current properties to the plan, by whole top-level properties. */
export function patchOf(
  attributes: Attributes,
  prior: ObjectValue,
  planned: ObjectValue,
  current: JsonObject,
): PatchOperation[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const wanted = planned[name] ?? null;
    if (attribute.mode === 'computed' || sameValue(attribute, prior[name] ?? null, wanted))
      return [];
    const property = cloudName(name, attribute);
    return operationOf(
      property,
      withHiddenTags(name, toProperty(attribute, wanted), current),
      current,
    );
  });
}

function operationOf(
  property: string,
  value: Json | undefined,
  current: JsonObject,
): PatchOperation[] {
  const path = `/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const present = Object.hasOwn(current, property);
  if (value !== undefined) return [{ op: present ? 'replace' : 'add', path, value }];
  return present ? [{ op: 'remove', path }] : [];
}

/** The cloud's own tags are invisible to Terraform and have to survive the replacement of the others. */
function withHiddenTags(
  name: string,
  value: Json | undefined,
  current: JsonObject,
): Json | undefined {
  const hidden = name === 'tags' ? hiddenTags(current.Tags) : [];
  if (hidden.length === 0) return value;
  return [...(isJsonArray(value) ? value : []), ...hidden];
}
