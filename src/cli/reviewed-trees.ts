import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { usageError } from '../codes/connectivity-error.js';
import { readTree, type SynthesizedTree } from '../reach/read/read-tree.js';
import type { ReviewOptions } from '../review/review.js';
import { MAX_READS } from './program/arguments.js';
import { readForStacks, readNamedFile } from './program/named-files.js';

/** The flags of `review` that name both sides. */
export interface ReviewedFlags {
  readonly base?: readonly string[];
  readonly head?: string;
  readonly plan?: readonly string[];
  readonly maxReads?: number;
}

/** Both sides of a review, and what else decides. */
interface Reviewed {
  readonly base: SynthesizedTree;
  readonly head: SynthesizedTree;
  readonly options: ReviewOptions;
}

/** Reads what is to be reviewed: two trees with plans of the second, or plans alone. @throws ConnectivityError */
export async function readReviewed(flags: ReviewedFlags): Promise<Reviewed> {
  const { base, head, plan = [], maxReads } = flags;
  if (base !== undefined && head !== undefined) {
    return await readBothTrees(base, head, plan, maxReads ?? MAX_READS);
  }
  const given = Object.entries({ base, head, 'max-reads': maxReads });
  const [one] = given.filter(([, value]) => value !== undefined);
  if (plan.length === 0 || one !== undefined) {
    throw usageError(
      `\`review\` needs \`--base\` and \`--head\`, or \`--plan\` alone, got: ${one === undefined ? 'none of them' : `\`--${one[0]}\` without the rest`}`,
    );
  }
  return await readPlans(plan);
}

async function readBothTrees(
  values: readonly string[],
  folder: string,
  files: readonly string[],
  maxReads: number,
): Promise<Reviewed> {
  const { base, head, intentsIn, ...found } = await readTrees(values, folder, maxReads);
  const [{ readPlan }, { readIntentGroups }, { lockChanges }] = await Promise.all([
    import('../review/plan/review-plan.js'),
    import('../intents/read-intents.js'),
    import('../review/lock-changes.js'),
  ]);
  const stacks = [...head.values()];
  const plans = await readForStacks('--plan', files, ['--head', stacks], async (file, stack) =>
    readPlan(await readNamedFile('--plan', file), stack, file),
  );
  const intents = {
    base: readIntentGroups(intentsIn, [...base.keys()]),
    head: readIntentGroups(folder, [...head.keys()]),
  };
  const { treeDigest, why } = await digestOf(folder);
  // Where the base is the cloud or a state, `intentsIn` is the head: no lock file differs.
  const both = [...head.keys()].filter((name) => base.has(name));
  const notes = [
    ...(found.notes ?? []),
    ...lockChanges(intentsIn, folder, both),
    ...(why === undefined ? [] : [why]),
  ];
  return { base, head, options: { plans, intents, ...found, treeDigest, notes } };
}

/** A stack is called as the option says, or as its file. */
async function readPlans(values: readonly string[]): Promise<Reviewed> {
  const { readLonePlan } = await import('../review/lone-plans.js');
  const read = new Map<string, ReturnType<typeof readLonePlan>>();
  for (const value of values) {
    const [, given, file = value] = /^([\w.-]+)=(.+)$/s.exec(value) ?? [];
    const name = given ?? basename(file);
    if (read.has(name)) {
      throw usageError(
        `\`--plan\` must be STACK=FILE with another name for each plan, got: ${JSON.stringify(name)} twice`,
      );
    }
    read.set(name, readLonePlan(await readNamedFile('--plan', file), name, file));
  }
  const all = [...read];
  return {
    base: new Map(all.flatMap(([name, { base }]) => (base ? [[name, base] as const] : []))),
    head: new Map(all.map(([name, { head }]) => [name, head])),
    options: {
      plans: new Map(all.map(([name, { plan }]) => [name, plan])),
      drift: all.flatMap(([, { drift }]) => drift),
    },
  };
}

/** Returns the digest of a tree, or why it cannot be deployed by one. */
async function digestOf(tree: string): Promise<{ treeDigest?: string; why?: string }> {
  const { readTreeFiles, treeDigest, UndeployableTree } = await import(
    '../terraform/tree-digest.js'
  );
  try {
    return { treeDigest: treeDigest(readTreeFiles(realpathSync(tree))) };
  } catch (error) {
    if (!(error instanceof UndeployableTree)) throw error;
    return {
      why: `the tree has no digest, and \`deploy --reviewed\` refuses it: ${error.message}`,
    };
  }
}

/** Both trees, with what was found where the base is no tree. */
interface ReadTrees extends Omit<Reviewed, 'options'>, Pick<ReviewOptions, 'drift' | 'notes'> {
  /** The tree with the sentences that hold for the base. */
  readonly intentsIn: string;
}

const STATE = 'state:';

/**
 * Reads what `--base` names (a tree, the cloud, or states) and the tree of `--head`.
 *
 * @throws ConnectivityError `usage.invalid`, `cloud.unreadable`
 */
async function readTrees(
  values: readonly string[],
  folder: string,
  maxReads: number,
): Promise<ReadTrees> {
  const readHead = () => readTree(folder, '--head');
  if (values.every((value) => value.startsWith(STATE))) {
    const head = readHead();
    return { head, base: await readStates(values, head), intentsIn: folder };
  }
  const [value = ''] = values;
  if (values.length > 1) {
    throw usageError(
      `\`--base\` must be one folder, \`live\`, or \`state:\` of each stack, got: ${values.join(', ')}`,
    );
  }
  if (value !== 'live') {
    return { base: readTree(value, '--base'), head: readHead(), intentsIn: value };
  }
  const head = readHead();
  return { head, ...(await readCloud(head, folder, maxReads)), intentsIn: folder };
}

async function readStates(values: readonly string[], head: SynthesizedTree) {
  const [{ readStateFile }, { foundStack }] = await Promise.all([
    import('../reach/read/state-file.js'),
    import('../review/found/found-stack.js'),
  ]);
  const files = values.map((value) => value.slice(STATE.length));
  return readForStacks('--base', files, ['--head', [...head.values()]], async (file, stack) => {
    const found = readStateFile(file, '--base');
    return foundStack(stack, found, found);
  });
}

/** A stack without any object is not there yet: all of it is new. */
async function readCloud(head: SynthesizedTree, folder: string, maxReads: number) {
  const [{ readLiveStacks }, { foundStack }, { findDrift }] = await Promise.all([
    import('./live-stacks.js'),
    import('../review/found/found-stack.js'),
    import('../review/found/drift.js'),
  ]);
  const read = await readLiveStacks(folder, [...head.values()], maxReads);
  const there = read.filter(({ deployed }) => deployed.resources.length > 0);
  const base = there.flatMap(({ name, terraform, deployed }) => {
    const code = head.get(name);
    const own = new Set(deployed.resources.map(({ address }) => address));
    // What others have put there stays, whatever is deployed.
    const resources = terraform.resources.filter(({ address }) => own.has(address));
    const found = { ...terraform, resources };
    return code === undefined ? [] : [[name, foundStack(code, found, deployed)] as const];
  });
  const notes = there.flatMap(({ name, unjudged }) =>
    unjudged.map((clause) => `In the cloud of ${name}, ${clause}.`),
  );
  return { base: new Map(base), drift: there.flatMap(findDrift), notes };
}
