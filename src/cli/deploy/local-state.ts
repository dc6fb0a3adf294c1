import { readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { ChangingStack } from './changing-stack.js';

/** Variables of CI systems that clean the checkout before each job. */
const CLEANING = ['GITHUB_ACTIONS', 'GITLAB_CI'] as const;

/**
 * Stops a CI job that keeps the state in its checkout: the next job would find none, and make
 * everything again.
 *
 * @throws ConnectivityError `deploy.state-in-checkout`
 */
export async function refuseStateInCheckout({ folder, context }: ChangingStack): Promise<void> {
  const cleaning = CLEANING.find((name) => process.env[name] === 'true');
  if (cleaning === undefined || process.env.CONNECTIVITY_STATE_FOLDER) return;
  const stack = JSON.parse(await readFile(join(folder, 'cdk.tf.json'), 'utf8')) as {
    readonly terraform?: { readonly backend?: { readonly local?: { readonly path?: string } } };
  };
  const local = stack.terraform?.backend?.local;
  if (local === undefined) return;
  const file = resolve(folder, local.path ?? 'terraform.tfstate');
  const inside = relative(context.project, file);
  if (inside.startsWith(`..${sep}`)) return;
  throw new ConnectivityError(
    'deploy.state-in-checkout',
    `the state must not be in the checkout, which the next job cleans, got: ${inside}; set \`state\` to a remote backend, or \`CONNECTIVITY_STATE_FOLDER\` to a folder outside that stays on the runner`,
  );
}
