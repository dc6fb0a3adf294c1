import { App, type AppConfig, type TerraformStack } from 'cdktf';
import { keepIntents } from 'cdktf-secure-connectivity';
import type { LoadedSettings } from 'cdktf-secure-connectivity/settings';
import { ApiAccess } from './api-access.ts';
import { PluginAccess } from './plugin-access.ts';

/** The app of one environment, with every stack that its settings name. */
export function environmentApp(loaded: LoadedSettings, config?: AppConfig): App {
  const { environment, settings, intents } = loaded;
  const app = new App(config);
  const stacks: TerraformStack[] = [new ApiAccess(app, `api-access-${environment}`, settings)];
  if (PluginAccess.isNamed(settings)) {
    stacks.push(new PluginAccess(app, `plugin-access-${environment}`, settings));
  }
  for (const stack of stacks) {
    if (intents) keepIntents(stack, intents, environment);
  }
  return app;
}
