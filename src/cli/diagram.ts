import { Command } from 'commander';
import { usageError } from '../codes/connectivity-error.js';
import { parseArguments } from './program/arguments.js';

interface Flags {
  readonly head: string;
  readonly base?: string;
  readonly stack?: readonly string[];
}

/** `secure-connectivity diagram`: who may talk to whom as a drawing. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity diagram')
    .description('Draws who may talk to whom in a synthesized tree, as a Mermaid flowchart.')
    .option('--head <folder>', 'the tree to draw', 'cdktf.out')
    .option('--base <folder>', 'mark what was added and removed since this tree')
    .option('--stack <name...>', 'draw these stacks only');
  process.stdout.write(await drawTrees(parseArguments<Flags>(command, args)));
  return 0;
}

/** The flowchart of a tree, or of some of its stacks, with what changed since another marked. */
async function drawTrees(flags: Flags): Promise<string> {
  const [{ readTree }, { markedRules }, { mermaidDiagram }] = await Promise.all([
    import('../review/read/read-tree.js'),
    import('../review/diagram/drawn-rules.js'),
    import('../review/diagram/mermaid.js'),
  ]);
  const head = readTree(flags.head, '--head');
  const base = flags.base === undefined ? head : readTree(flags.base, '--base');
  const known = new Set([...head.keys(), ...base.keys()]);
  const missing = flags.stack?.find((name) => !known.has(name));
  if (missing !== undefined) {
    throw usageError(
      `\`--stack\` must be one of ${[...known].join(', ') || '(the tree has no stack)'}, got: "${missing}"`,
    );
  }
  const rules = markedRules(head, base).filter(
    ({ stack }) => flags.stack === undefined || flags.stack.includes(stack),
  );
  return mermaidDiagram(rules);
}
