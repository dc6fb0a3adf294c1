import { groupBy } from '../../lists/group-by.js';
import type { StackStep } from '../timeline/recorder.js';

/** The steps of a deploy, by their indexes, that come before a step in every order. */
export type Predecessors = ReadonlySet<number>;

/** Terraform's graph of a plan: the nodes that each node waits for. */
type Graph = ReadonlyMap<string, readonly string[]>;

const TEXT = '"((?:[^"\\\\]|\\\\.)*)"';
const NODE = new RegExp(`^${TEXT}(?: -> ${TEXT}| \\[.*\\])$`);
const FRAME = /^(?:digraph \{|subgraph "root" \{|(?:compound|newrank) = "true"|\}|)$/;

/** Reads what `terraform graph` prints of a plan; undefined where a line of it is not understood. */
export function readGraph(dot: string): Graph | undefined {
  // Warnings of Terraform's may stand around it.
  const [graph = ''] = /^digraph \{$.*^\}$/ms.exec(dot) ?? [];
  const lines = graph.split('\n').map((line) => line.trim());
  const read = lines.filter((line) => !FRAME.test(line)).map((line) => NODE.exec(line));
  if (graph === '' || read.includes(null)) return undefined;
  const nodes = read.map((match) => [nodeName(match?.[1]), nodeName(match?.[2])] as const);
  return new Map(
    [...groupBy(nodes, ([node]) => node)].map(([node, all]) => [
      node,
      all.map(([, other]) => other).filter((other) => other !== ''),
    ]),
  );
}

function nodeName(text = ''): string {
  return text.replace(/^\[root\] /, '').replaceAll(/\\(.)/g, '$1');
}

/** A run of Terraform for each stack, with its graph as text. */
export interface Ordered {
  readonly steps: readonly Pick<StackStep, 'stack' | 'operation' | 'identifier'>[];
  /** By stack. */
  readonly graphs: ReadonlyMap<string, string>;
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
}

/**
 * Finds what each step waits for: what Terraform's graph has before it, and all of the stacks before its own.
 * Undefined where a graph does not have a step, or the run was otherwise.
 */
export function orderSteps({ steps, graphs, addresses }: Ordered): Predecessors[] | undefined {
  const read = new Map([...graphs].map(([stack, dot]) => [stack, readGraph(dot)]));
  const nodes = steps.map(({ stack, operation, identifier = '' }) => {
    const address = addresses.get(identifier);
    const all = [...(read.get(stack)?.keys() ?? [])];
    const isOf = (node: string) =>
      operation === 'DELETE' ? node.startsWith(`${address} (destroy`) : node === address;
    return address === undefined ? undefined : all.find(isOf);
  });
  if (nodes.includes(undefined)) return undefined;
  const waits = steps.map(({ stack }, i) => {
    const waited = waitedFor(read.get(stack) ?? new Map(), nodes[i] ?? '');
    const comesBefore = (other: number) =>
      steps[other]?.stack !== stack ? other < i : waited.has(nodes[other] ?? '');
    return new Set([...steps.keys()].filter((other) => other !== i && comesBefore(other)));
  });
  // What the run itself did not do is not how Terraform orders it.
  return waits.some((own, i) => Math.max(...own) > i) ? undefined : waits;
}

/** All that a node waits for, over any number of others. */
function waitedFor(graph: Graph, node: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const other of graph.get(next) ?? []) {
      if (found.has(other)) continue;
      found.add(other);
      open.push(other);
    }
  }
  return found;
}

/** Steps that are done, and those that could have been, of the ones that decide together. */
export interface JudgedSet {
  readonly done: ReadonlySet<number>;
  /** Steps that decide together, by their indexes. */
  readonly of: readonly number[];
}

interface Judged {
  readonly sets: readonly JudgedSet[];
  /** Steps that decide together, of which not every order is judged. */
  readonly left: readonly (readonly number[])[];
}

/** The limit of states of steps that decide together, and of all. */
const MAX_SETS = 256;
const MAX_ALL = 512;

/**
 * Finds the sets of done steps by which every order is judged. A packet fares by the steps that meet at it, so
 * that each group of steps that can meet has its own: all sets that hold what their steps wait for. It is the
 * groups that make the number linear: each step with those that come later in it.
 *
 * @param waits what each step waits for, also by others
 */
export function findJudgedSets(
  steps: readonly number[],
  waits: readonly Predecessors[],
  meet: (a: number, b: number) => boolean,
): Judged {
  const groups = findGroups(steps, meet).sort((a, b) => a.length - b.length);
  const sets = new Map<string, JudgedSet>();
  const left: (readonly number[])[] = [];
  for (const of of groups) {
    const own = downsets(of, waits);
    const isTooMuch = own === undefined || sets.size + own.length > MAX_ALL;
    if (isTooMuch) left.push(of);
    for (const chosen of isTooMuch ? nearlyFirstAndLast(of, waits) : own) {
      const one = { done: withWaited(chosen, waits), of };
      if (!isOfRun(one)) sets.set([...one.done].sort((a, b) => a - b).join(), one);
    }
  }
  const isPart = (of: readonly number[]) =>
    left.some((other) => other.length > of.length && of.every((step) => other.includes(step)));
  return { sets: [...sets.values()], left: left.filter((of) => !isPart(of)) };
}

/** Groups that hold all steps that meet at a packet: each step with those of its neighbours that are left. */
function findGroups(steps: readonly number[], meet: (a: number, b: number) => boolean) {
  const neighbours = new Map(
    steps.map((step) => [step, steps.filter((other) => other !== step && meet(step, other))]),
  );
  const left = new Set(steps);
  const groups: number[][] = [];
  while (left.size > 0) {
    const near = [...left].map((step) => [
      step,
      ...(neighbours.get(step) ?? []).filter((other) => left.has(other)),
    ]);
    const [least = []] = near.sort((a, b) => a.length - b.length);
    left.delete(least[0] ?? 0);
    groups.push(least.sort((a, b) => a - b));
  }
  return groups;
}

/** All sets of steps that hold what their steps wait for; undefined where they are too many. */
function downsets(of: readonly number[], waits: readonly Predecessors[]): number[][] | undefined {
  let sets: number[][] = [[]];
  // In the order of the run, in which each comes after what it waits for.
  for (const step of of) {
    const needed = of.filter((other) => waits[step]?.has(other));
    const more = sets.filter((set) => needed.every((one) => set.includes(one)));
    sets = [...sets, ...more.map((set) => [...set, step])];
    if (sets.length > MAX_SETS) return undefined;
  }
  return sets;
}

/** Of steps with too many orders: each done before all others that it can be done before, and after them. */
function nearlyFirstAndLast(of: readonly number[], waits: readonly Predecessors[]): number[][] {
  return of.flatMap((step) => [
    [step],
    of.filter((other) => other !== step && !waits[other]?.has(step)),
  ]);
}

function withWaited(chosen: readonly number[], waits: readonly Predecessors[]): Set<number> {
  return new Set(chosen.flatMap((step) => [step, ...(waits[step] ?? [])]));
}

/** Tells whether a state of the run has the same of these steps done. */
function isOfRun({ done, of }: JudgedSet): boolean {
  const first = of.findIndex((step) => !done.has(step));
  return first < 0 || of.slice(first).every((step) => !done.has(step));
}
