import { App, type AppConfig } from 'cdktf';
import type { LoadedSettings } from 'cdktf-secure-connectivity/settings';
import { ApiAccess } from './api-access.ts';
import { PluginAccess } from './plugin-access.ts';

/** The app of one environment, with every stack that its settings name. */
export function environmentApp({ environment, settings }: LoadedSettings, config?: AppConfig): App {
  const app = new App(config);
  new ApiAccess(app, `api-access-${environment}`, settings);
  if (PluginAccess.isNamed(settings)) {
    new PluginAccess(app, `plugin-access-${environment}`, settings);
  }
  return app;
}
