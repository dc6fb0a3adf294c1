import { basename } from 'node:path';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { type LoadedSettings, parseSettings } from '../../settings/load-settings.js';
import { readNamedFile } from './read-named-file.js';

/** What can be a part of a stack's name, and of a folder's. */
const ENVIRONMENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const ENDING = '.json';

/**
 * Reads the settings file that `--settings` names; its name without `.json` is the environment.
 *
 * @throws ConnectivityError `usage.invalid`, `settings.invalid`
 */
export async function readSettings(file: string): Promise<LoadedSettings> {
  const environment = basename(file, ENDING);
  if (!file.endsWith(ENDING) || !ENVIRONMENT.test(environment)) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--settings\` must be named for its environment, as production.json is, in letters, digits, \`.\`, \`_\` and \`-\`, got: "${file}"`,
    );
  }
  return { environment, settings: parseSettings(await readNamedFile('--settings', file), file) };
}
