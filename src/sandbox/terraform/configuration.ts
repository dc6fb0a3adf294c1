import { join } from 'node:path';
import type { Block } from '../../reach/read/merge-files.js';
import { isObject, type Json, type JsonObject, readTexts } from '../json.js';
import {
  dataOfCheck,
  REMOTE_STATE,
  requiredProviders,
  toList,
  type Understood,
} from './understand.js';

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

const PROGRAM = /(?:^|\/)dist\/cli\/main\.js$/;

/** The arguments of `verify` in a stack, in one line; any other could read or write a file elsewhere. */
const ARGUMENTS =
  /^(?: (?:--links-from-environment|--report-only|--exit-status|--preflight(?: [\d.]+\/\d+)*|--title|--api-host [\w.-]+|--wait \d+m?s|--format json=connectivity-check\.json|--from connectivity-check\.json))+$/;

/** Flags of a check that name a command to be run, each with its value. */
const RUNS_OTHERS = '--run-via';

const KEY_FILE = 'SECURE_CONNECTIVITY_PRIVATE_KEY_FILE';
const ENVIRONMENT = new Set([
  'SECURE_CONNECTIVITY_LINKS',
  'SECURE_CONNECTIVITY_KEY_ID',
  'SECURE_CONNECTIVITY_PRIVATE_KEY',
  KEY_FILE,
]);

/**
 * The provisioners of a resource that are checks of this package, run by the program that runs the
 * sandbox and here, wherever the stack would run them; every other one is left out.
 *
 * @param program how to run this package
 * @param folder that of the stack, from which its paths lead
 */
export function ownChecks(
  { labels, body }: Block,
  program: readonly string[],
  folder: string,
): Json | undefined {
  if (labels[0] !== 'null_resource') return undefined;
  const steps = toList(body.provisioner)
    .filter(isObject)
    .flatMap((one) => toList(one['local-exec']))
    .filter(isObject)
    .flatMap((step) => ownStep(step, program, folder));
  return steps.length === 0 ? undefined : steps.map((step) => ({ 'local-exec': step }));
}

function ownStep(step: JsonObject, program: readonly string[], folder: string): JsonObject[] {
  const words = readTexts(step, 'interpreter');
  const isNamed = words[0] === 'secure-connectivity';
  const isOwn = isNamed || (words[0] === 'node' && PROGRAM.test(words[1] ?? ''));
  const [command = '', ...args] = words.slice(isNamed ? 1 : 2);
  if (!isOwn || command !== 'verify' || typeof step.command !== 'string') return [];
  const environment = isObject(step.environment) ? step.environment : {};
  if (Object.keys(environment).some((name) => !ENVIRONMENT.has(name))) return [];
  const via = args.flatMap((arg, i) => (arg === RUNS_OTHERS ? [i, i + 1] : []));
  const kept = args.filter((_, i) => !via.includes(i));
  if (!ARGUMENTS.test(kept.map((arg) => ` ${arg}`).join(''))) return [];
  const keyFile = environment[KEY_FILE];
  return [
    {
      interpreter: [...program, command, ...kept],
      command: step.command,
      environment: {
        ...environment,
        ...(typeof keyFile === 'string' && { [KEY_FILE]: join(folder, keyFile) }),
      },
    },
  ];
}
