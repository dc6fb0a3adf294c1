import { resolveStack } from '../../src/reach/read/resolve.js';
import type { TerraformStackJson } from '../../src/reach/read/terraform-json.js';
import { readPackets } from '../../src/reach/rules/read-packets.js';
import { ResourceIndex } from '../../src/reach/rules/reading.js';

/** Reads what the rules of a stack let through, and deny. */
export function readFlows(stack: TerraformStackJson) {
  const index = new ResourceIndex(resolveStack(stack).resources);
  return readPackets(index, () => true);
}
