import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

/** An app of cdktf with the default state, a stack that reads it, an annotation, an asset and a path of its own. */
const APP = `
const { join } = require('node:path');
const {
  Annotations, App, AssetType, DataTerraformRemoteStateLocal, TerraformAsset, TerraformOutput, TerraformStack,
} = require('cdktf');
const app = new App();
const stack = new TerraformStack(app, 'api');
Annotations.of(stack).addWarning('see ' + join(process.cwd(), 'notes.md'));
const asset = new TerraformAsset(stack, 'notes', { path: join(__dirname, 'notes.md'), type: AssetType.FILE });
new TerraformOutput(stack, 'note', { value: '\${file("' + asset.path + '")}' });
new TerraformOutput(stack, 'outside', { value: join(process.cwd(), 'notes.md') });
new TerraformOutput(stack, 'neighbour', { value: process.cwd() + '-2/notes.md' });
const reader = new TerraformStack(app, 'reader');
const state = { path: join(process.cwd(), 'terraform.api.tfstate') };
new DataTerraformRemoteStateLocal(reader, 'read', state);
reader.addDependency(stack);
app.synth();
`;

async function projectIn(name: string): Promise<string> {
  const project = join(await temporaryFolder(), name);
  mkdirSync(project);
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'app.cjs'), APP);
  writeFileSync(join(project, 'notes.md'), 'notes');
  writeFileSync(join(project, 'cdktf.json'), '{"app":"node app.cjs","language":"typescript"}');
  return project;
}

function filesIn(tree: string): Record<string, string> {
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((file) => [file.slice(tree.length + 1), readFileSync(file, 'latin1')]),
  );
}

test('one app gives the same bytes in any folder of the same depth, and none names the machine', async () => {
  const trees = await Promise.all(
    ['a', 'another (longer) name'].map(async (name) => {
      const project = await projectIn(name);
      const made = await runHere(['synth'], { cwd: project });
      expect([made.exit, made.stdout]).toEqual([
        0,
        'cdktf.out/stacks/api\ncdktf.out/stacks/reader\n',
      ]);
      return { project, files: filesIn(join(project, 'cdktf.out')) };
    }),
  );
  const [first, second] = trees;
  expect(Object.keys(first?.files ?? {})).toContain('stacks/api/cdk.tf.json');
  const neighbour = (project = '') => `${project}-2/notes.md`;
  const api = 'stacks/api/cdk.tf.json';
  for (const { project, files } of trees) {
    expect(files[api]).toContain(neighbour(project));
    files[api] = files[api]?.replaceAll(neighbour(project), 'NEIGHBOUR') ?? '';
    for (const text of Object.values(files)) {
      expect(text).not.toContain(project);
      expect(text).not.toContain('stacktrace');
    }
  }
  expect(second?.files).toEqual(first?.files);
});

test('the paths mean what they meant', async () => {
  const project = await projectIn('agents');
  await runHere(['synth'], { cwd: project });
  const stack = join(project, 'cdktf.out', 'stacks', 'api');
  const { terraform, output } = JSON.parse(readFileSync(join(stack, 'cdk.tf.json'), 'utf8'));
  expect(resolve(stack, terraform.backend.local.path)).toBe(join(project, 'terraform.api.tfstate'));
  expect(resolve(stack, output.outside.value)).toBe(join(project, 'notes.md'));
  const text = readFileSync(join(stack, '..', 'reader', 'cdk.tf.json'), 'utf8');
  const [read] = Object.values<{ config: { path: string } }>(
    JSON.parse(text).data.terraform_remote_state,
  ).map(({ config }) => config.path);
  expect(read).toBe(terraform.backend.local.path);
  const { stacks } = JSON.parse(readFileSync(join(project, 'cdktf.out/manifest.json'), 'utf8'));
  expect(stacks.api.annotations).toEqual([
    { constructPath: 'api', level: '@cdktf/warn', message: 'see ../notes.md' },
  ]);
});
