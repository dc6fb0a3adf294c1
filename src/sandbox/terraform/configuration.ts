import type { Block } from '../../reach/read/merge-files.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { dataOfCheck, REMOTE_STATE, requiredProviders, type Understood } from './understand.js';

/** The changes that a sandbox makes to a configuration that it has understood. */
export interface Changes {
  /** The state of the stack, and of each other one that it reads. */
  readonly states: {
    readonly own: string;
    readonly of: (source: JsonObject) => string;
  };
  /** The provisioners that stay; undefined for none. */
  readonly provisioners?: (block: Block) => Json | undefined;
  /** True if `prevent_destroy` is left out. */
  readonly mayBeDestroyed?: boolean;
}

/**
 * Writes the configuration that Terraform sees in a sandbox: what was understood, on states of the
 * sandbox, without the programs and addresses that a stack names.
 */
export function writeConfiguration({ blocks }: Understood, changes: Changes): JsonObject {
  const written: JsonObject = {};
  const put = (path: readonly string[], body: JsonObject, isRepeated: boolean) => {
    let place = written;
    for (const name of path.slice(0, -1)) {
      const inner = place[name];
      place = isObject(inner) ? inner : own(place, name, {});
    }
    const last = path.at(-1) ?? '';
    const known = place[last];
    own(place, last, isRepeated ? [...(Array.isArray(known) ? known : []), body] : body);
  };
  for (const block of blocks) {
    const { kind, labels } = block;
    if (kind === 'terraform') continue;
    const isRepeated = ['provider', 'moved', 'removed', 'import'].includes(kind);
    put([kind, ...labels], changedBody(block, changes), isRepeated);
  }
  const versions = blocks.find(({ kind }) => kind === 'terraform')?.body ?? {};
  const required = requiredProviders(versions);
  const path = changes.states.own;
  return {
    ...written,
    terraform: {
      ...(typeof versions.required_version === 'string' && {
        required_version: versions.required_version,
      }),
      ...(Object.keys(required).length > 0 && { required_providers: required }),
      backend: { local: { path, workspace_dir: `${path}.d` } },
    },
  };
}

/** Sets a member of its own, whatever its name. */
function own<T extends Json>(place: JsonObject, name: string, value: T): T {
  Object.defineProperty(place, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return value;
}

function changedBody(block: Block, changes: Changes): JsonObject {
  const { kind, labels } = block;
  const body = block.body as JsonObject;
  if (kind === 'provider') return pick(body, ['alias', 'region', 'version']);
  if (kind === 'data' && labels[0] === REMOTE_STATE) return remoteState(body, changes);
  if (kind === 'check') return changedCheck(block, changes);
  if (kind !== 'resource' && kind !== 'removed') return body;
  const { provisioner: _, connection: __, lifecycle, ...rest } = body;
  const kept = changes.provisioners?.(block);
  return {
    ...rest,
    ...(lifecycle !== undefined && { lifecycle: changedLifecycle(lifecycle, changes) }),
    ...(kept !== undefined && { provisioner: kept }),
  };
}

function changedLifecycle(lifecycle: Json, { mayBeDestroyed = false }: Changes): Json {
  if (!isObject(lifecycle) || !mayBeDestroyed) return lifecycle;
  const { prevent_destroy: _, ...rest } = lifecycle;
  return rest;
}

function changedCheck(block: Block, changes: Changes): JsonObject {
  const { data: _, ...rest } = block.body as JsonObject;
  const sources = dataOfCheck(block).map(({ labels: [type = '', name = ''], body }) => {
    const read = body as JsonObject;
    return { [type]: { [name]: type === REMOTE_STATE ? remoteState(read, changes) : read } };
  });
  return { ...rest, ...(sources.length > 0 && { data: sources }) };
}

const REPEATING = ['count', 'for_each', 'depends_on', 'defaults', 'lifecycle'];

function remoteState(body: JsonObject, { states }: Changes): JsonObject {
  const config = { path: states.of(body) };
  return { ...pick(body, REPEATING), backend: 'local', config };
}

function pick(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}
