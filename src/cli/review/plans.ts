import { ConnectivityError } from '../../codes/connectivity-error.js';
import { type ReviewPlan, readPlan } from '../../review/plan/review-plan.js';
import type { SynthesizedStack, SynthesizedTree } from '../../review/read/read-tree.js';
import { readNamedFile } from '../program/read-named-file.js';

/**
 * Reads the plans of `--plan`, each `STACK=FILE`, or `FILE` where the tree has one stack.
 *
 * @throws ConnectivityError `usage.invalid`, `review.plan`
 */
export async function readPlans(
  values: readonly string[],
  head: SynthesizedTree,
): Promise<ReadonlyMap<string, ReviewPlan>> {
  const plans = new Map<string, ReviewPlan>();
  for (const value of values) {
    const { stack, file } = splitValue(value, head);
    if (plans.has(stack.name)) {
      throw new ConnectivityError(
        'usage.invalid',
        `\`--plan\` can be given once for each stack, got: ${JSON.stringify(stack.name)} twice`,
      );
    }
    plans.set(stack.name, readPlan(await readNamedFile('--plan', file), stack, file));
  }
  return plans;
}

/** A path may hold an equals sign too: only the name of a stack before it counts. */
function splitValue(
  value: string,
  head: SynthesizedTree,
): { stack: SynthesizedStack; file: string } {
  const at = value.indexOf('=');
  const named = at < 0 ? undefined : head.get(value.slice(0, at));
  if (named !== undefined) return { stack: named, file: value.slice(at + 1) };
  const [only, ...others] = head.values();
  if (only !== undefined && others.length === 0) return { stack: only, file: value };
  const names = [...head.keys()].join(', ');
  throw new ConnectivityError(
    'usage.invalid',
    `\`--plan\` must be STACK=FILE with a stack of \`--head\`, which has ${names || 'none'}, got: "${value}"`,
  );
}
