import { App, TerraformOutput } from 'cdktf';
import { expect, test } from 'vitest';
import { parseModuleSettings } from '../../src/settings/load-settings.js';
import { soleVariable } from '../../src/terraform/expressions.js';
import { ModuleStack } from '../../stacks/module.ts';
import { temporaryFolder } from '../support/cleanup.js';
import { MODULE_SETTINGS } from '../support/hcl-root.js';

test('two things of one name are a mistake, told with both', async () => {
  const app = new App({ outdir: await temporaryFolder() });
  const settings = parseModuleSettings(
    JSON.stringify(MODULE_SETTINGS),
    'agents.json',
    soleVariable,
  );
  const stack = new ModuleStack(app, { environment: 'agents', ...settings });
  new TerraformOutput(stack, 'a-b', { value: 1 });
  new TerraformOutput(stack, 'a_b', { value: 2 });
  expect(() => app.synth()).toThrow(
    /`output\.a_b` must be the name of one thing, got: agents\/a_b and agents\/a-b; give one of them another name/,
  );
});
