import { ConnectivityError } from '../../codes/connectivity-error.js';
import { mermaidDiagram } from '../../render/targets/mermaid.js';
import { markedRules } from '../../review/changes/drawn-rules.js';
import { readTree, type SynthesizedTree } from '../../review/read/read-tree.js';

export interface DiagramFlags {
  readonly head: string;
  readonly base?: string;
  readonly stack?: readonly string[];
}

/** The flowchart of a tree, or of some of its stacks, with what changed since another marked. */
export function drawTrees(flags: DiagramFlags): string {
  const head = readTree(flags.head, '--head');
  const base = flags.base === undefined ? head : readTree(flags.base, '--base');
  checkStacks(flags.stack ?? [], [head, base]);
  const rules = markedRules(head, base).filter(
    ({ stack }) => flags.stack === undefined || flags.stack.includes(stack),
  );
  return mermaidDiagram(rules);
}

function checkStacks(wanted: readonly string[], trees: readonly SynthesizedTree[]): void {
  const known = new Set(trees.flatMap((tree) => [...tree.keys()]));
  const missing = wanted.find((name) => !known.has(name));
  if (missing === undefined) return;
  throw new ConnectivityError(
    'usage.invalid',
    `\`--stack\` must be one of ${[...known].join(', ') || '(the tree has no stack)'}, got: "${missing}"`,
  );
}
