import { list, object, text } from '../read/json-values.js';
import type { TerraformResource, TerraformStackJson } from '../read/terraform-json.js';
import { fingerprintOf, type Unread } from '../read/unread.js';
import type { Arguments } from './arguments.js';
import { type Fact, toValues } from './fact.js';

/** Folders that differ from checkout to checkout, and mean the same. */
export interface Checkout {
  /** What precedes the project's files in the paths of a tree; empty where it is not known. */
  readonly prefix: string;
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
export function projectPath(path: string, { prefix }: Checkout): string {
  return prefix !== '' && path.startsWith(prefix) ? `<project>/${path.slice(prefix.length)}` : path;
}

const VERIFY = [
  ...['verify', '--links-from-environment', '--wait', '<wait>', '--report-only'],
  ...['--format', 'json=connectivity-check.json', '--title'],
].join(' ');
const JUDGE = 'report connectivity-check.json --exit-status --title';

const LINKS = 'SECURE_CONNECTIVITY_LINKS';
const KEY = 'SECURE_CONNECTIVITY_PRIVATE_KEY';
const ENVIRONMENT = [LINKS, KEY, `${KEY}_FILE`, 'SECURE_CONNECTIVITY_KEY_ID'];

interface Step {
  readonly command: string;
  readonly program: string;
  readonly environment: Readonly<Record<string, unknown>>;
  readonly unread: readonly string[];
}

/** The check after the deploy; any other program that a deploy runs is unread. */
export function readCheck(
  { address, body }: TerraformResource,
  stack: TerraformStackJson,
  checkout: Checkout,
): Arguments {
  const steps = list(body.provisioner).flatMap(readProvisioner);
  const unread = steps.flatMap((step) => step.unread);
  const isCheck = steps.every(({ command }) => command === VERIFY || command === JUDGE);
  if (steps.length === 0) return { facts: [], unread: [] };
  if (!isCheck || unread.length > 0) {
    return { facts: [], unread: [unreadProgram(address, body.provisioner, unread)] };
  }
  const links = text(object(stack.outputs.connectivity).value);
  const triggers = object(body.triggers);
  const verifies = steps.filter(({ command }) => command === VERIFY);
  const judges = steps.length - verifies.length;
  const isSame = [triggers.links, ...verifies.map(({ environment }) => environment[LINKS])].every(
    (one) => text(one) === links,
  );
  const fact = (
    what: string,
    values: unknown,
    guards: Fact['guards'],
    consequence: string,
  ): Fact => ({
    kind: 'safeguard',
    resource: address,
    what,
    values: toValues(values),
    guards,
    consequence,
    isLasting: true,
  });
  const mode =
    judges === verifies.length ? ['runs', 'fails the deploy'] : judges === 0 ? ['runs'] : [];
  return {
    facts: [
      fact('check', mode, 'removed', 'a deploy that does not work is told as done'),
      fact(
        'check at',
        triggers.deployed === undefined ? ['changes'] : ['changes', 'every deploy'],
        'removed',
        'it is checked less often',
      ),
      fact(
        'check after a change of',
        Object.keys(triggers).filter((name) => name !== 'deployed' && name !== 'keys'),
        'removed',
        'it is not checked when that changes',
      ),
      fact(
        'not waited for by the check',
        unawaited(body, stack),
        'added',
        'the check can run before it is there',
      ),
      fact(
        'key pairs',
        verifies.map(({ environment }) => keyPairOf(environment, checkout)),
        'any',
        'another key pair signs, and is proved',
      ),
      fact(
        'program of the check',
        steps.map(({ program }) => projectPath(program, checkout)),
        'any',
        'another program runs at the deploy',
      ),
      fact(
        'links of the check',
        isSame ? [] : [fingerprintOf(steps)],
        'added',
        'what is checked is not what clients are told',
      ),
    ],
    unread: unreadTriggers(address, triggers),
  };
}

function keyPairOf(environment: Step['environment'], checkout: Checkout): string[] {
  const id = text(environment.SECURE_CONNECTIVITY_KEY_ID);
  if (id === '') return [];
  const key = environment[KEY] === '' ? '' : ' and a key in the configuration';
  return [`${id} in ${projectPath(text(environment[`${KEY}_FILE`]), checkout)}${key}`];
}

function unawaited(body: TerraformResource['body'], { resources }: TerraformStackJson): string[] {
  const awaited = new Set(list(body.depends_on));
  return resources
    .filter(({ type, kind }) => kind === 'resource' && type.startsWith('volcenginecc_'))
    .map(({ address }) => address)
    .filter((address) => !awaited.has(address));
}

const TRIGGERS = ['links', 'access', 'keys', 'deployed'];

function unreadTriggers(where: string, triggers: Readonly<Record<string, unknown>>): Unread[] {
  const deployed = triggers.deployed ?? '${timestamp()}';
  const odd = Object.entries(triggers).filter(
    ([name]) => !TRIGGERS.includes(name) || (name === 'deployed' && deployed !== '${timestamp()}'),
  );
  return odd.length === 0
    ? []
    : [
        {
          where,
          attribute: 'triggers',
          why: 'it is not known when the check runs',
          fingerprint: fingerprintOf(odd),
        },
      ];
}

function unreadProgram(where: string, provisioner: unknown, found: readonly string[]): Unread {
  const why =
    found.length > 0 ? `it has ${found.join(', ')}` : 'it is not the check of this package';
  return {
    where,
    attribute: 'provisioner',
    why: `a program runs at the deploy: ${why}`,
    fingerprint: fingerprintOf(provisioner),
  };
}

function readProvisioner(provisioner: unknown): Step[] {
  const others = Object.keys(object(provisioner)).filter((name) => name !== 'local-exec');
  return [
    ...list(object(provisioner)['local-exec']).map((step) => readStep(object(step))),
    ...others.map((name) => ({ command: '', program: '', environment: {}, unread: [`a ${name}`] })),
  ];
}

function readStep(step: Readonly<Record<string, unknown>>): Step {
  const [node, program, ...rest] = list(step.interpreter).map(text);
  const environment = object(step.environment);
  const wait = rest.indexOf('--wait') + 1;
  const shape = rest.map((argument, i) =>
    i === wait && wait > 0 && /^\d+s$/.test(argument) ? '<wait>' : argument,
  );
  return {
    command: node === 'node' ? shape.join(' ') : '',
    program: program ?? '',
    environment,
    unread: [
      ...Object.keys(step).filter(
        (name) => !['command', 'interpreter', 'environment'].includes(name),
      ),
      ...Object.keys(environment).filter((name) => !ENVIRONMENT.includes(name)),
    ],
  };
}
