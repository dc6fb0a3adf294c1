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
