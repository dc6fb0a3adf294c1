import { isDeepStrictEqual } from 'node:util';
import { type Attribute, type Attributes, cloudName } from '../../../cloud/table/row.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { type ObjectValue, sameValue, type Value } from '../value.js';
import { hiddenTags, toProperty } from './state-conversion.js';

/** An operation of a JSON patch (RFC 6902); to remove a property takes no value. */
export type PatchOperation = {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: Json;
};

/**
 * The patch that the genuine provider sends, by whole top-level properties. It starts from the prior
 * state, except that sets are compared with what the cloud has now: a set that the plan leaves open
 * and the cloud has filled is removed.
 */
export function makePatch(
  attributes: Attributes,
  prior: ObjectValue,
  planned: ObjectValue,
  remote: JsonObject,
): PatchOperation[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    if (attribute.mode === 'computed') return [];
    const property = cloudName(name, attribute);
    const before = prior[name] ?? null;
    const after = planned[name] ?? null;
    if (attribute.writeOnly) return writeOnlyPatch(property, attribute, before, after);
    const isSet = attribute.is.startsWith('set');
    const isRemote = isSet && Object.hasOwn(remote, property);
    const current = isRemote ? visible(attribute, remote[property]) : toProperty(attribute, before);
    const wanted = toProperty(attribute, after);
    return operationsOn(
      property,
      nonEmpty(current),
      name === 'tags' ? withHiddenTags(wanted, remote) : wanted,
      isSet,
    );
  });
}

/** What is never read back is sent where it changes, unless it is fixed at creation. */
function writeOnlyPatch(property: string, attribute: Attribute, before: Value, after: Value) {
  if (attribute.replaces || sameValue(attribute, before, after)) return [];
  return operationsOn(property, undefined, toProperty(attribute, after), false);
}

function operationsOn(
  property: string,
  current: Json | undefined,
  wanted: Json | undefined,
  isSet: boolean,
): PatchOperation[] {
  const path = `/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const isSame = isSet
    ? isDeepStrictEqual(inOrder(current), inOrder(wanted))
    : isDeepStrictEqual(current, wanted);
  if (isSame) return [];
  if (wanted === undefined) return [{ op: 'remove', path }];
  return [{ op: current === undefined ? 'add' : 'replace', path, value: wanted }];
}

/** A property without the members of its objects that the provider's schema does not have. */
function visible(attribute: Attribute, json: Json | undefined): Json | undefined {
  const { of } = attribute;
  if (of === undefined || !Array.isArray(json)) return json;
  const names = Object.entries(of).map(([name, member]) => cloudName(name, member));
  return json.map((member) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).filter(([name]) => names.includes(name)))
      : member,
  );
}

function nonEmpty(json: Json | undefined): Json | undefined {
  return json === null || (Array.isArray(json) && json.length === 0) ? undefined : json;
}

function inOrder(json: Json | undefined): unknown {
  return Array.isArray(json) ? json.map(sortedText).sort() : json;
}

function sortedText(json: Json): string {
  const entries = isObject(json) ? Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)) : json;
  return JSON.stringify(entries);
}

/** The cloud's own tags are invisible to Terraform and have to survive the replacement of the others. */
function withHiddenTags(value: Json | undefined, remote: JsonObject): Json | undefined {
  const hidden = hiddenTags(remote.Tags);
  if (hidden.length === 0) return value;
  return [...(Array.isArray(value) ? value : []), ...hidden];
}
