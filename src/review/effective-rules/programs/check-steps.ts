import { list, object, text } from '../../read/json.js';
import type { TerraformStackJson } from '../../read/terraform-json.js';
import { type EffectiveFlow, type Fact, makeFacts, safeguardOf } from '../reading.js';

/** Folders that differ from checkout to checkout, and mean the same. */
export interface Checkout {
  /** What precedes the project's files in the paths of a tree; empty where it is not known. */
  readonly prefix: string;
}

/** What a program of a deploy is judged by, beside its own resource. */
export interface StackContext {
  readonly stack: TerraformStackJson;
  readonly checkout: Checkout;
  /** What Terraform lets through. */
  readonly flows: readonly EffectiveFlow[];
}

const PROGRAM =
  /^((?:\.\.\/)*.*?)((?:node_modules\/cdktf-secure-connectivity\/)?dist\/cli\/main\.js)$/;

/** Reads the folder of the project off the program of a check. */
export function findCheckout(stacks: readonly TerraformStackJson[]): Checkout {
  for (const { resources } of stacks) {
    for (const { body } of resources.filter(({ type }) => type === 'null_resource')) {
      const [step] = list(body.provisioner).flatMap((one) => list(object(one)['local-exec']));
      const program = text(list(object(step).interpreter)[1]);
      const [, prefix] = PROGRAM.exec(program) ?? [];
      if (prefix !== undefined) return { prefix };
    }
  }
  return { prefix: '' };
}

/** A path in the project, whatever folder the project is in. */
function projectPath(path: string, { prefix }: Checkout): string {
  return prefix !== '' && path.startsWith(prefix) ? `<project>/${path.slice(prefix.length)}` : path;
}

/** On the PATH where Terraform runs. */
const NAMED_PROGRAM = 'secure-connectivity';

/** The program of this package, named or in the project's own folder, and its arguments; nothing where it is another. */
function readProgram(interpreter: readonly string[], { prefix }: Checkout): string[] {
  const [program = '', ...rest] = interpreter;
  if (program === NAMED_PROGRAM) return [program, ...rest];
  const isOwn = program === 'node' && PROGRAM.exec(rest[0] ?? '')?.[1] === prefix;
  return isOwn ? rest : [];
}

export const LINKS = 'SECURE_CONNECTIVITY_LINKS';
const KEY = 'SECURE_CONNECTIVITY_PRIVATE_KEY';
const ENVIRONMENT = [LINKS, KEY, `${KEY}_FILE`, 'SECURE_CONNECTIVITY_KEY_ID'];

/** A program of this package that a deploy runs. */
export interface Step {
  readonly command: string;
  readonly program: string;
  /** What follows the arguments: for a check its title, for a preflight the API host. */
  readonly argument: string;
  readonly environment: Readonly<Record<string, unknown>>;
  readonly unread: readonly string[];
}

/**
 * What every program of a deploy runs as.
 *
 * @param name as people call it: the check, the preflight
 * @param signing those that sign a JWT
 */
export function programFacts(
  address: string,
  name: string,
  steps: readonly Step[],
  signing: readonly Step[],
  checkout: Checkout,
): Fact[] {
  return makeFacts(
    safeguardOf(address),
    {
      'key-pairs': ['key pairs', 'any', 'another key pair signs, and is proved'],
      program: [`program of the ${name}`, 'any', 'another program runs at the deploy'],
    },
    {
      'key-pairs': signing.map(({ environment }) => readKeyPair(environment, checkout)),
      program: steps.map(({ program }) => projectPath(program, checkout)),
    },
  );
}

function readKeyPair(environment: Step['environment'], checkout: Checkout): string[] {
  const id = text(environment.SECURE_CONNECTIVITY_KEY_ID);
  const file = text(environment[`${KEY}_FILE`]);
  const isInline = text(environment[KEY]) !== '';
  if (id === '' && file === '' && !isInline) return [];
  const key = isInline ? ' and a key in the configuration' : '';
  return [`${id} in ${projectPath(file, checkout)}${key}`];
}

/** Of each provisioner the programs that it runs; what is not understood is `unread`. */
export function readProvisioner(provisioner: unknown, checkout: Checkout): Step[] {
  const others = Object.keys(object(provisioner)).filter((name) => name !== 'local-exec');
  return [
    ...list(object(provisioner)['local-exec']).map((step) => readStep(object(step), checkout)),
    ...others.map((name) => ({
      command: '',
      program: '',
      argument: '',
      environment: {},
      unread: [`a ${name}`],
    })),
  ];
}

function readStep(step: Readonly<Record<string, unknown>>, checkout: Checkout): Step {
  const [program, ...rest] = readProgram(list(step.interpreter).map(text), checkout);
  const environment = object(step.environment);
  const wait = rest.indexOf('--wait') + 1;
  const shape = rest.map((argument, i) =>
    i === wait && wait > 0 && /^\d+m?s$/.test(argument) ? '<wait>' : argument,
  );
  return {
    command: program === undefined ? '' : shape.join(' '),
    program: program ?? '',
    argument: text(step.command),
    environment,
    unread: [
      ...Object.keys(step).filter(
        (name) => !['command', 'interpreter', 'environment'].includes(name),
      ),
      ...Object.keys(environment).filter((name) => !ENVIRONMENT.includes(name)),
    ],
  };
}

/** The configuration of a backend, its paths without the folder of the checkout. */
export function statePath(value: string, checkout: Checkout): string {
  return value.replace(
    /("(?:path|workspace_dir)":)("(?:[^"\\]|\\.)*")/g,
    (_, name: string, path: string) => {
      const plain = text(JSON.parse(path));
      return `${name}${JSON.stringify(projectPath(plain, checkout))}`;
    },
  );
}
