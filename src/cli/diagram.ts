import { Command } from 'commander';
import { mermaidDiagram } from '../render/mermaid.js';
import { markedRules } from '../review/drawn-rules.js';
import { readTree } from '../review/read-tree.js';
import { parseArguments } from './parse-arguments.js';

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
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const flags = command.opts<Flags>();
  const head = readTree(flags.head, '--head');
  const base = flags.base === undefined ? head : readTree(flags.base, '--base');
  const rules = markedRules(head, base).filter(
    ({ stack }) => flags.stack === undefined || flags.stack.includes(stack),
  );
  process.stdout.write(mermaidDiagram(rules));
  return 0;
}
