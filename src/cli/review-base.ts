import { usageError } from '../codes/connectivity-error.js';
import { readTree, type SynthesizedTree } from '../reach/read/read-tree.js';
import type { Finding } from '../review/report-schema.js';
import { readForStacks } from './program/named-files.js';

/** A head, and what it is compared with. */
export interface ReadTrees {
  readonly head: SynthesizedTree;
  readonly base: SynthesizedTree;
  /** The tree with the sentences that hold for the base. */
  readonly intentsIn: string;
  /** Differences of the cloud from what the last deploy left. */
  readonly drift?: readonly Finding[];
  /** Sentences on what the trees do not show. */
  readonly notes?: readonly string[];
}

const STATE = 'state:';

/**
 * Reads what `--base` names (a tree, the cloud, or states) and the tree of `--head`.
 *
 * @throws ConnectivityError `usage.invalid`, `cloud.unreadable`
 */
export async function readTrees(
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
