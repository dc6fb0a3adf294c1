import * as z from 'zod';
import { isObject, type JsonObject } from '../../files/json.js';
import { writeWhole } from '../../files/whole-file.js';
import { runOrThrow } from '../../terraform/commands.js';
import { terraformFolder } from '../../terraform/terraform-folder.js';
import { unwritable } from '../program/named-files.js';
import type { ChangeRun, Flags } from './change-run.js';
import type { TreeStack } from './tree/stacks.js';

const outputsSchema = z.record(
  z.string(),
  z.object({ sensitive: z.boolean().default(false), value: z.unknown() }),
);

/**
 * Reads the outputs of a deployed stack, nested by construct as `cdktf` writes them, and without sensitive
 * values unless they are asked for.
 *
 * @param names the stack's own table of its outputs: names in Terraform, by construct
 */
export async function fetchOutputs(
  { program, env, context }: ChangeRun,
  { name, folder }: TreeStack,
  names: JsonObject | undefined,
  { outputsFileIncludeSensitiveOutputs: withSensitive }: Flags,
): Promise<JsonObject> {
  const stack = terraformFolder(folder, program, context.lockTimeout, env);
  const text = await runOrThrow(stack, ['output', '-json', '-no-color']);
  const shown = Object.entries(outputsSchema.parse(JSON.parse(text))).filter(
    ([, { sensitive }]) => withSensitive || !sensitive,
  );
  const values = new Map(shown.map(([output, { value }]) => [output, value]));
  return names === undefined ? { [name]: Object.fromEntries(values) } : nest(names, values);
}

function nest(names: JsonObject, values: ReadonlyMap<string, unknown>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([construct, name]): [string, unknown][] => {
      if (typeof name === 'string') {
        return values.has(name) ? [[construct, values.get(name)]] : [];
      }
      const inner = isObject(name) ? nest(name, values) : {};
      return Object.keys(inner).length === 0 ? [] : [[construct, inner]];
    }),
  );
}

/** Writes the file that is asked for, as a whole. @throws ConnectivityError `usage.invalid`, `output.lost` */
export function writeOutputs(
  { outputsFile: file, outputsFileIncludeSensitiveOutputs: withSensitive }: Flags,
  outputs: readonly JsonObject[],
): void {
  if (file === undefined) return;
  try {
    const text = `${JSON.stringify(Object.assign({}, ...outputs), null, 2)}\n`;
    writeWhole(file, text, withSensitive ? { mode: 0o600 } : {});
  } catch (cause) {
    throw unwritable('--outputs-file', file, cause);
  }
}
