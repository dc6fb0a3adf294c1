import { readFlags, type Verb } from './flags.js';

/** Deploys or destroys stacks by Terraform, with an exit status that can be relied on. */
export const deploy = (args: readonly string[]): Promise<number> => change('deploy', args);
export const destroy = (args: readonly string[]): Promise<number> => change('destroy', args);

async function change(verb: Verb, args: readonly string[]): Promise<number> {
  const { flags, patterns } = readFlags(verb, args);
  const { changeTree } = await import('./change-tree.js');
  return await changeTree(verb, flags, patterns);
}
