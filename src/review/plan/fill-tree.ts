import { isDeepStrictEqual } from 'node:util';
import { MODELS } from '../effective-rules/models.js';
import { ResourceIndex } from '../effective-rules/reading.js';
import { isUnknown, object } from '../read/json.js';
import type { SynthesizedTree } from '../read/read-tree.js';
import { resolveStack } from '../read/resolve.js';
import {
  NO_TERRAFORM,
  type TerraformResource,
  type TerraformStackJson,
} from '../read/terraform-json.js';
import { fillValue } from './fill-value.js';
import type { ReviewPlan } from './review-plan.js';

/**
 * The head with planned values in the place of the expressions that a change brings into what is read
 * as packets. What the base has in the same words stays in them: its value is not in a plan.
 *
 * @param base under the addresses of the head
 */
export function fillTree(
  base: SynthesizedTree,
  head: SynthesizedTree,
  plans: ReadonlyMap<string, ReviewPlan>,
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
  { values }: ReviewPlan,
): TerraformStackJson {
  const was = new Map(resolveStack(before).resources.map((one) => [one.address, one]));
  const index = new ResourceIndex(resolveStack(after).resources);
  const now = new Map(index.all.map((one) => [one.address, one]));
  const isFollowed = (expression: string) => index.named(expression) !== undefined;
  return { ...after, resources: after.resources.map(fillResource) };

  function fillResource(resource: TerraformResource): TerraformResource {
    const { address, kind, type, body } = resource;
    const planned = kind === 'resource' ? values.get(address) : undefined;
    const access = Object.hasOwn(MODELS, type) ? MODELS[type]?.access : undefined;
    if (planned === undefined || access === undefined) return resource;
    const resolved = object(now.get(address)?.body);
    const filled = access.flatMap((name) => {
      const value = resolved[name];
      const isNew = !isDeepStrictEqual(value, was.get(address)?.body[name]);
      const one =
        isNew && hasExpression(value) ? fillValue(value, planned[name], isFollowed) : undefined;
      return one === undefined ? [] : [[name, one.value] as const];
    });
    return filled.length === 0
      ? resource
      : { ...resource, body: { ...body, ...Object.fromEntries(filled) } };
  }
}

function hasExpression(value: unknown): boolean {
  return isUnknown(JSON.stringify(value) ?? '');
}
