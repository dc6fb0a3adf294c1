import * as z from 'zod';
import { isObject, type JsonObject } from '../../files/json.js';
import { writeWhole } from '../../files/whole-file.js';
import { unwritable } from '../program/named-files.js';

const outputsSchema = z.record(
  z.string(),
  z.object({ sensitive: z.boolean().default(false), value: z.unknown() }),
);

/**
 * Reads what `terraform output -json` prints, nested by construct as `cdktf` writes it.
 *
 * @param names the stack's own table of its outputs: names in Terraform, by construct
 * @returns without sensitive values unless they are asked for
 */
export function readStackOutputs(
  text: string,
  names: JsonObject | undefined,
  withSensitive: boolean,
) {
  const shown = Object.entries(outputsSchema.parse(JSON.parse(text))).filter(
    ([, { sensitive }]) => withSensitive || !sensitive,
  );
  const values = new Map(shown.map(([name, { value }]) => [name, value]));
  return names === undefined ? Object.fromEntries(values) : nest(names, values);
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

/** Replaces the file as a whole. @throws ConnectivityError `usage.invalid`, `output.lost` */
export function writeOutputsFile(file: string, outputs: JsonObject, withSensitive: boolean): void {
  try {
    const text = `${JSON.stringify(outputs, null, 2)}\n`;
    writeWhole(file, text, withSensitive ? { mode: 0o600 } : {});
  } catch (cause) {
    throw unwritable('--outputs-file', file, cause);
  }
}
