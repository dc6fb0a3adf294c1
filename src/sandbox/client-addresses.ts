import { writeWhole } from '../files/whole-file.js';
import { clientAddressOf, endpointsOf, type World } from './world.js';

/** Writes where the client stands for the verifier, which reads it again when a link fails. */
export function writeClientAddresses(file: string, world: World, clientAddress?: string): void {
  const addresses =
    clientAddress === undefined
      ? endpointsOf(world).map((endpoint) => clientAddressOf(world, endpoint))
      : [clientAddress];
  const head = '# Where the command stands in the private network; none before a deploy';
  writeWhole(file, `${[head, ...new Set(addresses)].join('\n')}\n`);
}
