import { identifierReference } from '../../reach/read/address.js';
import type { Json } from '../../reach/read/json.js';
import type { SynthesizedStack, SynthesizedTree } from '../../reach/read/read-tree.js';
import { resolveStack } from '../../reach/read/resolve.js';
import { withReferences } from '../../reach/read/state-references.js';
import type { TerraformResource } from '../../reach/read/terraform-json.js';
import { readAttributes } from '../effective-rules/effective-access.js';
import { HIDDEN, holds } from './fill-tree.js';
import { withoutKey } from './planned-work.js';

/** An object of a plan, with its values. */
export interface PlannedObject {
  /** As the plan has it, with the key of an instance. */
  readonly address: string;
  readonly type: string;
  /** In the cloud, as the plan found it; {@link HIDDEN} within. Undefined for a new object. */
  readonly before: Json | undefined;
  /** Undefined where the deploy removes it. */
  readonly after: Json | undefined;
  /** Attributes that stay as they are in the cloud. */
  readonly kept: ReadonlySet<string>;
}

export interface PlannedTrees {
  /** The cloud as the deploy finds it. */
  readonly found: SynthesizedTree;
  /** The cloud as the deploy leaves it. */
  readonly left: SynthesizedTree;
}

/**
 * Builds two trees from the values of plans, which are read alike: what is no attribute of a plan is in both
 * as the head has it.
 *
 * @param head with planned values in the place of expressions
 */
export function plannedTrees(
  head: SynthesizedTree,
  plans: ReadonlyMap<string, { readonly objects: readonly PlannedObject[] }>,
): PlannedTrees {
  const trees = [...plans].flatMap(([name, { objects }]) => {
    const stack = head.get(name);
    return stack === undefined ? [] : [{ name, ...plannedStacks(stack, objects) }];
  });
  return {
    found: new Map(trees.map(({ name, found }) => [name, found])),
    left: new Map(trees.map(({ name, left }) => [name, left])),
  };
}

function plannedStacks(stack: SynthesizedStack, objects: readonly PlannedObject[]) {
  const { terraform } = stack;
  const written = new Map(resolveStack(terraform).resources.map((one) => [one.address, one.body]));
  const nameOf = identifiersIn(terraform.resources);
  const read = objects.filter(
    ({ type }) => readAttributes({ kind: 'resource', type }) !== undefined,
  );
  const others = terraform.resources.filter((one) => readAttributes(one) === undefined);
  const build = (side: 'before' | 'after'): SynthesizedStack => {
    const known = read.flatMap((one) => {
      const values = sideOf(one, written.get(withoutKey(one.address)), side);
      return values === undefined ? [] : [{ type: one.type, address: one.address, values }];
    });
    const resources = withReferences(known, nameOf).map(withoutRest);
    return { ...stack, terraform: { ...terraform, resources: [...resources, ...others] } };
  };
  return { found: build('before'), left: build('after') };
}

/** The values of one side; what a plan hides is as it is written, or an expression that nothing follows. */
function sideOf(
  { before, after, kept }: PlannedObject,
  written: Json | undefined,
  side: 'before' | 'after',
): Json | undefined {
  const values = { before, after }[side];
  if (values === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      if (!isHidden(value)) return [[name, value]];
      if (written === undefined || (side === 'before' && !kept.has(name))) {
        return [[name, '${hidden}']];
      }
      // Terraform fills in what nobody wrote.
      return written[name] === undefined ? [] : [[name, written[name]]];
    }),
  );
}

const isHidden = (value: unknown) => holds(value, (one) => one === HIDDEN);

/** Returns a resource without what the cloud fills in by itself: it decides nothing, and no review reads it. */
function withoutRest(resource: TerraformResource): TerraformResource {
  const attributes = new Set(readAttributes(resource));
  const read = Object.entries(resource.body).filter(([attribute]) => attributes.has(attribute));
  return { ...resource, body: Object.fromEntries(read) };
}

/** Finds the attribute by which expressions refer to each resource. */
function identifiersIn(resources: readonly TerraformResource[]): (address: string) => string {
  const found = new Map<string, string>();
  const visit = (value: unknown): void => {
    const reference = identifierReference(value);
    if (reference !== undefined) found.set(reference.address, reference.attribute);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  for (const { body } of resources) visit(body);
  return (address) => found.get(address) ?? 'id';
}
