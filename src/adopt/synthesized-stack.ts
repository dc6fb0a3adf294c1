import { join } from 'node:path';
import { readJsonFile } from '../files/json-text.js';

/** The part that is read of a synthesized stack. */
interface SynthesizedStack {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, Resource>>>>;
  readonly moved?: readonly { readonly from: string }[];
  readonly terraform?: {
    readonly backend?: { readonly local?: { readonly path?: string } };
    readonly cloud?: unknown;
  };
}

interface Resource {
  readonly lifecycle?: { readonly ignore_changes?: readonly string[] };
}

/** @param folder holds the stack's `cdk.tf.json` */
export async function readSynthesizedStack(folder: string): Promise<SynthesizedStack> {
  return readJsonFile(join(folder, 'cdk.tf.json')) as SynthesizedStack;
}

/** The resources of a stack by address. */
export function resourcesByAddress({ resource = {} }: SynthesizedStack): Map<string, Resource> {
  return new Map(
    Object.entries(resource).flatMap(([type, named]) =>
      Object.entries(named).map(([name, facts]) => [`${type}.${name}`, facts] as const),
    ),
  );
}
