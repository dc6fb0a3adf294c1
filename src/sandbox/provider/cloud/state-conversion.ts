import { isDeepStrictEqual } from 'node:util';
import { type Attribute, type Attributes, cloudName } from '../../../cloud/table/row.js';
import { isObject as isJsonObject, type Json, type JsonObject, readText } from '../../json.js';
import {
  isArray,
  isObject,
  mapAttributes,
  type ObjectValue,
  sameValue,
  UNKNOWN,
  type Value,
} from '../value.js';

/** Returns the properties to request: all that can be set and are known; empty values are left out. */
export function toProperties(attributes: Attributes, value: ObjectValue): JsonObject {
  const properties: Record<string, Json> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.mode === 'computed') continue;
    const property = toProperty(attribute, value[name] ?? null);
    if (property !== undefined) properties[cloudName(name, attribute)] = property;
  }
  return properties;
}

/** One value as the cloud's API writes it; undefined where there is nothing to send. */
function toProperty(attribute: Attribute, value: Value): Json | undefined {
  if (value === null || value === UNKNOWN) return undefined;
  if (isArray(value)) {
    const members = value.map((member) => toMember(attribute, member));
    return nonEmpty(members.filter((member) => member !== undefined));
  }
  return toMember(attribute, value);
}

function toMember(attribute: Attribute, value: Value): Json | undefined {
  if (value === null || value === UNKNOWN) return undefined;
  if (attribute.is === 'number' || typeof value === 'bigint') return Number(value);
  if (!isObject(value)) return isArray(value) ? undefined : value;
  if (attribute.of !== undefined) return nonEmpty(toProperties(attribute.of, value));
  const isText = (entry: [string, Value]): entry is [string, string] =>
    typeof entry[1] === 'string';
  return nonEmpty(Object.fromEntries(Object.entries(value).filter(isText)));
}

function nonEmpty<T extends Json>(json: T): T | undefined {
  return Object.keys(json ?? {}).length === 0 ? undefined : json;
}

/**
 * The cloud's properties as a complete state; an absent or empty property is null.
 *
 * @throws TypeError when a property has another type than the table says
 */
export function fromProperties(attributes: Attributes, properties: JsonObject): ObjectValue {
  return mapAttributes(attributes, (name, attribute) => {
    const property = cloudName(name, attribute);
    const json = properties[property] ?? null;
    const isTags = name === 'tags' && Array.isArray(json);
    return fromProperty(
      attribute,
      isTags ? json.filter((tag) => !isHiddenTag(tag)) : json,
      property,
    );
  });
}

function fromProperty(attribute: Attribute, json: Json, property: string): Value {
  if (json === null) return null;
  if (attribute.is.startsWith('set') || attribute.is.startsWith('list')) {
    if (!Array.isArray(json)) throw mismatch(attribute, property);
    return json.length === 0 ? null : json.map((member) => fromMember(attribute, member, property));
  }
  return fromMember(attribute, json, property);
}

function fromMember(attribute: Attribute, json: Json, property: string): Value {
  const is = attribute.is.replace(/^(?:set|list)\((\w+)\)$/, '$1');
  if (is === 'object' && isJsonObject(json)) return fromProperties(attribute.of ?? {}, json);
  if (is === 'map(string)' && isJsonObject(json)) return json as ObjectValue;
  if (is === 'string' && typeof json === 'string') return json;
  if (is === 'number' && typeof json === 'number') return json;
  if (is === 'bool' && typeof json === 'boolean') return json;
  throw mismatch(attribute, property);
}

function mismatch(attribute: Attribute, property: string): TypeError {
  return new TypeError(`The cloud's property ${property} is not of the type ${attribute.is}.`);
}

/** Tags that the cloud sets for itself; they are no part of the state. */
function isHiddenTag(tag: Json): boolean {
  return isJsonObject(tag) && /^(sys|volc):/.test(readText(tag, 'Key'));
}

/** An operation of a JSON patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

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
      presentValue(current),
      name === 'tags' ? withHiddenTags(wanted, remote) : wanted,
      isSet,
    );
  });
}

/** Sends a write-only value if it changes, unless it is fixed at creation. */
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
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).filter(([name]) => names.includes(name)))
      : member,
  );
}

function presentValue(json: Json | undefined): Json | undefined {
  return json === null || (Array.isArray(json) && json.length === 0) ? undefined : json;
}

function inOrder(json: Json | undefined): unknown {
  return Array.isArray(json) ? json.map(sortedText).sort() : json;
}

function sortedText(json: Json): string {
  const entries = isJsonObject(json)
    ? Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1))
    : json;
  return JSON.stringify(entries);
}

/** The cloud's own tags are invisible to Terraform and have to survive the replacement of the others. */
function withHiddenTags(value: Json | undefined, { Tags: tags }: JsonObject): Json | undefined {
  const hidden = Array.isArray(tags) ? tags.filter(isHiddenTag) : [];
  if (hidden.length === 0) return value;
  return [...(Array.isArray(value) ? value : []), ...hidden];
}
