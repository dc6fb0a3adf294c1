import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConnectivityError } from '../../codes/connectivity-error.js';

/**
 * The addresses of a synthesized stack's resources.
 *
 * @param folder holds the stack's `cdk.tf.json`
 * @throws ConnectivityError `usage.invalid`
 */
export async function readStack(folder: string): Promise<string[]> {
  const file = join(folder, 'cdk.tf.json');
  try {
    const stack = JSON.parse(await readFile(file, 'utf8')) as {
      readonly resource?: Readonly<Record<string, object>>;
    };
    return Object.entries(stack.resource ?? {}).flatMap(([type, named]) =>
      Object.keys(named).map((name) => `${type}.${name}`),
    );
  } catch (cause) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--stack-folder\` must hold the cdk.tf.json of a synthesized stack, got: "${folder}"; run cdktf synth`,
      { cause },
    );
  }
}
