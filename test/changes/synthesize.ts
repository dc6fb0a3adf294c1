import { readFileSync } from 'node:fs';
import { App } from 'cdktf';
import { parseSettings } from 'cdktf-secure-connectivity/settings';
import { ApiAccess } from '../../stacks/api-access.js';
import { PluginAccess } from '../../stacks/plugin-access.js';
import { synthesizeApp } from '../support/synthesize-app.js';
import type { Settings } from './row.js';

export const STACKS = { 'api-access': ApiAccess, 'plugin-access': PluginAccess };

export type StackName = keyof typeof STACKS;

/**
 * Writes the tree of one stack in this process.
 *
 * @throws ConnectivityError where settings or constructs refuse
 */
export function synthesizeTo(outdir: string, name: StackName, settings: Settings): void {
  const { context } = JSON.parse(readFileSync('cdktf.json', 'utf8')) as { context: object };
  const app = new App({ outdir, context: context as Record<string, string> });
  const text = JSON.stringify(inEveryZone(settings));
  new STACKS[name](app, name, parseSettings(text, 'settings'));
  synthesizeApp(app);
}

/** The endpoint is in all zones of its network, so that more changes of the network concern it. */
function inEveryZone({ serviceEndpoint, network, ...others }: Settings): Settings {
  if (serviceEndpoint === undefined) return { network, ...others };
  const { subnets } = network as { readonly subnets: object };
  return {
    ...others,
    network,
    serviceEndpoint: { zones: Object.keys(subnets), ...(serviceEndpoint as object) },
  };
}
