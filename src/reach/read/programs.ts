import { NAMED_PROGRAM, withoutShell } from '../../link/verifier-program.js';
import { list, object, text } from './json.js';
import type { TerraformResource } from './terraform-json.js';

/** The program of this package, by its path from the folder of the stack: outside of the tree, which a change writes. */
const PROGRAM = /^(?:\/|(?:\.\.\/){3})(?:[^$%]*\/)?dist\/cli\/main\.js$/;

/** Reads the program of this package and its arguments from a `local-exec`; nothing where it is another. */
export function readProgram(step: Readonly<Record<string, unknown>>): readonly string[] {
  const interpreter = withoutShell(list(step.interpreter).map(text));
  const [program = '', ...rest] = interpreter;
  if (program === NAMED_PROGRAM) return interpreter;
  return program === 'node' && PROGRAM.test(rest[0] ?? '') ? rest : [];
}

/** The variables that the steps of this package set; of others, such as `NODE_OPTIONS`, each can run another program. */
const ENVIRONMENT = ['LINKS', 'PRIVATE_KEY', 'PRIVATE_KEY_FILE', 'KEY_ID'].map(
  (name) => `SECURE_CONNECTIVITY_${name}`,
);

/** Lists arguments and variables of a `local-exec` that no step of this package has. */
export function unknownOfStep(step: Readonly<Record<string, unknown>>): string[] {
  const known = ['command', 'interpreter', 'environment'];
  return [
    ...Object.keys(step).filter((name) => !known.includes(name)),
    ...Object.keys(object(step.environment)).filter((name) => !ENVIRONMENT.includes(name)),
  ];
}

/** Tells whether Terraform runs something for a resource that is no check of this package. */
export function runsOtherProgram({
  kind,
  type,
  body,
}: Omit<TerraformResource, 'address'>): boolean {
  if (kind === 'data') return type === 'external';
  const steps = list(body.provisioner).flatMap((one) => Object.entries(object(one)));
  return steps.some(
    ([name, step]) => name !== 'local-exec' || list(step).some((one) => isOther(object(one))),
  );
}

function isOther(step: Readonly<Record<string, unknown>>): boolean {
  return readProgram(step)[1] !== 'verify' || unknownOfStep(step).length > 0;
}
