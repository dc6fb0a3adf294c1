import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '../../src/terraform/program.js';
import { Consumer } from './support/consumer.js';

const STACK = 'terraform/stacks/api-access-agents';

const consumer = new Consumer();
let settings: { serviceEndpoint: object; check?: object };

beforeAll(async () => {
  await consumer.install(['cdktf@0.21', '@cdktf/provider-null@11', 'constructs@10']);
  const all = JSON.parse(readFileSync('stacks/settings/sandbox.json', 'utf8'));
  const {
    fixedIpEgress: _,
    pluginEndpointService: __,
    fixedIpIngress: ___,
    userIdHeader: ____,
    ...own
  } = all;
  settings = own;
  writeFileSync(join(consumer.folder, 'agents.json'), JSON.stringify(settings));
}, 300_000);
afterAll(() => consumer.stop());

const program = (args: readonly string[]) =>
  consumer.run(consumer.folder, 'secure-connectivity', args);

const synth = (out: string) => program(['synth', '--settings', 'agents.json', '--out', out]);

/** Each place where something runs has a state of its own. */
const inSandbox = (place: string, ...command: readonly string[]) =>
  program(['sandbox', '--state', `.sandbox-${place}`, '--', ...command]);

describe.each([
  ['terraform', 'by the path of the package', {}],
  ['terraform', 'by its name on the PATH', { check: { program: 'secure-connectivity' } }],
  ['tofu', 'by the path of the package', {}],
] as const)('a folder with a settings file and the package, and %s, the check %s', (name, how, more) => {
  const isThere = findProgram(name, process.env) !== undefined;
  const place = `${name}-${how.length}`;
  const run = (...args: readonly string[]) => inSandbox(place, name, `-chdir=${STACK}`, ...args);

  test.skipIf(!isThere)(
    `deploys with proof, has nothing to change, and is destroyed${isThere ? '' : ` (skipped: ${name} is not on the PATH)`}`,
    async () => {
      writeFileSync(join(consumer.folder, 'agents.json'), JSON.stringify({ ...settings, ...more }));
      const made = await synth('terraform');
      expect(made, made.output).toEqual({ status: 0, output: `${STACK}\n` });

      const init = await run('init', '-input=false');
      expect(init.status, init.output).toBe(0);
      const applied = await run('apply', '-auto-approve', '-input=false');
      expect(applied.status, applied.output).toBe(0);
      expect(applied.output).toMatch(/reachable in [\d.]+ m?s/);
      expect(applied.output).toContain('of what Terraform opens');

      const plan = await run('plan', '-detailed-exitcode', '-input=false');
      expect(plan.status, plan.output).toBe(0);
      const verified = await inSandbox(place, 'secure-connectivity', 'verify', '--stack', STACK);
      expect(verified.status, verified.output).toBe(0);

      const destroyed = await run('destroy', '-auto-approve', '-input=false');
      expect(destroyed.status, destroyed.output).toBe(0);
    },
  );
});

test('a check that fails there fails the apply, with the stage', async () => {
  writeFileSync(
    join(consumer.folder, 'agents.json'),
    JSON.stringify({ ...settings, check: { wait: '2s' } }),
  );
  await synth('terraform');
  const sandbox = [
    'sandbox',
    '--state',
    '.sandbox-fault',
    '--fault',
    'security-group-closed',
    '--',
  ];
  const terraform = ['terraform', `-chdir=${STACK}`];
  await program([...sandbox, ...terraform, 'init', '-input=false']);
  const applied = await program([...sandbox, ...terraform, 'apply', '-auto-approve']);
  expect(applied.status).toBe(1);
  expect(applied.output).toContain('failed   tcp ');
  expect(applied.output).toContain('endpoint.security-group');
});

test('a review of two such trees names the access that a change adds', async () => {
  writeFileSync(join(consumer.folder, 'agents.json'), JSON.stringify(settings));
  await synth('base');
  const { serviceEndpoint } = settings;
  const wider = { ...serviceEndpoint, allowedNetworks: ['10.20.0.0/16', '10.30.0.0/16'] };
  const changed = JSON.stringify({ ...settings, serviceEndpoint: wider });
  writeFileSync(join(consumer.folder, 'agents.json'), changed);
  await synth('head');
  const { status, output } = await program(['review', '--base', 'base', '--head', 'head']);
  expect(status, output).toBe(3);
  expect(output).toContain('10.30.0.0/16');
});
