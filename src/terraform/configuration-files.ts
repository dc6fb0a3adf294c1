import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../codes/connectivity-error.js';
import { asObject, readJsonFile } from '../files/json.js';

/** The file that a synthesis writes for each stack. */
const STACK_FILE = 'cdk.tf.json';

/** Names the file of a stack. @param folder that of the stack */
export const stackFile = (folder: string): string => join(folder, STACK_FILE);

/**
 * Finds the folder of a synthesized stack.
 *
 * @param option names the stack in an error
 * @param stack its name, where cdktf synthesized it to `cdktf.out`, or else its folder
 * @throws ConnectivityError `usage.invalid`
 */
export function findStackFolder(option: string, stack: string): string {
  const folders = [join('cdktf.out', 'stacks', stack), stack];
  const folder = folders.find((one) => existsSync(stackFile(one)));
  if (folder !== undefined) return folder;
  throw usageError(
    `\`${option}\` must be the name of a stack in cdktf.out/stacks, or a folder with a cdk.tf.json, got: "${stack}"; synthesize it first`,
  );
}

/** The part that is read here of a synthesized stack. */
interface StackFile {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, StackResource>>>>;
  readonly moved?: readonly { readonly from: string }[];
  readonly output?: unknown;
  readonly terraform?: {
    readonly backend?: { readonly local?: { readonly path?: string } };
    readonly cloud?: unknown;
  };
}

interface StackResource {
  readonly lifecycle?: { readonly ignore_changes?: readonly string[] };
}

/**
 * Reads the file of a stack.
 *
 * @param folder that of the stack
 * @throws UnboundedFile, SyntaxError; an error of the system
 */
export function readStackFile(folder: string): StackFile {
  return asObject(readJsonFile(stackFile(folder))) ?? {};
}

/** Reads the outputs of a stack, as they are before a deploy. @throws like {@link readStackFile} */
export function readTreeOutputs(folder: string): Record<string, { readonly value?: unknown }> {
  const named = Object.entries(asObject(readStackFile(folder).output) ?? {});
  return Object.fromEntries(named.map(([name, body]) => [name, asObject(body) ?? {}]));
}

/** Returns the resources of a stack by address. */
export function resourcesByAddress<Resource>({
  resource = {},
}: {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, Resource>>>> | undefined;
}): Map<string, Resource> {
  return new Map(
    Object.entries(resource).flatMap(([type, named]) =>
      Object.entries(named).map(([name, facts]) => [`${type}.${name}`, facts] as const),
    ),
  );
}

const CONFIGURATION = /\.(tf|tofu)(\.json)?$|\.tfvars(\.json)?$/;

/** Tells whether Terraform would load a file beside a stack's own. @param name without its folder */
export function isMoreConfiguration(name: string): boolean {
  return CONFIGURATION.test(name) && name !== STACK_FILE;
}

/** Lists what Terraform would load in a tree beside the stacks' own files, by path, with the time of its last change. */
export function moreConfiguration(tree: string): ReadonlyMap<string, bigint> {
  const stacks = join(tree, 'stacks');
  if (!existsSync(stacks)) return new Map();
  const folders = readdirSync(stacks).map((name) => join(stacks, name));
  return new Map(
    folders
      .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      .flatMap((folder) =>
        readdirSync(folder)
          .filter(isMoreConfiguration)
          .map((name) => join(folder, name)),
      )
      .map((file) => [
        file,
        statSync(file, { throwIfNoEntry: false, bigint: true })?.mtimeNs ?? 0n,
      ]),
  );
}
