import type { SynthesizedTree } from '../../reach/read/read-tree.js';
import { accessChanges, deniedChanges, withoutTold } from '../changes/access-changes.js';
import { withAnswers } from '../changes/packet-answers.js';
import { findStackChanges } from '../changes/stack-changes.js';
import type { Change } from '../packet-changes.js';
import type { Finding } from '../report-schema.js';
import { pairStacks, reviewedTree } from '../stacks/reviewed-trees.js';
import { type PlannedObject, plannedTrees } from './planned-trees.js';

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
  plans: ReadonlyMap<string, { readonly objects: readonly PlannedObject[] }>,
  told: TreeChanges,
): TreeChanges {
  if (plans.size === 0) return { access: [], denied: [], others: [] };
  const { found, left } = plannedTrees(head, plans);
  const [a, b] = [reviewedTree(found), reviewedTree(left)];
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
