import { isDeepStrictEqual } from 'node:util';
import { type Operation, applyPatch as patchInPlace } from 'rfc6902';
import { type Attribute, type Attributes, cloudName, measureText } from '../../cloud/table/row.js';
import { parseAddress } from '../../net/address.js';
import { parseCidr } from '../../net/cidr.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { CloudError, parseOr } from './cloud-error.js';
import type { CloudScope, CloudType } from './cloud-type.js';

/** Table attributes by the name that the cloud's API gives them. */
function namedProperties(attributes: Attributes): Map<string, Attribute> {
  return new Map(
    Object.entries(attributes)
      .filter(([name]) => name !== 'id')
      .map(([name, attribute]) => [cloudName(name, attribute), attribute]),
  );
}

/**
 * Checks a resource's properties, as a client gives them, against the table.
 *
 * @param path names the object in messages: '' for the resource itself
 * @throws CloudError for an unknown, missing, read-only, wrong-typed or unacceptable property
 */
export function checkProperties(input: JsonObject, attributes: Attributes, path = ''): void {
  const known = namedProperties(attributes);
  for (const [name, value] of Object.entries(input)) {
    const attribute = known.get(name);
    if (attribute === undefined) throw refused(`${path}${name}`, 'is not a property');
    if (attribute.mode === 'computed') throw refused(`${path}${name}`, 'is read-only');
    checkValue(value, attribute, `${path}${name}`);
  }
  for (const [name, { mode, mandatory }] of known) {
    const missing = input[name] === undefined && (mode === 'required' || mandatory);
    if (missing) throw new CloudError('MissingProperty', `\`${path}${name}\` is required`);
  }
}

function checkValue(value: Json, attribute: Attribute, path: string): void {
  switch (attribute.is) {
    case 'string':
      if (typeof value !== 'string') throw wrongType(path, 'a string', value);
      checkText(value, attribute, path);
      break;
    case 'number':
      if (!Number.isInteger(value)) throw wrongType(path, 'an integer', value);
      checkRange(Number(value), attribute.range, path);
      break;
    case 'bool':
      if (typeof value !== 'boolean') throw wrongType(path, 'a boolean', value);
      break;
    case 'object':
    case 'map(string)':
      if (!isObject(value)) throw wrongType(path, 'an object', value);
      if (attribute.of) checkProperties(value, attribute.of, `${path}/`);
      break;
    default:
      checkItems(value, attribute, path);
  }
  checkOneOf(value, attribute, path);
}

function checkItems(value: Json, attribute: Attribute, path: string): void {
  if (!Array.isArray(value)) throw wrongType(path, 'an array', value);
  checkRange(value.length, attribute.items, `${path} (items)`);
  const scalar = attribute.is === 'set(number)' ? 'number' : 'string';
  const item: Attribute = { ...attribute, is: attribute.of ? 'object' : scalar };
  for (const [index, member] of value.entries()) checkValue(member, item, `${path}/${index}`);
  const distinct = new Set(value.map((member) => JSON.stringify(member)));
  if (attribute.is.startsWith('set') && distinct.size < value.length) {
    throw refused(path, 'has the same member twice');
  }
}

function checkText(value: string, attribute: Attribute, path: string): void {
  const { size, unit } = measureText(attribute, value);
  checkRange(size, attribute.length, `${path} (${unit})`);
  if (value === '') return;
  const refuse = (rule: string) => refused(path, `${rule}, got: "${value}"`);
  if (attribute.text === 'cidr') parseOr(parseCidr, value, refuse);
  if (attribute.text === 'address') parseOr(parseAddress, value, refuse);
}

function checkRange(value: number, range: readonly [number, number] | undefined, path: string) {
  if (range && (value < range[0] || value > range[1])) {
    throw refused(path, `must be ${range[0]} to ${range[1]}, got: ${value}`);
  }
}

function checkOneOf(value: Json, { oneOf }: Attribute, path: string): void {
  if (oneOf === undefined || Array.isArray(value)) return;
  if (!oneOf.some((allowed) => allowed === value)) {
    throw refused(path, `must be one of ${oneOf.join(', ')}, got: ${JSON.stringify(value)}`);
  }
}

function wrongType(path: string, kind: string, value: Json): CloudError {
  return refused(path, `must be ${kind}, got: ${JSON.stringify(value)}`);
}

function refused(path: string, rule: string): CloudError {
  return new CloudError('InvalidProperty', `\`${path}\` ${rule}`);
}

/** Returns what a client reads: everything but the write-only properties. */
export function readableProperties(
  type: CloudType,
  stored: JsonObject,
  cloud: CloudScope,
): JsonObject {
  const properties = { ...stored, ...type.read?.(stored, cloud) };
  for (const [name, { writeOnly }] of namedProperties(type.row.attributes)) {
    if (writeOnly) delete properties[name];
  }
  return properties;
}

/**
 * Returns what a client may write, in the order in which it is read: patches address members by index. Of a set
 * of objects, only the cloud fills in what the table does not have.
 */
export function writableProperties(type: CloudType, properties: JsonObject): JsonObject {
  const known = namedProperties(type.row.attributes);
  const kept = Object.entries(properties).filter(([name]) => known.get(name)?.mode !== 'computed');
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const { of } = known.get(name) ?? {};
      if (of === undefined || !Array.isArray(value)) return [name, value];
      return [name, value.map((member) => (isObject(member) ? knownMembers(member, of) : member))];
    }),
  );
}

function knownMembers(member: JsonObject, of: Attributes): JsonObject {
  const known = namedProperties(of);
  return Object.fromEntries(Object.entries(member).filter(([name]) => known.has(name)));
}

/**
 * A patch without the removals of read-only properties, and without anything about read-only sets:
 * the provider compares those with its own state, which may be older. They have no effect.
 */
export function effectivePatch(type: CloudType, patch: unknown): unknown {
  if (!Array.isArray(patch)) return patch;
  const known = namedProperties(type.row.attributes);
  return patch.filter((operation: unknown) => {
    if (!isObject(operation)) return true;
    const attribute = known.get(String(operation.path).split('/')[1] ?? '');
    if (attribute?.mode !== 'computed') return true;
    return operation.op !== 'remove' && !attribute.is.startsWith('set');
  });
}

/** @throws CloudError where an update changes what is fixed at creation */
export function checkCreateOnly(type: CloudType, before: JsonObject, after: JsonObject): void {
  for (const [name, { replaces }] of namedProperties(type.row.attributes)) {
    if (replaces && after[name] !== undefined && !isDeepStrictEqual(before[name], after[name])) {
      throw new CloudError('NotUpdatable', `\`${name}\` can only be given at creation`);
    }
  }
}

/**
 * Applies a JSON Patch (RFC 6902) to a document's members and answers a new document.
 *
 * @throws CloudError `InvalidPatchDocument`; then no operation has had an effect
 */
export function applyPatch(document: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch) || !patch.every(isObject)) {
    throw invalidPatch('must be an array of operations');
  }
  const patched = structuredClone(document);
  // The operations after one that fails are applied too, to a copy that is dropped.
  const failure = failures(patched, patch).find((error) => error !== null);
  if (failure !== undefined) throw invalidPatch(`cannot be applied: ${failure.message}`);
  return patched;
}

function failures(document: JsonObject, patch: JsonObject[]): (Error | null)[] {
  try {
    // The library checks each operation itself.
    return patchInPlace(document, patch as unknown as Operation[]);
  } catch (error) {
    return [error as Error];
  }
}

function invalidPatch(rule: string): CloudError {
  return new CloudError('InvalidPatchDocument', `\`PatchDocument\` ${rule}`);
}
