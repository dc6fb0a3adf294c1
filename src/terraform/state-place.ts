import { resolve } from 'node:path';
import { isObject } from '../files/json.js';

/**
 * Names the place of a state, as a text that is equal for equal places. For Terraform, an argument that is
 * null is one that is absent.
 *
 * @param folder that of the stack, from which a local path leads
 */
export function statePlace(type: string, config: unknown, folder: string): string {
  const given = withoutNulls(isObject(config) ? config : {});
  const { path } = given;
  const isPlain = path === undefined || typeof path === 'string';
  return type === 'local' && isPlain
    ? JSON.stringify([type, { ...given, path: resolve(folder, path || 'terraform.tfstate') }])
    : JSON.stringify([type, given]);
}

/** Members that are not null, in the order of their names. */
function withoutNulls(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = Object.entries(config).filter(([, value]) => value !== null);
  return Object.fromEntries(
    members
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, isObject(value) ? withoutNulls(value) : value]),
  );
}

/** The folder in which a stack's synthesized backend keeps its state, as `statePlace` names it. */
export function placeOfStack(terraform: unknown, folder: string): string {
  const backend = isObject(terraform) ? terraform.backend : undefined;
  const [type, config] = Object.entries(isObject(backend) ? backend : {})[0] ?? ['local', {}];
  return statePlace(type, Array.isArray(config) ? config[0] : config, folder);
}
