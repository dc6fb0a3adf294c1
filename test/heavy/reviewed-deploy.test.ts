import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Run, StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

let run: StackRun;
let digest: string;
beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', (settings) => {
    Object.assign(settings, { check: { wait: '1s' } });
  });
  mkdirSync(at('empty'));
  run.synth({}, 'tree');
  // Terraform writes none for the providers of a sandbox, which it does not install.
  writeFileSync(inStack('.terraform.lock.hcl'), '');
  const { stdout } = await run.cli(['review', '--base', at('empty'), '--head', at('tree')]);
  digest = /^ {2}- ([0-9a-f]{64})$/m.exec(stdout)?.[1] ?? '';
});
afterAll(() => run.stop());

const at = (name: string) => join(run.folder, name);
const inStack = (name: string, tree = 'tree') => join(at(tree), 'stacks', STACK, name);
const state = () => join(run.folder, 'sandbox', 'terraform', `${STACK}.tfstate`);
const copies = () => readdirSync(run.folder).filter((name) => name.includes('-reviewed.'));

function deploy(tree: string, own: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const args = ['deploy', STACK, '--auto-approve', '--tree', at(tree), '--reviewed', digest];
  return run.cli([...args, ...own], env);
}

function expectRefused({ status, output }: Run, why: string): void {
  expect([status, output]).toEqual([2, expect.stringContaining(why)]);
  expect(output).not.toContain('Plan:');
  expect(copies()).toEqual([]);
}

test('where the runner requires it, nothing is deployed or destroyed without a digest', async () => {
  for (const verb of ['deploy', 'destroy']) {
    const ended = await run.cli([verb, STACK, '--auto-approve', '--tree', at('tree')], {
      SECURE_CONNECTIVITY_REQUIRE_REVIEWED: '1',
    });
    expectRefused(ended, 'pass the digest of a reviewed tree');
  }
  expect(existsSync(state())).toBe(false);
});

const CHANGES: Readonly<Record<string, (tree: string) => void>> = {
  manifest: (tree) => appendFileSync(join(at(tree), 'manifest.json'), '\n'),
  configuration: (tree) => appendFileSync(inStack('cdk.tf.json', tree), '\n'),
  'access rules': (tree) => appendFileSync(inStack('access.json', tree), '\n'),
  intents: (tree) => writeFileSync(inStack('intents.json', tree), '{}'),
  asset: (tree) => writeFileSync(inStack('script.sh', tree), 'exit 0'),
  lock: (tree) => appendFileSync(inStack('.terraform.lock.hcl', tree), '\n'),
  'missing lock': (tree) => rmSync(inStack('.terraform.lock.hcl', tree)),
  override: (tree) => writeFileSync(inStack('x_override.tf.json', tree), '{}'),
  HCL: (tree) => writeFileSync(inStack('more.tf', tree), ''),
  variables: (tree) => writeFileSync(inStack('x.auto.tfvars', tree), ''),
  link: (tree) => symlinkSync('access.json', inStack('link.json', tree)),
};

test.each(Object.keys(CHANGES))('a tree with another %s is refused', async (name) => {
  const tree = `changed-${Object.keys(CHANGES).indexOf(name)}`;
  cpSync(at('tree'), at(tree), { recursive: true });
  CHANGES[name]?.(tree);
  expectRefused(
    await deploy(tree),
    name === 'link'
      ? 'must not be a link'
      : name === 'missing lock'
        ? '.terraform.lock.hcl" must be there'
        : `must be the tree with the digest ${digest}, got: `,
  );
  expect(existsSync(state())).toBe(false);
});

test('what was reviewed is deployed, and the state keeps the digest of the files', async () => {
  // Runs of others have left what would be read in the tree itself.
  writeFileSync(inStack('errored.tfstate'), 'no state');
  mkdirSync(inStack('.terraform'));
  writeFileSync(inStack('.terraform/terraform.tfstate'), 'no backend');
  const { status, output } = await deploy('tree');
  expect(status, output).toBe(0);
  const { outputs } = JSON.parse(readFileSync(state(), 'utf8'));
  expect(outputs['reviewed-files'].value).toMatch(/^[0-9a-f]{64}$/);
  expect(readFileSync(inStack('errored.tfstate'), 'utf8')).toBe('no state');
  expect(copies()).toEqual([]);
});

test('the same tree once more changes nothing', async () => {
  const { status, output } = await deploy('tree');
  expect(status, output).toBe(0);
  expect(output).toContain('No changes. Your infrastructure matches the configuration.');
});

test('without a review the state loses the digest, and a review sees no change in it', async () => {
  rmSync(inStack('errored.tfstate'));
  rmSync(inStack('.terraform'), { recursive: true });
  const args = ['review', '--base', `state:${state()}`, '--head', at('tree')];
  const review = await run.cli(args);
  expect([review.status, review.output]).toEqual([0, expect.stringContaining('NO CHANGE')]);
  const ended = await run.cli(['deploy', STACK, '--auto-approve', '--tree', at('tree')]);
  expect(ended.status, ended.output).toBe(0);
  expect(JSON.parse(readFileSync(state(), 'utf8')).outputs['reviewed-files'].value).toBe('');
});
