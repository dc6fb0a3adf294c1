import { Command } from 'commander';
import type { ImportTarget } from '../adopt/import-blocks.js';
import { collect, parseArguments } from './program/arguments.js';

const EXAMPLE = `
Without --id, every resource of the stack is printed as a comment, with the format of its id:

  secure-connectivity import-blocks --stack-folder cdktf.out/stacks/api-access-production

With --id, the block is printed ready for Terraform:

  secure-connectivity import-blocks --stack-folder cdktf.out/stacks/api-access-production \\
    --id volcenginecc_vpc_vpc.network=vpc-1a2b > cdktf.out/stacks/api-access-production/imports.tf`;

/** `secure-connectivity import-blocks`: how Terraform adopts what exists already. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity import-blocks')
    .description('Prints Terraform import blocks for the resources of a synthesized stack.')
    .requiredOption('--stack-folder <folder>', 'folder of the stack: cdktf.out/stacks/NAME')
    .option(
      '--id <address=id>',
      'the id of a resource that exists; repeatable',
      collect(readImportTarget),
    )
    .addHelpText('after', EXAMPLE);
  type Flags = { readonly stackFolder: string; readonly id?: readonly ImportTarget[] };
  const { stackFolder, id = [] } = parseArguments<Flags>(command, args);
  const { importBlocks, readStack } = await import('../adopt/import-blocks.js');
  process.stdout.write(importBlocks(await readStack(stackFolder), id));
  return 0;
}

/** Reads `ADDRESS=ID`. An id may hold `=`; an address cannot. */
export function readImportTarget(text: string): ImportTarget {
  const [address = '', ...id] = text.split('=');
  return { address, id: id.join('=') };
}
