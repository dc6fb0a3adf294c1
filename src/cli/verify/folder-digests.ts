import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectivityError } from '../../codes/connectivity-error.js';

/** The digest of what Terraform opens in a stack's folder; undefined where there is no stack. */
export async function computeDigest(
  folder: string,
): Promise<{ readonly accessDigest: string; readonly isDigestComputed: boolean } | undefined> {
  if (!existsSync(join(folder, 'cdk.tf.json'))) return undefined;
  const { folderDigest } = await import('../../review/stacks/digest.js');
  try {
    const accessDigest = folderDigest(folder);
    process.stderr.write(`verify: access digest ${accessDigest}, of what Terraform opens\n`);
    return { accessDigest, isDigestComputed: true };
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    process.stderr.write(
      `verify: no access digest, for the stack cannot be read: ${error.message}\n`,
    );
    return { accessDigest: '', isDigestComputed: false };
  }
}

/** What a synthesized stack says of itself in its output; undefined where it says nothing. */
export function statedDigest(folder: string): string | undefined {
  try {
    const { output } = JSON.parse(readFileSync(join(folder, 'cdk.tf.json'), 'utf8'));
    return String(output['access-digest'].value);
  } catch {
    return undefined;
  }
}
