import { normalize, resolve } from 'node:path';
import { isObject } from '../files/json.js';

/**
 * Names the place of a state, as a text that is equal for equal places.
 *
 * @param folder that of the stack, from which a local path leads
 */
export function statePlace(type: string, config: unknown, folder: string): string {
  const { path, ...rest } = stateSettings(type, config);
  const isFile = type === 'local' && typeof path === 'string';
  return JSON.stringify([type, { ...rest, path: isFile ? resolve(folder, path) : path }]);
}

/**
 * Returns the settings of a backend, equal for what is equal for Terraform: an argument that is null is one
 * that is absent, and a local state without a path has one.
 */
export function stateSettings(type: string, config: unknown): Readonly<Record<string, unknown>> {
  const [one] = Array.isArray(config) ? config : [config];
  const given = withoutNulls(isObject(one) ? one : {});
  const { path = '' } = given;
  if (type !== 'local' || typeof path !== 'string') return given;
  return { ...given, path: path === '' ? 'terraform.tfstate' : normalize(path) };
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

/** Names the place of the state that a stack's block of settings says. @param terraform the block */
export function placeOfStack(terraform: unknown, folder: string): string {
  const backend = isObject(terraform) ? terraform.backend : undefined;
  const [type, config] = Object.entries(isObject(backend) ? backend : {})[0] ?? ['local', {}];
  return statePlace(type, config, folder);
}
