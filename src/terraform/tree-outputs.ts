import { join } from 'node:path';
import { asObject } from '../files/json.js';
import { readJsonFile } from '../files/json-text.js';

/**
 * Reads the outputs of a synthesized stack, as they are before a deploy.
 *
 * @param folder holds the stack's `cdk.tf.json`
 * @throws UnboundedFile, SyntaxError; an error of the system
 */
export function readTreeOutputs(folder: string): Record<string, { readonly value?: unknown }> {
  const { output } = asObject(readJsonFile(join(folder, 'cdk.tf.json'))) ?? {};
  const named = Object.entries(asObject(output) ?? {});
  return Object.fromEntries(named.map(([name, body]) => [name, asObject(body) ?? {}]));
}
