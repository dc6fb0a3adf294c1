import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { parseSettings } from './parse-settings.js';
import type { Settings } from './schema.js';

export interface LoadedSettings {
  /** The environment: the name of the file without `.json`. */
  readonly environment: string;
  readonly settings: Settings;
}

/**
 * Reads the settings of the chosen environment.
 *
 * @param folder holds one `<environment>.json` for each environment
 * @param environment @default - the environment variable `CONNECTIVITY_ENV`
 * @throws ConnectivityError `settings.environment`, `settings.invalid`
 */
export function loadSettings(
  folder: string,
  environment: string | undefined = process.env.CONNECTIVITY_ENV,
): LoadedSettings {
  const environments = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
  if (environment === undefined || environment === '') {
    throw new ConnectivityError(
      'settings.environment',
      `\`CONNECTIVITY_ENV\` is not set; choose one of: ${environments.join(', ')}`,
    );
  }
  if (!environments.includes(environment)) {
    throw new ConnectivityError(
      'settings.environment',
      `\`CONNECTIVITY_ENV\` must name a settings file, got: "${environment}"; choose one of: ${environments.join(', ')}`,
    );
  }
  const file = join(folder, `${environment}.json`);
  const text = readFileSync(file, 'utf8');
  return { environment, settings: parseSettings(text, relative(process.cwd(), file)) };
}
