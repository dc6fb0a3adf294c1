import { usageError } from '../../../codes/connectivity-error.js';

/** Options with which Terraform would plan, or keep its state, for something other than the stack. */
const REFUSED = /^--?(target|target-file|exclude|state|state-out|backup|destroy|var|var-file)(=|$)/;

/** Options of a plan that Terraform also takes with `apply` and `destroy`. */
const PLANNING = /^--?(refresh|refresh-only|replace)(=|$)/;

const LOCKING = /^--?lock(-timeout)?(=|$)/;

const VARIABLES = ['', '_init', '_plan', '_apply', '_destroy'].map((end) => `TF_CLI_ARGS${end}`);

/** Refuses what Terraform's own variables must not add to a deploy. @throws ConnectivityError `usage.invalid` */
export function refuseTerraformWords(env: NodeJS.ProcessEnv): void {
  for (const name of VARIABLES) {
    const word = wordsOf(env[name]).find((one) => REFUSED.test(one));
    if (word === undefined) continue;
    const option = word.replace(/=.*/s, '');
    const remedy = /var(-file)?$/.test(option)
      ? `give it as -${option.replace(/^-+/, '-')}`
      : 'run terraform itself in the folder of the stack';
    throw usageError(
      `\`${name}\` must not have ${option}, because a deploy plans and applies the whole stack, got: "${option}"; take it out, or ${remedy}`,
    );
  }
}

/**
 * Splits what Terraform's variables add to a change into its two runs. Options of a plan in
 * `TF_CLI_ARGS_apply` go to the plan, and `TF_CLI_ARGS_destroy` counts as that of the apply of a destroy.
 *
 * @param lockTimeout how long a run waits for a lock, unless the user's own words say it
 */
export function splitTerraformWords(
  verb: 'deploy' | 'destroy',
  lockTimeout: string,
  env: NodeJS.ProcessEnv,
) {
  const all = wordsOf(env.TF_CLI_ARGS);
  const plan = wordsOf(env.TF_CLI_ARGS_plan);
  const apply = wordsOf(env[verb === 'deploy' ? 'TF_CLI_ARGS_apply' : 'TF_CLI_ARGS_destroy']);
  const locks = [...all, ...plan].some(isLocking) ? [] : apply.filter(isLocking);
  const toPlan = [...plan, ...locks, ...apply.filter((word) => PLANNING.test(word))];
  const toApply = apply.filter((word) => !PLANNING.test(word));
  const waiting = (words: readonly string[]) =>
    [...all, ...words].some(isLocking) ? [] : [`-lock-timeout=${lockTimeout}`];
  return {
    env: { TF_CLI_ARGS_plan: toPlan.join(' '), TF_CLI_ARGS_apply: toApply.join(' ') },
    waiting: { plan: waiting(toPlan), apply: waiting(toApply) },
  };
}

const isLocking = (word: string) => LOCKING.test(word);

/** Words of a command line, with the quotes that they have. */
function wordsOf(text = ''): string[] {
  return text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
}
