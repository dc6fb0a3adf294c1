import { Command } from 'commander';
import type { DiagramFlags } from './diagram/draw-trees.js';
import { parseArguments } from './program/parse-arguments.js';

/** `secure-connectivity diagram`: who may talk to whom as a drawing. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity diagram')
    .description('Draws who may talk to whom in a synthesized tree, as a Mermaid flowchart.')
    .option('--head <folder>', 'the tree to draw', 'cdktf.out')
    .option('--base <folder>', 'mark what was added and removed since this tree')
    .option('--stack <name...>', 'draw these stacks only');
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const { drawTrees } = await import('./diagram/draw-trees.js');
  process.stdout.write(drawTrees(command.opts<DiagramFlags>()));
  return 0;
}
