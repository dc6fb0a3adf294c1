import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { isObject, type JsonObject, readText } from '../json.js';

/** Overrides what a stack says of its state; the last name in Terraform's order, so that it wins. */
export const OVERRIDE_FILE = '~secure_connectivity_sandbox_override.tf.json';

/** A backend, or another stack's that `terraform_remote_state` reads. */
interface Backend {
  readonly type: string;
  readonly config: JsonObject;
}

/**
 * The file in which a stack keeps its state in a sandbox: that of its own local backend where this is
 * in the sandbox already, else one that is named for the backend, so that a stack which reads the
 * state of another one finds it. A stack that names no whole backend has one for its folder.
 */
export function sandboxState(stackFolder: string, terraformFolder: string): string {
  const terraform = readBlocks(stackFolder, 'terraform');
  const backend = terraform.flatMap(readBackends).at(-1);
  return stateIdentity(backend ?? { type: 'local', config: {} }, stackFolder, terraformFolder);
}

/** What replaces the stack's backend, and leads each state that it reads into the sandbox. */
export function overridingBlocks(stackFolder: string, terraformFolder: string): JsonObject {
  const path = sandboxState(stackFolder, terraformFolder);
  const read = readBlocks(stackFolder, 'data')
    .map(({ terraform_remote_state: named }) => named)
    .filter(isObject)
    .flatMap((named) => Object.entries(named))
    .map(([name, source]): [string, JsonObject] => [
      name,
      {
        backend: 'local',
        config: { path: stateIdentity(readSource(source), stackFolder, terraformFolder) },
      },
    ]);
  return {
    terraform: { backend: { local: { path, workspace_dir: `${path}.d` } } },
    ...(read.length > 0 && { data: { terraform_remote_state: Object.fromEntries(read) } }),
  };
}

function stateIdentity({ type, config }: Backend, folder: string, terraformFolder: string): string {
  if (type === 'local') {
    const path = resolve(folder, readText(config, 'path') || 'terraform.tfstate');
    if (path.startsWith(`${terraformFolder}${sep}`)) return path;
    return join(terraformFolder, 'states', `${digest(path)}.tfstate`);
  }
  // An empty block is filled in by the command line, differently for each folder.
  const name = Object.keys(config).length === 0 ? [type, folder] : [type, sorted(config)];
  return join(terraformFolder, 'states', `${digest(JSON.stringify(name))}.tfstate`);
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function readBackends(terraform: JsonObject): Backend[] {
  const { backend, cloud } = terraform;
  const named = firstObject(backend);
  const backends = Object.entries(named).map(([type, config]) => ({
    type,
    config: firstObject(config),
  }));
  return cloud === undefined
    ? backends
    : [...backends, { type: 'cloud', config: firstObject(cloud) }];
}

function readSource(source: unknown): Backend {
  const data = firstObject(source);
  return { type: readText(data, 'backend'), config: firstObject(data.config) };
}

/** JSON configuration may write a block as itself or as an array of one. */
function firstObject(block: unknown): JsonObject {
  const one: unknown = Array.isArray(block) ? block[0] : block;
  return isObject(one) ? one : {};
}

function sorted(config: JsonObject): [string, unknown][] {
  return Object.entries(config)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The blocks of a kind in the folder's JSON configuration. A stack in HCL is known by its folder. */
function readBlocks(folder: string, kind: 'terraform' | 'data'): JsonObject[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tf.json') && name !== OVERRIDE_FILE)
    .sort()
    .flatMap((name) => {
      const block: unknown = readObject(join(folder, name))[kind];
      return (Array.isArray(block) ? block : [block]).filter(isObject);
    });
}

/** What is no JSON is Terraform's to report. */
export function readObject(file: string): JsonObject {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(content) ? content : {};
  } catch {
    return {};
  }
}
