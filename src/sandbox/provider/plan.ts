import type { Attribute, Attributes } from '../../cloud/table/row.js';
import {
  isArray,
  isObject,
  mapAttributes,
  type ObjectValue,
  sameValue,
  UNKNOWN,
  type Value,
} from './value.js';

/** A planned state and the attributes whose change replaces the resource. */
export interface Plan {
  readonly planned: ObjectValue;
  readonly requiresReplace: readonly string[];
}

/**
 * Plans a create (`prior` null) or an update. What is configured is planned as configured; what the
 * cloud fills in is unknown at create and keeps its prior value afterwards.
 */
export function planChange(
  attributes: Attributes,
  prior: ObjectValue | null,
  config: ObjectValue,
): Plan {
  const planned = planObject(attributes, prior, config);
  if (prior === null) return { planned, requiresReplace: [] };
  const requiresReplace = Object.entries(attributes)
    .filter(([, attribute]) => attribute.replaces === true)
    .filter(([name, attribute]) => !sameValue(attribute, at(prior, name), at(planned, name)))
    .map(([name]) => name);
  return { planned, requiresReplace };
}

function planObject(
  attributes: Attributes,
  prior: ObjectValue | null,
  config: ObjectValue,
): ObjectValue {
  return mapAttributes(attributes, (name, attribute) =>
    planAttribute(attribute, prior === null ? undefined : at(prior, name), at(config, name)),
  );
}

/** `prior` is undefined where nothing was there before. */
function planAttribute(attribute: Attribute, prior: Value | undefined, config: Value): Value {
  const filledByCloud = attribute.mode === 'computed' || attribute.mode === 'optional-computed';
  if (config === null) return filledByCloud ? keep(prior) : null;
  if (attribute.of === undefined || config === UNKNOWN) return config;
  if (isObject(config)) {
    return planObject(attribute.of, isObject(prior) ? prior : null, config);
  }
  if (!isArray(config)) return config;
  const before = isArray(prior) ? prior : [];
  return attribute.is === 'set(object)'
    ? planSet(attribute.of, before, config)
    : config.map((member, index) => planMember(attribute.of ?? {}, before[index], member));
}

function keep(prior: Value | undefined): Value {
  return prior === undefined ? UNKNOWN : prior;
}

/**
 * A set's members have no position: each configured member takes what the cloud had filled in from
 * the one prior member that agrees with it, the most closely described members choosing first.
 */
function planSet(
  members: Attributes,
  prior: readonly Value[],
  config: readonly Value[],
): readonly Value[] {
  const unclaimed = new Set(prior);
  const claims = new Map<Value, Value>();
  const byDetail = [...config].sort((one, other) => detailOf(other) - detailOf(one));
  for (const member of byDetail) {
    for (const candidate of unclaimed) {
      if (!agrees(members, candidate, member)) continue;
      claims.set(member, candidate);
      unclaimed.delete(candidate);
      break;
    }
  }
  return config.map((member) => planMember(members, claims.get(member), member));
}

function planMember(members: Attributes, prior: Value | undefined, config: Value): Value {
  if (!isObject(config)) return config;
  return planObject(members, isObject(prior) ? prior : null, config);
}

function detailOf(member: Value): number {
  return isObject(member) ? Object.values(member).filter((value) => value !== null).length : 0;
}

function agrees(members: Attributes, prior: Value, config: Value): boolean {
  if (!isObject(prior) || !isObject(config)) return false;
  return Object.entries(members).every(([name, member]) => {
    const before = at(prior, name);
    return sameValue(member, before, planAttribute(member, before, at(config, name)));
  });
}

function at(value: ObjectValue, name: string): Value {
  return value[name] ?? null;
}
