import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../../codes/connectivity-error.js';
import { parseSettings } from '../../../settings/load-settings.js';
import type { Settings } from '../../../settings/schema.js';

const SETTINGS = join('stacks', 'settings');
const SANDBOX = 'sandbox.json';

const API = 'api-access-sandbox';
const PLUGINS = 'plugin-access-sandbox';
const OF_PLUGINS = ['pluginEndpointService', 'fixedIpIngress', 'userIdHeader'] as const;

/** A copy of a project's settings, which the demo changes. */
export class DemoSettings {
  readonly folder: string;
  readonly #file: string;

  /**
   * @param scratch where the copy goes
   * @throws ConnectivityError `usage.invalid`
   */
  constructor(scratch: string) {
    if (!existsSync(join(SETTINGS, SANDBOX))) {
      throw usageError(
        `\`sandbox demo\` must run in a project that \`init\` has made, got: ${process.cwd()}, which has no ${join(SETTINGS, SANDBOX)}; make one by: npx cdktf-secure-connectivity init DIR`,
      );
    }
    this.folder = join(scratch, 'settings');
    this.#file = join(this.folder, SANDBOX);
    cpSync(SETTINGS, this.folder, { recursive: true });
  }

  get current(): Settings {
    return parseSettings(readFileSync(this.#file, 'utf8'), join(SETTINGS, SANDBOX));
  }

  get stacks(): { readonly api: string; readonly plugins: string | undefined } {
    const { current } = this;
    const hasPlugins = OF_PLUGINS.some((option) => current[option] !== undefined);
    return { api: API, plugins: hasPlugins ? PLUGINS : undefined };
  }

  change(option: 'serviceEndpoint' | 'pluginEndpointService', changes: object): void {
    const all = JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, object>;
    const changed = { ...all, [option]: { ...all[option], ...changes } };
    writeFileSync(this.#file, JSON.stringify(changed));
  }
}
