import { ConnectivityError } from '../../../codes/connectivity-error.js';
import type { StackFacts } from '../tree/stack-facts.js';

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
