import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StackRun } from '../support/stack-run.js';

const API = 'api-access-sandbox';
const PLUGINS = 'plugin-access-sandbox';

let run: StackRun;

beforeAll(async () => {
  run = await StackRun.start({ everyOption: true });
});
afterAll(() => run.stop());

const outputsFile = () => join(run.folder, 'outputs.json');

function deploy(...stacks: readonly string[]) {
  const outputs = ['--outputs-file', outputsFile()];
  return run.cdktf(['deploy', ...stacks, '--auto-approve', ...outputs]);
}

test('the settings of the sandbox deploy the five options, prove them and carry plugin calls', async () => {
  const first = await deploy(API, PLUGINS);
  expect(first.status, first.output).toBe(0);
  const outputs = readFileSync(outputsFile(), 'utf8');
  const { [PLUGINS]: plugins = {} } = JSON.parse(outputs) as Record<string, Outputs>;
  const serviceId = plugins['plugin-endpoint-service-id'] ?? '';

  const checked = await run.verify(['--outputs-file', outputsFile(), '--format', 'json']);
  expect(checked.status, checked.output).toBe(0);
  const { links, verdict } = JSON.parse(checked.stdout) as Checked;
  expect([verdict, links.map(({ name }) => name)]).toEqual([
    'reachable',
    ['service-endpoint', 'fixed-ip-egress'],
  ]);

  const asked = await run.cli(['sandbox', 'connect-plugin', serviceId]);
  run.change('sandbox', (settings) => {
    Object.assign(settings.pluginEndpointService as object, {
      acceptedEndpointIds: [asked.stdout.trim()],
    });
  });
  const second = await run.apply(PLUGINS);
  expect(second.status, second.output).toBe(0);
  const fixed = ['--from', '198.51.100.11', '--port', '8443'];
  for (const way of [[serviceId], fixed]) {
    const call = await run.cli(['sandbox', 'call-plugin', ...way, '--user-id', 'alice']);
    expect(JSON.parse(call.stdout), call.output).toMatchObject({ user_id: 'alice' });
  }
  const foreign = ['--from', '203.0.113.9', '--port', '8443', '--user-id', 'alice'];
  const refused = await run.cli(['sandbox', 'call-plugin', ...foreign]);
  expect(refused.status, refused.output).toBe(18);

  for (const stack of [API, PLUGINS]) {
    const plan = await run.terraform(stack, ['plan', '-detailed-exitcode', '-input=false']);
    expect(plan.status, plan.output).toBe(0);
  }
  const destroyed = await run.cdktf(['destroy', API, PLUGINS, '--auto-approve']);
  expect(destroyed.status, destroyed.output).toBe(0);
  expect(run.sandbox.resources()).toEqual([]);
}, 240_000);

interface Outputs {
  readonly [name: string]: string;
}

interface Checked {
  readonly verdict: string;
  readonly links: readonly { readonly name: string }[];
}
