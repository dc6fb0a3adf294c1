import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Run, StackRun } from '../support/stack-run.js';

const STATE = 'terraform.own.tfstate';

/** A stack of one's own: cdktf's defaults, and nothing of this package. */
const MAIN = `
import { App, TerraformOutput, TerraformStack } from 'cdktf';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';

const app = new App();
const first = new TerraformStack(app, 'own');
new NullProvider(first, 'null');
const made = new Resource(first, 'made', { triggers: { version: process.env.OWN_VERSION ?? '1' } });
const second = new TerraformStack(app, 'reader');
new TerraformOutput(second, 'read', { value: made.id });
app.synth();
`;

let project: string;
/** Its environment without a sandbox's command represents the real world: real Terraform, real states. */
let real: StackRun;

beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'own-project-')));
  writeFileSync(join(project, 'main.mjs'), MAIN);
  const settings = { language: 'typescript', app: 'node main.mjs', projectId: 'own' };
  writeFileSync(join(project, 'cdktf.json'), JSON.stringify(settings));
  mkdirSync(join(project, 'node_modules'));
  for (const name of ['cdktf', 'constructs', '@cdktf']) {
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
  }
  real = await StackRun.start();
});
afterAll(async () => {
  await real.stop();
  rmSync(project, { recursive: true, force: true });
});

const cdktf = resolve('node_modules/.bin/cdktf');
const program = resolve('dist/cli/main.js');

function onReal(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return real.run('env', ['-C', project, command, ...args], env);
}

function inSandbox(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = project,
  state = '.sandbox',
): Promise<Run> {
  const own = [program, 'sandbox', '--state', join(project, state), '--'];
  return real.run('env', ['-C', folder, process.execPath, ...own, command, ...args], env);
}

/** The hash of each file that a project has beside its sandbox. */
function hashes(folder = project): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^(\.sandbox|node_modules)(\/|$)/.test(name))
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
  return Object.fromEntries(
    files.map((name) => {
      const content = readFileSync(join(folder, name));
      return [name, createHash('sha256').update(content).digest('hex')];
    }),
  );
}

test('a stack that was deployed in the sandbox only is still to be built for real', async () => {
  const rehearsed = await inSandbox(cdktf, ['deploy', 'own', '--auto-approve']);
  expect(rehearsed.status, rehearsed.output).toBe(0);
  expect(rehearsed.output).toContain('1 added');
  expect(Object.keys(hashes()).filter((name) => /tfstate|\.terraform/.test(name))).toEqual([]);
  const built = await onReal(cdktf, ['deploy', 'own', '--auto-approve']);
  expect(built.status, built.output).toBe(0);
  expect(built.output).toContain('1 added');
});

test('real state, lock file and .terraform stay as they are, byte for byte', async () => {
  // As a provider of the registry leaves it.
  writeFileSync(
    join(project, 'cdktf.out/stacks/own/.terraform.lock.hcl'),
    'provider "registry.terraform.io/hashicorp/null" {\n  version = "3.2.3"\n}\n',
  );
  const before = hashes();
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([STATE, 'cdktf.out/stacks/own/.terraform/terraform.tfstate']),
  );
  const change = { OWN_VERSION: '2' };
  const changed = await inSandbox(cdktf, ['deploy', 'own', 'reader', '--auto-approve'], change);
  expect(changed.status, changed.output).toBe(0);
  const restored = await inSandbox(cdktf, ['synth']);
  expect(restored.status, restored.output).toBe(0);
  expect(withoutStacksNewly(hashes(), before)).toEqual(before);

  const read = await inSandbox(
    'terraform',
    ['output', '-raw', 'read'],
    {},
    join(project, 'cdktf.out/stacks/reader'),
  );
  const realId = /"id": "(\d+)"/.exec(readFileSync(join(project, STATE), 'utf8'))?.[1];
  expect(read.stdout).toMatch(/^\d+$/);
  expect(read.stdout).not.toBe(realId);

  const destroyed = await inSandbox(cdktf, ['destroy', 'own', 'reader', '--auto-approve']);
  expect(destroyed.status, destroyed.output).toBe(0);
  expect(readFileSync(join(project, STATE), 'utf8')).toContain(realId);
}, 180_000);

/** Without what a synth alone writes. */
function withoutStacksNewly(after: Record<string, string>, before: Record<string, string>) {
  const synthesized = /^cdktf\.out\/(manifest\.json|stacks\/\w+\/(cdk\.tf\.json|metadata\.json))$/;
  return Object.fromEntries(
    Object.entries(after).filter(([name]) => name in before || !synthesized.test(name)),
  );
}

test('a plain Terraform folder with a remote backend never calls it', async () => {
  const folder = join(project, 'plain');
  mkdirSync(folder);
  let calls = 0;
  const backend = createServer((_, response) => {
    calls += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void backend.close());
  await new Promise((done) => backend.once('listening', done));
  const { port } = backend.address() as AddressInfo;
  writeFileSync(
    join(folder, 'main.tf.json'),
    JSON.stringify({
      terraform: { backend: { http: {} } },
      resource: { terraform_data: { a: { input: 'x' } } },
    }),
  );
  const before = hashes(folder);
  const apply = (state: string) =>
    inSandbox(
      'sh',
      ['-c', `terraform init -backend-config=address=${address} && terraform apply -auto-approve`],
      { TF_HTTP_ADDRESS: address, TF_CLI_ARGS_apply: '-state=other.tfstate' },
      folder,
      state,
    );
  const address = `http://127.0.0.1:${port}/state`;
  const run = await apply('.sandbox');
  expect(run.status, run.output).toBe(0);
  expect(run.output).toContain('Resources: 1 added');
  const second = await apply('.sandbox/second');
  expect(second.output, 'each sandbox has states of its own').toContain('Resources: 1 added');
  expect(hashes(folder)).toEqual(before);
  expect(calls).toBe(0);
});

test.each([
  ['-state=other.tfstate', '`-state` must not name a state in a sandbox'],
  ['real.tfplan', 'a plan must have been made in this sandbox'],
])('an argument that leads outside is refused in one line: %s', async (argument, message) => {
  const folder = mkdtempSync(join(project, 'refused-'));
  const json = JSON.stringify({ output: { a: { value: 1 } } });
  writeFileSync(join(folder, 'main.tf.json'), json);
  writeFileSync(join(folder, 'real.tfplan'), 'made elsewhere');
  const { status, stderr } = await inSandbox('terraform', ['apply', argument], {}, folder);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
