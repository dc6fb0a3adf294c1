import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { terraformsIn, until } from '../support/deploying.js';
import { type OnStart, type Run, StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

let run: StackRun;
beforeAll(async () => {
  run = await StackRun.start();
});
afterAll(() => run.stop());

const output = () => join(run.folder, 'cdktf.out');
const folder = () => join(output(), 'stacks', STACK);
const stateFile = () => join(run.folder, 'sandbox', 'terraform', `${STACK}.tfstate`);

function deploy(args: readonly string[] = [], env = {}, onStart?: OnStart): Promise<Run> {
  return run.cli(['deploy', STACK, '--auto-approve', '--output', output(), ...args], env, onStart);
}

test('an interrupted deploy waits for Terraform, which saves its state', async () => {
  const { status, output } = await deploy([], {}, (deploying) => {
    until(() => deploying.output().includes('network: Creating...')).then(() =>
      deploying.kill('SIGINT'),
    );
  });
  expect(status, output).toBe(130);
  expect(terraformsIn(folder())).toEqual([]);
  expect(readFileSync(stateFile(), 'utf8')).toContain('volcenginecc_vpc_vpc');
});

test('the next deploy continues with a key file of this folder, and takes options after --', async () => {
  const outputs = join(run.folder, 'outputs.json');
  const key = run.sandbox.env.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE ?? '';
  const { status, output } = await deploy(['--', '--outputs-file', outputs], {
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: relative(process.cwd(), key),
  });
  expect(status, output).toBe(0);
  expect(output).not.toContain('5 added');
  expect(JSON.parse(readFileSync(outputs, 'utf8'))[STACK]['rules-digest']).toMatch(
    /^[0-9a-f]{64}$/,
  );
});

test('the check signs with a key that is given as text', async () => {
  run.change('sandbox', (settings) =>
    Object.assign(settings, { check: { runOn: 'every-deploy' } }),
  );
  const { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: file = '' } = run.sandbox.env;
  const text = readFileSync(file, 'utf8');
  const given = {
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '',
    SECURE_CONNECTIVITY_PRIVATE_KEY: text,
  };
  const signed = await deploy([], given);
  expect(signed.status, signed.output).toBe(0);
  expect(signed.output).toMatch(/passed +8 stages/);
  expect(signed.output).not.toContain('PRIVATE KEY-----');
  const wrong = await deploy([], { ...given, SECURE_CONNECTIVITY_PRIVATE_KEY: 'no key' });
  expect(wrong.output).toContain('key.');
  expect(wrong.status, wrong.output).not.toBe(0);
});

test('a state of another stack is refused, and left as it is', async () => {
  const own = readFileSync(stateFile(), 'utf8');
  const others = own.replaceAll(`"value": "${STACK}"`, '"value": "plugin-access-sandbox"');
  cpSync(stateFile(), join(run.folder, 'own.tfstate'));
  writeFileSync(stateFile(), others);
  const { status, output } = await deploy();
  expect(status, output).toBe(2);
  expect(output).toContain('deploy.state');
  expect(output).not.toContain('Plan:');
  expect(readFileSync(stateFile(), 'utf8')).toBe(others);
  cpSync(join(run.folder, 'own.tfstate'), stateFile());
});

test('a failed check ends the deploy with its own status, and its report is printed once, whole', async () => {
  run.change('sandbox', (settings) => {
    Object.assign(settings, { check: { wait: '1s' } });
    Object.assign(settings.serviceEndpoint as object, { allowedNetworks: ['10.20.9.0/24'] });
  });
  // The preflight takes the machine for another one.
  const { status, output } = await deploy([], {
    SECURE_CONNECTIVITY_TIMEOUT: '2s',
    SECURE_CONNECTIVITY_OWN_ADDRESS: '10.20.9.9',
  });
  expect(status, output).toBe(12);
  const text = stripVTControlCharacters(output);
  const report = [
    /tcp +failed/,
    /\(local-exec\): {3}path\.configured-open: /,
    / \(endpoint\.security-group\)/,
    / \(host\.outside-network\)/,
    /with --verbose: .*what is ruled out/,
    /unreachable in [\d.]+ m?s, exit 12/,
    /to check service-endpoint again:/,
    /verify --base-url \S+ .*--wait 1000ms/,
  ];
  const seen = report.map((line) => text.match(new RegExp(line, 'g'))?.length ?? 0);
  expect(seen, text).toEqual(report.map(() => 1));
  // Terraform breaks its lines where there is no terminal.
  const [, box = ''] = text.replaceAll(/\s+/g, ' ').split('Error running command');
  // By its configuration the cloud lets that other machine in.
  expect(box).toMatch(/service-endpoint is unreachable: tcp: path\.configured-open: /);
  expect(box).toMatch(/failed with status 12, report above/);
});

test('destroy has the same', async () => {
  const args = ['destroy', STACK, '--auto-approve', '--output', output()];
  const { status, output: text } = await run.cli(args);
  expect(status, text).toBe(0);
  expect(JSON.parse(readFileSync(stateFile(), 'utf8')).resources).toEqual([]);
});

test.each([
  [['--lock-timeout', 'soon'], '`--lock-timeout` must be a duration such as 500ms, 10s or 5m'],
])('wrong usage is refused: %j', async (args, message) => {
  expect(await deploy(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
});
