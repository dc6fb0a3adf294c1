import { relative, resolve } from 'node:path';
import { stopOrAdoptLeftBehind } from '../../../adopt/adopt-stack.js';
import { readOwnState } from '../../../adopt/own-state.js';
import { saveUnsavedStates } from '../../../adopt/unsaved-states.js';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { readStackFile } from '../../../terraform/configuration-files.js';
import type { ChangingStack } from '../../../terraform/terraform-folder.js';
import { isWithin } from '../../program/named-files.js';
import type { StackFacts } from '../tree/stack-facts.js';

/**
 * Checks that a stack may be planned. A step that throws stops the stack: Terraform does not plan it, and
 * `deploy` ends with the status of the error.
 *
 * @returns whether the search for what an interrupted deploy left is still to be made, on the plan itself:
 * where the state is empty, one without a refresh would be the same
 */
export async function beforePlan(stack: ChangingStack): Promise<boolean> {
  await saveUnsavedStates(stack);
  // It must be the stack's own in any case.
  const state = await readOwnState(stack);
  if (stack.command !== 'apply' || stack.context.adopt === 'off') return false;
  const isEmpty = !(state.resources ?? []).some(({ mode }) => mode === 'managed');
  if (isEmpty && stack.context.adopt === 'stop') return true;
  await stopOrAdoptLeftBehind(stack);
  return false;
}

/**
 * Stops a CI job that keeps the state in its checkout: the next job would find none, and make
 * everything again.
 *
 * @throws ConnectivityError `deploy.state`
 */
export async function refuseStateInCheckout(stack: ChangingStack): Promise<void> {
  // These CI systems clean the checkout before each job.
  const isCleaned = ['GITHUB_ACTIONS', 'GITLAB_CI'].some((name) => process.env[name] === 'true');
  if (!isCleaned || process.env.CONNECTIVITY_STATE_FOLDER) return;
  const { terraform } = readStackFile(stack.folder);
  const local = terraform?.backend?.local;
  if (local === undefined) return;
  const file = resolve(stack.folder, local.path ?? 'terraform.tfstate');
  if (!isWithin(stack.context.project, file)) return;
  const inside = relative(stack.context.project, file);
  throw new ConnectivityError(
    'deploy.state',
    `the state must not be in the checkout, which the next job cleans, got: ${inside}; set \`state\` to a remote backend, or \`CONNECTIVITY_STATE_FOLDER\` to a folder outside that stays on the runner`,
  );
}

/** The setting that lets a resource go, by its type. */
const SETTINGS: Readonly<Record<string, string>> = {
  volcenginecc_privatelink_vpc_endpoint: 'serviceEndpoint.preventDestroy',
  volcenginecc_privatelink_endpoint_service: 'pluginEndpointService.preventDestroy',
};

/**
 * Explains a plan that Terraform refused because it would destroy a resource that the stack protects.
 *
 * @param errors what Terraform wrote on stderr
 * @throws ConnectivityError `deploy.destroy-prevented`
 */
export function refuseKeptResources(
  verb: 'deploy' | 'destroy',
  { name }: { readonly name: string },
  { kept }: StackFacts,
  errors: string,
): void {
  if (!/Instance cannot be destroyed/.test(errors)) return;
  const text = errors.replace(/[\s│]+/g, ' ');
  const named = kept.filter((address) => text.includes(`Resource ${address} has `));
  const what = named.length === 0 ? kept : named;
  if (what[0] === undefined) return;
  const would = verb === 'destroy' ? 'be destroyed' : 'be destroyed or replaced';
  const types = what.map((address) => address.slice(0, address.indexOf('.')));
  const settings = [...new Set(types.flatMap((type) => SETTINGS[type] ?? []))];
  const remedy =
    settings.length === 0
      ? 'set `preventDestroy` of its construct to false'
      : `set ${settings.map((name) => `\`${name}\``).join(' and ')} to false in the settings`;
  throw new ConnectivityError(
    'deploy.destroy-prevented',
    `${what.join(' and ')} of ${name} must not ${would} while \`preventDestroy\` is true, got: a plan that does so; nothing was changed. To allow it, ${remedy}, and run this again`,
  );
}
