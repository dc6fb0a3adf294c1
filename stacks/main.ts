import { fileURLToPath } from 'node:url';
import { App } from 'cdktf';
import { exitOnMistake } from 'cdktf-secure-connectivity';
import { loadSettings } from 'cdktf-secure-connectivity/settings';
import { ApiAccess } from './api-access.js';
import { PluginAccess } from './plugin-access.js';

const SETTINGS = fileURLToPath(new URL('settings', import.meta.url));

exitOnMistake(() => {
  const { environment, settings } = loadSettings(process.env.CONNECTIVITY_SETTINGS ?? SETTINGS);
  const app = new App();
  new ApiAccess(app, `api-access-${environment}`, settings);
  if (PluginAccess.isNamed(settings)) {
    new PluginAccess(app, `plugin-access-${environment}`, settings);
  }
  app.synth();
});
