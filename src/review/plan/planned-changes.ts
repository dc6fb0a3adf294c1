import { identifierReference } from '../../reach/read/address.js';
import type { Json } from '../../reach/read/json.js';
import type { SynthesizedStack, SynthesizedTree } from '../../reach/read/read-tree.js';
import { resolveStack } from '../../reach/read/resolve.js';
import { withReferences } from '../../reach/read/state-references.js';
import type { TerraformResource } from '../../reach/read/terraform-json.js';
import { accessChanges, deniedChanges, withoutTold } from '../changes/access-changes.js';
import { withAnswers } from '../changes/packet-answers.js';
import { findStackChanges } from '../changes/stack-changes.js';
import { readAttributes } from '../effective-rules/effective-access.js';
import type { Change } from '../packet-changes.js';
import type { Finding } from '../report-schema.js';
import { pairStacks, reviewedTrees } from '../stacks/reviewed-trees.js';
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

type Plans = ReadonlyMap<string, { readonly objects: readonly PlannedObject[] }>;

/** Changes of packets, and of whatever else decides who reaches whom. */
export interface TreeChanges {
  readonly access: readonly Change[];
  readonly denied: readonly Change[];
  readonly others: readonly Finding[];
}

/**
 * Returns what plans open and close beyond the files: where the cloud is not as the base says, for somebody
 * changed it by hand, or the base was never deployed.
 *
 * @param head with planned values in the place of expressions
 * @param told what the files say
 */
export function findPlannedChanges(
  head: SynthesizedTree,
  plans: Plans,
  told: TreeChanges,
): TreeChanges {
  if (plans.size === 0) return { access: [], denied: [], others: [] };
  const { found, left } = plannedTrees(head, plans);
  const [a, b] = reviewedTrees(found, left);
  const key = ({ kind, stack, resource, what }: Finding) =>
    JSON.stringify([kind, stack, resource, what]);
  const known = new Set(told.others.map(key));
  const access = withAnswers(accessChanges(a, b), [found, left]);
  return {
    // The access rules of the head name what passes; what is only stated is not in the cloud.
    access: withoutTold(access, told.access)
      .filter(({ at }) => at.carrier !== undefined)
      .map(inCloud),
    denied: withoutTold(withAnswers(deniedChanges(a, b, access), [found, left]), told.denied).map(
      inCloud,
    ),
    others: pairStacks(found, a, b)
      .flatMap(findStackChanges)
      .filter((finding) => !known.has(key(finding)))
      .map((finding) => ({ ...finding, before: `${finding.before}${CLOUD}` })),
  };
}

const CLOUD = ' in the cloud';

function inCloud(change: Change): Change {
  return { ...change, was: `${change.was}${CLOUD}` };
}

/**
 * Builds two trees from the values of plans, which are read alike: the cloud as the deploy finds it, and as it leaves
 * it. What is no attribute of a plan is in both as the head has it.
 */
function plannedTrees(head: SynthesizedTree, plans: Plans) {
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
