import type { Attribute, Attributes } from '../../cloud/table/row.js';
import type { PathStep } from './stand-in-provider.js';
import {
  isArray,
  isObject,
  mapAttributes,
  type ObjectValue,
  sameValue,
  UNKNOWN,
  type Value,
} from './value.js';

export interface Plan {
  readonly planned: ObjectValue;
  readonly requiresReplace: readonly (readonly PathStep[])[];
}

interface PlanInput {
  /** Null at a create. */
  readonly prior: ObjectValue | null;
  /** Terraform's merge of the configuration with what the prior state had computed. */
  readonly proposed: ObjectValue;
  readonly config: ObjectValue;
}

/** Plans in the four steps of the genuine provider's framework, its traps included. */
export function planChange(attributes: Attributes, { prior, proposed, config }: PlanInput): Plan {
  const defaulted = applyDefaults(attributes, proposed, config);
  const isSame = prior !== null && sameValue(objectAttribute(attributes), prior, defaulted);
  const marked = isSame ? defaulted : markUnknown(attributes, defaulted, config);
  const planned = useState(attributes, marked, prior ?? {}, config);
  const requiresReplace = prior === null ? [] : replacing(attributes, { prior, planned, config });
  return { planned, requiresReplace };
}

/**
 * The provider's own defaults, where the configuration has nothing. A member of a set that differs
 * from every configured member counts as having nothing.
 */
function applyDefaults(
  attributes: Attributes,
  planned: ObjectValue,
  config: ObjectValue | undefined,
): ObjectValue {
  return mapAttributes(attributes, (name, attribute) => {
    const given = config?.[name] ?? null;
    if (given === null && attribute.default !== undefined) return attribute.default;
    return mapMembers(attribute, planned[name] ?? null, (of, member, index) =>
      applyDefaults(of, member, memberAt(attribute, given, member, index)),
    );
  });
}

/** Marks values that the configuration leaves open as unknown, in members that are as configured. */
function markUnknown(
  attributes: Attributes,
  planned: ObjectValue,
  config: ObjectValue,
): ObjectValue {
  return mapAttributes(attributes, (name, attribute) => {
    const given = config[name] ?? null;
    const value = planned[name] ?? null;
    if (given === null) {
      return isComputed(attribute) && attribute.default === undefined ? UNKNOWN : value;
    }
    return mapMembers(attribute, value, (of, member, index) => {
      const configured = memberAt(attribute, given, member, index);
      return configured === undefined ? member : markUnknown(of, member, configured);
    });
  });
}

/** Gives unknown values their prior value: in a set, that of the member with the same index. */
function useState(
  attributes: Attributes,
  planned: ObjectValue,
  prior: ObjectValue,
  config: ObjectValue,
): ObjectValue {
  return mapAttributes(attributes, (name, attribute) => {
    const before = prior[name] ?? null;
    const given = config[name] ?? null;
    const value = planned[name] ?? null;
    const isKept =
      value === UNKNOWN && given !== UNKNOWN && before !== null && isComputed(attribute);
    return mapMembers(attribute, isKept ? before : value, (of, member, index) =>
      useState(of, member, memberByIndex(before, index), memberByIndex(given, index)),
    );
  });
}

function replacing(
  attributes: Attributes,
  { prior, planned, config }: { prior: ObjectValue; planned: ObjectValue; config: ObjectValue },
): (readonly PathStep[])[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const [before, after, given] = [prior, planned, config].map((value) => value[name] ?? null);
    const isChanged = !sameValue(attribute, before ?? null, after ?? null);
    const applies = attribute.mode !== 'optional-computed' || given !== null;
    if (attribute.replaces && isChanged && applies) return [[name]];
    if (attribute.of === undefined || !isObject(after)) return [];
    const inside = {
      prior: isObject(before) ? before : {},
      planned: after,
      config: isObject(given) ? given : {},
    };
    return replacing(attribute.of, inside).map((path) => [name, ...path]);
  });
}

function isComputed({ mode }: Attribute): boolean {
  return mode === 'computed' || mode === 'optional-computed';
}

function objectAttribute(of: Attributes): Attribute {
  return { is: 'object', mode: 'required', of };
}

/** A value with its nested objects replaced; anything else as it is. */
function mapMembers(
  { of }: Attribute,
  value: Value,
  map: (of: Attributes, member: ObjectValue, index: number) => Value,
): Value {
  if (of === undefined) return value;
  if (isObject(value)) return map(of, value, 0);
  if (!isArray(value)) return value;
  return value.map((member, index) => (isObject(member) ? map(of, member, index) : member));
}

/** The configured member at a member's place: a set finds it by its whole value. */
function memberAt(
  { is, of = {} }: Attribute,
  config: Value,
  member: ObjectValue,
  index: number,
): ObjectValue | undefined {
  if (isObject(config)) return config;
  if (!isArray(config)) return undefined;
  const found =
    is === 'set(object)'
      ? config.find((one) => sameValue(objectAttribute(of), one, member))
      : config[index];
  return isObject(found) ? found : undefined;
}

function memberByIndex(value: Value, index: number): ObjectValue {
  const found = isArray(value) ? value[index] : value;
  return isObject(found) ? found : {};
}
