import { join } from 'node:path';
import type { Block } from '../../reach/read/merge-files.js';
import { isObject, type Json, type JsonObject, readTexts } from '../json.js';
import { toList } from './understand.js';

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
