import type { RehearsedTree } from './read-trees.js';
import type { Interruption, RehearsalFinding } from './report-schema.js';
import { deployTree, replanTree } from './stage/deploys.js';
import type { Moment, Stage } from './stage/stage.js';
import { type Account, doneText } from './timeline/timeline.js';

/**
 * Deploys a tree again and again from the same moment, kills Terraform after each step in turn, and
 * deploys once more: whether that comes to what the undisturbed deploy came to.
 */
export async function interruptEach(
  stage: Stage,
  before: Moment,
  tree: RehearsedTree,
  { steps }: Account,
): Promise<Interruption[]> {
  const after = stage.save();
  const wanted = countByType(stage);
  const interruptions: Interruption[] = [];
  for (const { number, stack, text } of steps) {
    stage.load(before);
    const killed = await deployTree(stage, tree, number);
    // What does not depend on each other can come in another order than it did undisturbed.
    const last = killed.steps.at(-1);
    const { result } = await deployTree(stage, tree);
    const replan = result.status === 'passed' ? await replanTree(stage, tree) : undefined;
    const problems = [
      ...result.errors,
      ...(replan?.changes ?? []).map((change) => `a second plan would ${change}`),
      ...surplus(wanted, countByType(stage)),
    ];
    interruptions.push({
      step: number,
      stack: last?.stack ?? stack,
      text: last === undefined ? text : doneText(last),
      heals: problems.length === 0,
      problems,
    });
  }
  stage.load(after);
  return interruptions;
}

/** What people have to do by hand. */
export function interruptionFindings(all: readonly Interruption[]): RehearsalFinding[] {
  return all
    .filter(({ heals }) => !heals)
    .map(({ step, stack, text, problems }) => ({
      kind: 'failure',
      stack,
      what: 'interruption',
      text: `a deploy killed after step ${step} (${text}) does not recover when deployed again: ${problems.join('; ')}`,
      from: step,
      remedy: `import what is left behind into the state with \`secure-connectivity adopt ${stack}\` (\`--id ADDRESS=ID\` for objects without a mark), and deploy again`,
    }));
}

type Counts = ReadonlyMap<string, number>;

function countByType({ sandbox }: Stage): Counts {
  const counts = new Map<string, number>();
  for (const { typeName } of sandbox.resources()) {
    counts.set(typeName, (counts.get(typeName) ?? 0) + 1);
  }
  return counts;
}

function surplus(wanted: Counts, there: Counts): string[] {
  return [...there].flatMap(([typeName, count]) => {
    const more = count - (wanted.get(typeName) ?? 0);
    return more > 0 ? [`${more} more of ${typeName.replace('Volcengine::', '')} than wanted`] : [];
  });
}
