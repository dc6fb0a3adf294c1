import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Testing } from 'cdktf';
import { loadSettings } from 'cdktf-secure-connectivity/settings';
import { expectAccess } from 'cdktf-secure-connectivity/testing';
import { ApiAccess } from '../stacks/api-access.ts';
import { PluginAccess } from '../stacks/plugin-access.ts';

const SETTINGS = 'stacks/settings';

function stacksOf(environment: string) {
  const { settings } = loadSettings(SETTINGS, environment);
  const app = Testing.app({ outdir: 'cdktf.out' });
  return {
    api: new ApiAccess(app, `api-access-${environment}`, settings),
    plugins: new PluginAccess(app, `plugin-access-${environment}`, settings),
  };
}

for (const file of readdirSync(SETTINGS)) {
  test(`${file} makes stacks without a mistake`, () => {
    const { api, plugins } = stacksOf(file.replace(/\.json$/, ''));
    Testing.synth(api, true);
    Testing.synth(plugins, true);
  });
}

test('in production, our network and no other reaches the service through the endpoint', () => {
  expectAccess(stacksOf('production').api)
    .toAllow({ from: '10.30.0.0/16', port: 443, subject: 'agent-service' })
    .toDenyAll({ from: '192.168.0.0/16' });
});

test('in production, the account of the service and no other may connect to the plugin', () => {
  expectAccess(stacksOf('production').plugins)
    .toAllow({ from: { account: '2100000001' }, port: 80, subject: 'orders' })
    .toDenyAll({ from: { account: '2100000002' } })
    .toDenyAll({ from: '10.0.0.0/8' });
});
