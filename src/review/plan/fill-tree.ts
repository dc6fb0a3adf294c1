import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../lists/group-by.js';
import { isUnknown, type Json, member, object } from '../../reach/read/json.js';
import type { SynthesizedTree } from '../../reach/read/read-tree.js';
import { resolveStack } from '../../reach/read/resolve.js';
import {
  NO_TERRAFORM,
  type TerraformResource,
  type TerraformStackJson,
} from '../../reach/read/terraform-json.js';
import { ResourceIndex } from '../../reach/rules/reading.js';
import { findModel } from '../types/index.js';

/** A placeholder for a value that is secret or known only after the deploy. */
export const HIDDEN: unique symbol = Symbol('hidden');

export interface PlannedValues {
  /** Attributes by the address of their resource, which has one instance; {@link HIDDEN} within. */
  readonly values: ReadonlyMap<string, Json>;
}

/**
 * The head with planned values in the place of the expressions that a change brings into what is read
 * as packets. What the base has in the same words stays in them: its value is not in a plan.
 *
 * @param base under the addresses of the head
 */
export function fillTree(
  base: SynthesizedTree,
  head: SynthesizedTree,
  plans: ReadonlyMap<string, PlannedValues>,
): SynthesizedTree {
  return new Map(
    [...head].map(([name, stack]) => {
      const plan = plans.get(name);
      if (plan === undefined) return [name, stack];
      const before = base.get(name)?.terraform ?? NO_TERRAFORM;
      return [name, { ...stack, terraform: fillStack(before, stack.terraform, plan) }];
    }),
  );
}

function fillStack(
  before: TerraformStackJson,
  after: TerraformStackJson,
  { values }: PlannedValues,
): TerraformStackJson {
  const was = new Map(resolveStack(before).resources.map((one) => [one.address, one]));
  const index = new ResourceIndex(resolveStack(after).resources);
  const isFollowed = (expression: string) => index.named(expression) !== undefined;
  return { ...after, resources: after.resources.map(fillResource) };

  function fillResource(resource: TerraformResource): TerraformResource {
    const { address, kind, body } = resource;
    const planned = kind === 'resource' ? values.get(address) : undefined;
    const access = findModel(resource)?.access;
    if (planned === undefined || access === undefined) return resource;
    const resolved = object(index.at(address)?.body);
    const filled = access.flatMap((name) => {
      const value = resolved[name];
      const isNew = !isDeepStrictEqual(value, was.get(address)?.body[name]);
      if (!isNew || !holds(value, isUnknown)) return [];
      const one = fillValue(value, planned[name] ?? null, isFollowed);
      return one === undefined ? [] : [[name, one] as const];
    });
    return filled.length === 0
      ? resource
      : { ...resource, body: { ...body, ...Object.fromEntries(filled) } };
  }
}

/** Tells whether an expression stays as it is, because a review follows it to what it names. */
type IsFollowed = (expression: string) => boolean;

/**
 * Returns what is written, with the planned value in the place of each expression that has one. The members of
 * a set are found by what is written of them, since a plan orders them otherwise.
 *
 * @returns undefined where what is planned is not what is written, or not for certain
 */
function fillValue(written: unknown, planned: unknown, isFollowed: IsFollowed): unknown {
  if (planned === HIDDEN || written === null) return written;
  if (isUnknown(written)) {
    return isFollowed(written) || holds(planned, (one) => one === HIDDEN) ? written : planned;
  }
  if (Array.isArray(written)) {
    return Array.isArray(planned) ? fillMembers(written, planned, isFollowed) : undefined;
  }
  if (object(written) !== written) {
    return String(written) === String(planned) ? written : undefined;
  }
  return fillObject(object(written), object(planned), isFollowed);
}

function fillObject(written: Json, planned: Json, isFollowed: IsFollowed): Json | undefined {
  const filled: [string, unknown][] = [];
  for (const [name, value] of Object.entries(written)) {
    const one = fillValue(value, member(planned, name) ?? null, isFollowed);
    if (one === undefined) return undefined;
    filled.push([name, one]);
  }
  return Object.fromEntries(filled);
}

/** Matches members with fewer expressions first: their planned member is certain. */
function fillMembers(
  written: readonly unknown[],
  planned: readonly unknown[],
  isFollowed: IsFollowed,
): unknown[] | undefined {
  const findPlaces = placesIn(planned);
  const members = written.map((member) => ({
    member,
    places: findPlaces(member),
    isFilled: holds(member, (one) => isUnknown(one) && !isFollowed(one)),
    isFollowing: holds(member, (one) => isUnknown(one) && isFollowed(one)),
  }));
  // A followed expression fits several planned members, whose other values must not get mixed up.
  const shared = new Set(members.flatMap(({ places, isFollowing }) => (isFollowing ? places : [])));
  const isMixed = members.some(
    ({ places, isFilled, isFollowing }) =>
      isFilled && (isFollowing ? places.length > 1 : places.some((i) => shared.has(i))),
  );
  if (isMixed || written.length !== planned.length) return undefined;
  const taken = new Map<number, unknown>();
  const certain = [...members.entries()].sort(([, a], [, b]) => a.places.length - b.places.length);
  const free = new Set(planned.keys());
  for (const [i, { member, places }] of certain) {
    const place = places.find((one) => free.delete(one));
    const filled = place === undefined ? undefined : fillValue(member, planned[place], isFollowed);
    if (filled === undefined) return undefined;
    taken.set(i, filled);
  }
  return written.map((_, i) => taken.get(i));
}

/** Finds planned members by what is written of others: by the values of the same names. */
function placesIn(planned: readonly unknown[]): (written: unknown) => readonly number[] {
  const bySignature = new Map<string, ReadonlyMap<string, readonly number[]>>();
  return (written) => {
    const names = literalNames(written);
    const kind = JSON.stringify(names);
    const known =
      bySignature.get(kind) ?? groupBy([...planned.keys()], (i) => signature(planned[i], names));
    bySignature.set(kind, known);
    return known.get(signature(written, names)) ?? [];
  };
}

/** The names of an object's literal members; for any other value, true if it is a literal. */
type Names = readonly string[] | boolean;

function literalNames(written: unknown): Names {
  if (object(written) !== written) return !holds(written, isUnknown);
  return Object.entries(object(written))
    .filter(([, value]) => value !== null && !holds(value, isUnknown))
    .map(([name]) => name)
    .sort();
}

/** Terraform takes `"443"` for a number, and the other way round. */
function signature(member: unknown, names: Names): string {
  const values =
    typeof names === 'boolean'
      ? names
        ? member
        : null
      : names.map((name) => object(member)[name]);
  return (
    JSON.stringify(values, (_, value: unknown) =>
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ) ?? ''
  );
}

/** Tells whether something is in a value, at any depth. */
export function holds(value: unknown, is: (one: unknown) => boolean): boolean {
  if (is(value)) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((one) => holds(one, is))
  );
}
