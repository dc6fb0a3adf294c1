import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json.js';
import { propertiesOf } from './check-properties.js';
import { CloudError } from './cloud-error.js';
import type { CloudScope, CloudType } from './cloud-type.js';

/** What a client reads: everything but the write-only properties. */
export function readableProperties(
  type: CloudType,
  stored: JsonObject,
  cloud: CloudScope,
): JsonObject {
  const properties = { ...stored, ...type.read?.(stored, cloud) };
  for (const [name, { writeOnly }] of propertiesOf(type.row.attributes)) {
    if (writeOnly) delete properties[name];
  }
  return properties;
}

/** What a client may write, in the order in which it is read: patches address members by index. */
export function writableProperties(type: CloudType, properties: JsonObject): JsonObject {
  const known = propertiesOf(type.row.attributes);
  const kept = Object.entries(properties).filter(([name]) => known.get(name)?.mode !== 'computed');
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const hidden = type.readOnlyMembers?.[name];
      if (hidden === undefined || !Array.isArray(value)) return [name, value];
      return [name, value.map((member) => (isObject(member) ? without(member, hidden) : member))];
    }),
  );
}

/**
 * A patch without the removals of read-only properties, and without anything about read-only sets:
 * the provider compares those with its own state, which may be older. They have no effect.
 */
export function effectivePatch(type: CloudType, patch: unknown): unknown {
  if (!Array.isArray(patch)) return patch;
  const known = propertiesOf(type.row.attributes);
  return patch.filter((operation: unknown) => {
    if (!isObject(operation)) return true;
    const attribute = known.get(String(operation.path).split('/')[1] ?? '');
    if (attribute?.mode !== 'computed') return true;
    return operation.op !== 'remove' && !attribute.is.startsWith('set');
  });
}

/** @throws CloudError where an update changes what is fixed at creation */
export function checkCreateOnly(type: CloudType, before: JsonObject, after: JsonObject): void {
  for (const [name, { replaces }] of propertiesOf(type.row.attributes)) {
    if (replaces && after[name] !== undefined && !isDeepStrictEqual(before[name], after[name])) {
      throw new CloudError('NotUpdatable', `\`${name}\` can only be given at creation`);
    }
  }
}

function without(member: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(member).filter(([name]) => !names.includes(name)));
}
