import { findCheckout } from '../effective-rules/check-steps.js';
import { readEffectiveAccess } from '../effective-rules/effective-access.js';
import { readStackFolder } from '../read/stack-folder.js';
import { toStack } from '../read/terraform-json.js';
import { effectiveDigest } from './digest.js';

/**
 * The digest that a review gives for one stack, from the folder that Terraform runs in.
 *
 * @throws ConnectivityError `review.tree`
 */
export function folderDigest(folder: string): string {
  const { blocks, unread } = readStackFolder(folder, 'the folder of the stack');
  const stack = toStack(blocks, unread);
  return effectiveDigest(readEffectiveAccess(stack, findCheckout([stack])));
}
