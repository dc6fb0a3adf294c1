import { existsSync } from 'node:fs';
import { ConnectivityError, usageError } from '../../../codes/connectivity-error.js';
import { safeText } from '../../../codes/redact.js';
import {
  findStackFolder,
  readTreeOutputs,
  stackFile,
} from '../../../terraform/configuration-files.js';
import { terraformName } from '../../../terraform/program.js';

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

/**
 * The digest of what Terraform opens in a stack's folder, where the tree in it is the one that was deployed: the one
 * whose rules have the digest that the links came with.
 *
 * @param source where the links were read
 */
export async function digestOfDeployed(
  { rulesDigest, source }: { readonly rulesDigest: string; readonly source: string },
  folder: string,
): Promise<string | undefined> {
  const own = rulesDigestIn(folder);
  if (rulesDigest === '' || own === undefined) return undefined;
  if (own === rulesDigest) return await folderDigest(folder);
  process.stderr.write(
    `verify: no access digest, because ${folder} contains a different stack from the one that was deployed: ${source} has rules with the digest ${rulesDigest}\n`,
  );
  return undefined;
}

/** The digest of what Terraform opens in a stack's folder; undefined where there is no stack that can be read. */
export async function folderDigest(folder: string): Promise<string | undefined> {
  if (!existsSync(stackFile(folder))) return undefined;
  const review = await import('../../../review/stacks/digest.js');
  try {
    const digest = review.folderDigest(folder);
    process.stderr.write(`verify: access digest ${digest}, of what Terraform opens\n`);
    return digest;
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    process.stderr.write(
      `verify: no access digest, because the stack cannot be read: ${error.message}\n`,
    );
    return undefined;
  }
}

/** Returns what a synthesized stack says of itself in its output; undefined where it says nothing. */
function rulesDigestIn(folder: string): string | undefined {
  try {
    const { value } = readTreeOutputs(folder)['rules-digest'] ?? {};
    return value === undefined ? undefined : String(value);
  } catch {
    return undefined;
  }
}
