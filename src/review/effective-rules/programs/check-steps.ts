import { groupBy } from '../../../lists/group-by.js';
import { list, object, text } from '../../../reach/read/json.js';
import { readProgram, unknownOfStep } from '../../../reach/read/programs.js';
import { fingerprint, type TerraformStackJson } from '../../../reach/read/terraform-json.js';
import {
  type EffectiveFlow,
  type Fact,
  makeFacts,
  safeguardOf,
} from '../../../reach/rules/reading.js';

/** The surroundings that a deploy's program is judged by, beside its own resource. */
export interface StackContext {
  readonly stack: TerraformStackJson;
  /** Flows that Terraform lets through. */
  readonly flows: readonly EffectiveFlow[];
}

export const LINKS = 'SECURE_CONNECTIVITY_LINKS';
const KEY = 'SECURE_CONNECTIVITY_PRIVATE_KEY';

/** A program of this package that a deploy runs. */
export interface Step {
  readonly command: string;
  readonly program: string;
  readonly environment: Readonly<Record<string, unknown>>;
  readonly unread: readonly string[];
}

/**
 * The identity and place that every program of a deploy runs with.
 *
 * @param name as people call it: the check, the preflight
 * @param signing those that sign a JWT
 */
export function programFacts(
  address: string,
  name: string,
  steps: readonly Step[],
  signing: readonly Step[],
): Fact[] {
  return makeFacts(
    safeguardOf(address),
    {
      'key-pairs': [
        'key pairs',
        'any',
        'the JWTs are signed with another key pair, and the check proves only that one',
      ],
      program: [`program of the ${name}`, 'any', 'another program runs at the deploy'],
    },
    {
      'key-pairs': signing.map(({ environment }) => readKeyPair(environment)),
      program: steps.map(({ program }) => program),
    },
  );
}

function readKeyPair(environment: Step['environment']): string[] {
  const id = text(environment.SECURE_CONNECTIVITY_KEY_ID);
  const file = text(environment[`${KEY}_FILE`]);
  const inline = text(environment[KEY]);
  if (id === '' && file === '' && inline === '') return [];
  const key =
    inline === '' ? '' : ` and a key in the configuration (SHA-256 ${fingerprint(inline)})`;
  return [`${id} in ${file}${key}`];
}

/** The program that most steps of a stack run: one of another path beside it is another program. */
export function commonestProgram({ resources }: TerraformStackJson): string | undefined {
  const programs = resources
    .filter(({ type }) => type === 'null_resource')
    .flatMap(({ body }) => list(body.provisioner).flatMap(readProvisioner))
    .map(({ program }) => program)
    .filter((program) => program !== '');
  const [most] = [...groupBy(programs, (program) => program).values()].sort(
    (a, b) => b.length - a.length,
  );
  return most?.[0];
}

/** Reads the programs that a provisioner runs; what is not understood is `unread`. */
export function readProvisioner(provisioner: unknown): Step[] {
  const others = Object.keys(object(provisioner)).filter((name) => name !== 'local-exec');
  return [
    ...list(object(provisioner)['local-exec']).map((step) => readStep(object(step))),
    ...others.map((name) => ({
      command: '',
      program: '',
      environment: {},
      unread: [`a ${name}`],
    })),
  ];
}

function readStep(step: Readonly<Record<string, unknown>>): Step {
  const [program, ...rest] = readProgram(step);
  const environment = object(step.environment);
  const wait = rest.indexOf('--wait') + 1;
  const shape = rest.map((argument, i) =>
    i === wait && wait > 0 && /^\d+m?s$/.test(argument) ? '<wait>' : argument,
  );
  return {
    command: program === undefined ? '' : shape.join(' '),
    program: program ?? '',
    environment,
    unread: unknownOfStep(step),
  };
}
