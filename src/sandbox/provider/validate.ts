import type { Attribute, Attributes } from '../../cloud/table/row.js';
import { type Diagnostic, error, type PathStep } from './stand-in-provider.js';
import { isArray, isObject, type ObjectValue, UNKNOWN, type Value } from './value.js';

/** The place of a value: what can be pointed at, and in words. A set's members have no path. */
interface Place {
  readonly path: readonly PathStep[];
  readonly pointable: boolean;
  readonly words: string;
}

/**
 * Checks a configuration against what the genuine provider checks: missing members and the limits
 * that are not only documented. Unknown values are skipped.
 */
export function validate(attributes: Attributes, config: ObjectValue): Diagnostic[] {
  return validateObject(attributes, config, { path: [], pointable: true, words: '' });
}

function validateObject(attributes: Attributes, value: ObjectValue, place: Place): Diagnostic[] {
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    validateValue(attribute, value[name] ?? null, memberPlace(place, name)),
  );
}

function validateValue(attribute: Attribute, value: Value, place: Place): Diagnostic[] {
  if (value === UNKNOWN) return [];
  const { mandatory, mode } = attribute;
  if (value === null) {
    return mandatory || mode === 'required' ? [broken(place, 'must be set', value)] : [];
  }
  if (isArray(value)) {
    return [...validateCount(attribute, value, place), ...validateMembers(attribute, value, place)];
  }
  if (!isObject(value)) return validateScalar(attribute, value, place);
  return attribute.of === undefined ? [] : validateObject(attribute.of, value, place);
}

function validateCount(attribute: Attribute, value: readonly Value[], place: Place): Diagnostic[] {
  const { items, documented } = attribute;
  if (items === undefined || documented || within(items, value.length)) return [];
  return [broken(place, `must have ${items[0]} to ${items[1]} members`, value.length)];
}

function validateMembers(
  attribute: Attribute,
  value: readonly Value[],
  place: Place,
): Diagnostic[] {
  const isList = attribute.is.startsWith('list');
  return value.flatMap((member, index) => {
    const words = isList ? `${place.words}[${index}]` : place.words;
    const path = isList && place.pointable ? [...place.path, index] : place.path;
    const at = { path, pointable: isList && place.pointable, words };
    if (isObject(member)) return validateObject(attribute.of ?? {}, member, at);
    return member === UNKNOWN || member === null ? [] : validateScalar(attribute, member, at);
  });
}

function validateScalar(attribute: Attribute, value: Value, place: Place): Diagnostic[] {
  const found: Diagnostic[] = [];
  const { oneOf, range, length } = attribute.documented ? {} : attribute;
  const isWhole = typeof value !== 'number' || Number.isInteger(value);
  if (attribute.is === 'number' && !attribute.fraction && !isWhole) {
    found.push(broken(place, 'must be an integer', value));
  }
  if (oneOf !== undefined && !oneOf.some((allowed) => allowed === value)) {
    found.push(broken(place, `must be one of ${oneOf.join(', ')}`, value));
  }
  if (range !== undefined && typeof value === 'number' && !within(range, value)) {
    found.push(broken(place, `must be from ${range[0]} to ${range[1]}`, value));
  }
  const isText = typeof value === 'string';
  if (length !== undefined && isText && !within(length, Buffer.byteLength(value))) {
    found.push(broken(place, `must have ${length[0]} to ${length[1]} bytes`, value));
  }
  if (!attribute.sensitive) return found;
  return found.map((each) => ({ ...each, detail: `\`${place.words}\` is not valid.` }));
}

function within([least, most]: readonly [number, number], count: number): boolean {
  return count >= least && count <= most;
}

function memberPlace(place: Place, name: string): Place {
  const words = place.words === '' ? name : `${place.words}.${name}`;
  return place.pointable ? { ...place, path: [...place.path, name], words } : { ...place, words };
}

function broken(place: Place, rule: string, value: Value): Diagnostic {
  const got = value === null ? 'nothing' : JSON.stringify(value);
  return error('Invalid attribute value', `\`${place.words}\` ${rule}, got: ${got}`, place.path);
}
