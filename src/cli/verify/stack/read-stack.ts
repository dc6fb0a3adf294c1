import { existsSync } from 'node:fs';
import { ConnectivityError, usageError } from '../../../codes/connectivity-error.js';
import { safeText } from '../../../codes/redact.js';
import {
  findStackFolder,
  readTreeOutputs,
  stackFile,
} from '../../../terraform/configuration-files.js';
import { terraformName } from '../../../terraform/program.js';
import type { VerifiableLink } from '../../../verify/model/options.js';

/**
 * Asks Terraform for the first of some outputs that a stack has.
 *
 * @param stack its name, where cdktf synthesized it to `cdktf.out`, or else its folder
 * @throws ConnectivityError `usage.invalid`
 */
export async function readStackOutput(stack: string, names: readonly string[]) {
  const folder = findStackFolder('--stack', stack);
  const outputs = await readOutputs(folder, stack);
  for (const name of names) {
    const text = outputs[name]?.value;
    if (typeof text === 'string') return { name, text, folder };
  }
  throw usageError(
    `\`--stack\` must name a deployed stack with an output \`${names.join('` or `')}\`, got: "${stack}" with ${Object.keys(outputs).join(', ') || 'no outputs'}`,
  );
}

/**
 * Reads the outputs in the state of a stack's folder.
 *
 * @throws ConnectivityError `usage.invalid`, `deploy.state`
 */
export async function readOutputs(
  folder: string,
  stack: string,
): Promise<Record<string, { value?: unknown }>> {
  const program = terraformName(process.env);
  // Only this way of giving links starts another program.
  const [{ readOwnState }, { terraformFolder }] = await Promise.all([
    import('../../../adopt/own-state.js'),
    import('../../../terraform/terraform-folder.js'),
  ]);
  try {
    // Terraform would wait for a pipe, and fill the memory with a file without an end.
    if (existsSync(stackFile(folder))) readTreeOutputs(folder);
    const { outputs = {} } = await readOwnState(terraformFolder(folder, program, '0s'));
    return { ...outputs };
  } catch (cause) {
    if (cause instanceof ConnectivityError && cause.reason === 'deploy.state: foreign') throw cause;
    const why = safeText(cause instanceof Error ? cause.message : String(cause));
    throw usageError(
      `\`--stack\` must name a deployed stack whose state \`${program} state pull\` can read in ${folder}, got: "${stack}" (${why})`,
      cause,
    );
  }
}

/** The digest of the access that links came with, and whether it was computed here. */
export type Digest = Pick<VerifiableLink, 'accessDigest' | 'isDigestComputed'>;

/**
 * The digest for links that state one, where the tree that was deployed is at hand: the one whose own
 * output has the digest that the links state.
 *
 * @param source where the links were read
 */
export async function treeDigest(stated: string | undefined, source: string, folder: string) {
  const own = statedDigest(folder);
  if (!stated || own === undefined) return undefined;
  if (own !== stated) {
    process.stderr.write(
      `verify: access digest ${stated}, as ${source} states it: ${folder} contains a different stack from the one that was deployed\n`,
    );
    return undefined;
  }
  const digest = await folderDigest(folder);
  return digest?.accessDigest ? digest : undefined;
}

/** The digest of what Terraform opens in a stack's folder; undefined where there is no stack. */
export async function folderDigest(folder: string): Promise<Digest | undefined> {
  if (!existsSync(stackFile(folder))) return undefined;
  const review = await import('../../../review/stacks/digest.js');
  try {
    const accessDigest = review.folderDigest(folder);
    process.stderr.write(`verify: access digest ${accessDigest}, of what Terraform opens\n`);
    return { accessDigest, isDigestComputed: true };
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    process.stderr.write(
      `verify: no access digest, because the stack cannot be read: ${error.message}\n`,
    );
    return { accessDigest: '', isDigestComputed: false };
  }
}

/** Returns what a synthesized stack says of itself in its output; undefined where it says nothing. */
function statedDigest(folder: string): string | undefined {
  try {
    const { value } = readTreeOutputs(folder)['access-digest'] ?? {};
    return value === undefined ? undefined : String(value);
  } catch {
    return undefined;
  }
}
