import { basename } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { ModuleSettings } from '../../settings/module-settings.js';
import { readNamedFile } from './named-files.js';

/** The pattern of an environment's name, which becomes part of the names of stacks and folders. */
const ENVIRONMENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Reads the settings file that `--settings` names; its name without `.json` is the environment.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export async function readSettings(file: string): Promise<LoadedSettings> {
  const environment = environmentOf(file);
  const { parseSettings, withIntents } = await import('../../settings/load-settings.js');
  return withIntents(environment, parseSettings(await readNamedFile('--settings', file), file));
}

/** Reads the settings of a module, in which some texts may be variables. @throws ConnectivityError `usage.invalid` */
export async function readModuleSettings(
  file: string,
): Promise<ModuleSettings & { readonly environment: string }> {
  const environment = environmentOf(file);
  const [{ parseModuleSettings }, { soleVariable }] = await Promise.all([
    import('../../settings/load-settings.js'),
    import('../../terraform/expressions.js'),
  ]);
  const text = await readNamedFile('--settings', file);
  return { environment, ...parseModuleSettings(text, file, soleVariable) };
}

function environmentOf(file: string): string {
  const environment = basename(file, '.json');
  if (!file.endsWith('.json') || !ENVIRONMENT.test(environment)) {
    throw usageError(
      `\`--settings\` must be named for its environment, as production.json is, in letters, digits, \`.\`, \`_\` and \`-\`, got: "${file}"`,
    );
  }
  return environment;
}
