import { type Attribute, type Attributes, cloudName } from '../../../cloud/table/row.js';
import { isObject as isJsonObject, type Json, type JsonObject, readText } from '../../json.js';
import {
  isArray,
  isObject,
  mapAttributes,
  type ObjectValue,
  UNKNOWN,
  type Value,
} from '../value.js';

/** What the cloud is asked for: everything that can be set and is known; empty values are left out. */
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
export function toProperty(attribute: Attribute, value: Value): Json | undefined {
  if (value === null || value === UNKNOWN) return undefined;
  if (isArray(value)) {
    const members = value.map((member) => toMember(attribute, member));
    return nonEmpty(members.filter((member) => member !== undefined));
  }
  return toMember(attribute, value);
}

function toMember(attribute: Attribute, value: Value): Json | undefined {
  if (value === null || value === UNKNOWN) return undefined;
  if (attribute.is === 'number') return Number(value);
  if (typeof value === 'bigint') return Number(value);
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
    return fromProperty(attribute, name === 'tags' ? visibleTags(json) : json, property);
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
export function hiddenTags(tags: Json | undefined): Json[] {
  return Array.isArray(tags) ? tags.filter(isHiddenTag) : [];
}

function visibleTags(tags: Json): Json {
  return Array.isArray(tags) ? tags.filter((tag) => !isHiddenTag(tag)) : tags;
}

function isHiddenTag(tag: Json): boolean {
  return isJsonObject(tag) && /^(sys|volc):/.test(readText(tag, 'Key'));
}
