import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectivityError } from '../../src/codes/connectivity-error.js';
import { readTree } from '../../src/reach/read/read-tree.js';
import { readManifest } from '../../src/terraform/manifest.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

const entryOf = (name: string, more: object = {}) => ({
  name,
  constructPath: name,
  workingDirectory: `stacks/${name}`,
  synthesizedStackPath: `stacks/${name}/cdk.tf.json`,
  annotations: [],
  dependencies: [],
  ...more,
});

/** A tree with the stacks `api` and `plugin`, and a manifest. */
async function treeWith(manifest: unknown): Promise<string> {
  const tree = await temporaryFolder();
  for (const name of ['api', 'plugin']) {
    mkdirSync(join(tree, 'stacks', name), { recursive: true });
    writeFileSync(join(tree, 'stacks', name, 'cdk.tf.json'), '{"output":{"a":{"value":1}}}');
  }
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  writeFileSync(join(tree, 'manifest.json'), text);
  return tree;
}

const namesBoth = (api: object = {}, plugin: object = {}) => ({
  stacks: { api: entryOf('api', api), plugin: entryOf('plugin', plugin) },
});

test('the stacks are read with their dependencies, by name or by their path among the constructs', async () => {
  const tree = await treeWith(
    namesBoth({ constructPath: 'production/api' }, { dependencies: ['production/api'] }),
  );
  expect(readManifest(tree, '--tree')).toEqual([
    { name: 'api', annotations: [], dependencies: [] },
    { name: 'plugin', annotations: [], dependencies: ['api'] },
  ]);
  expect(readTree(tree, '--tree').get('plugin')?.dependencies).toEqual(['api']);
});

test('a tree without a manifest is readable, and none of its stacks is said to be left out', async () => {
  const tree = await treeWith(namesBoth());
  rmSync(join(tree, 'manifest.json'));
  expect(readManifest(tree, '--tree')).toBeUndefined();
  const stacks = [...readTree(tree, '--tree').values()];
  expect(stacks.map(({ name }) => name)).toEqual(['api', 'plugin']);
  for (const stack of stacks) {
    expect(stack).not.toHaveProperty('dependencies');
    expect(stack).not.toHaveProperty('isUnnamed');
  }
});

const PLAIN = 'must name stacks with letters, digits, hyphens, dots and underscores alone, not ';

/** Every command that reads a tree; none of them gets as far as Terraform. */
const READERS = [
  'deploy * --tree TREE --auto-approve',
  'destroy * --output TREE --skip-synth --auto-approve',
  'reach --tree TREE',
  'review --base TREE --head TREE',
  'rehearse --base TREE --head TREE',
];

test.each<[string, unknown, string]>([
  ['another name', namesBoth({ name: 'plugin' }), 'must have one name for the stack "api"'],
  [
    'the folder of another stack',
    namesBoth({ workingDirectory: 'stacks/plugin' }),
    'must have the stack "api" in `stacks/api`',
  ],
  [
    'a folder that is spelled otherwise',
    namesBoth({ workingDirectory: 'stacks//api' }),
    'must have the stack "api" in `stacks/api`',
  ],
  [
    'the file of another stack',
    namesBoth({ synthesizedStackPath: 'stacks/plugin/cdk.tf.json' }),
    'must have the stack "api" in `stacks/api`',
  ],
  ['a folder above', { stacks: { '..': entryOf('..') } }, `${PLAIN}".."`],
  ['the folder itself', { stacks: { '.': entryOf('.') } }, `${PLAIN}"."`],
  ['a path', { stacks: { 'api/x': entryOf('api/x') } }, `${PLAIN}"api/x"`],
  ['a line break', { stacks: { 'api\n': entryOf('api\n') } }, `${PLAIN}"api\\n"`],
  ['no name at all', { stacks: { '': entryOf('') } }, `${PLAIN}""`],
  ['a letter of another script', { stacks: { аpi: entryOf('аpi') } }, `${PLAIN}"аpi"`],
  ['a stack without a folder', { stacks: { gone: entryOf('gone') } }, 'must have a folder for'],
  [
    'a dependency on no stack',
    namesBoth({ dependencies: ['gone'] }),
    'must name every stack that another depends on, not "gone" of "api" alone',
  ],
  [
    'two stacks that wait for each other',
    namesBoth({ dependencies: ['plugin'] }, { dependencies: ['api'] }),
    'must have an order for its stacks, and not let "api" wait for itself',
  ],
  [
    'a stack that waits for itself',
    namesBoth({}, { dependencies: ['plugin'] }),
    'must have an order for its stacks, and not let "plugin" wait for itself',
  ],
  ['dependencies that are no list', namesBoth({ dependencies: {} }), '`dependencies` must be'],
  ['a list of stacks', { stacks: [entryOf('api')] }, 'must hold an object `stacks`'],
  ['no stacks', {}, 'must hold an object `stacks`'],
  ['no JSON', '{', 'must hold JSON'],
  [
    'one stack twice',
    `{"stacks":{"api":${JSON.stringify(entryOf('api'))},"api":{}}}`,
    'must hold `stacks.api` once only',
  ],
])('%s is refused by every reader in one sentence', async (_, manifest, rule) => {
  const tree = await treeWith(manifest);
  for (const reader of READERS) {
    const args = reader.split(' ').map((word) => (word === 'TREE' ? tree : word));
    const { exit, stdout, stderr } = await runHere(args, {
      env: { TERRAFORM_BINARY_NAME: 'false' },
    });
    expect([reader, exit, stdout]).toEqual([reader, 2, '']);
    expect(stderr, reader).toContain(rule);
    expect(stderr.trimEnd().split('\n'), reader).toHaveLength(1);
  }
});

test.each([
  'manifest.json',
  'stacks',
  'stacks/api',
])('a link in the place of %s is refused', async (name) => {
  const tree = await treeWith(namesBoth());
  const moved = join(tree, 'moved');
  renameSync(join(tree, name), moved);
  symlinkSync(moved, join(tree, name));
  const rule = 'must be in the folder that names it, without links';
  expect(() => readManifest(tree, '--tree')).toThrow(rule);
  if (name === 'stacks/api') rmSync(join(tree, 'manifest.json'));
  expect(() => readTree(tree, '--tree')).toThrow(rule);
});

test('overrides count in the order of the bytes of their names', async () => {
  const tree = await treeWith(namesBoth());
  for (const name of ['Z', '_', 'a', 'a~']) {
    const override = JSON.stringify({ output: { a: { value: name } } });
    writeFileSync(join(tree, 'stacks', 'api', `${name}_override.tf.json`), override);
  }
  const outputs = readTree(tree, '--tree').get('api')?.terraform.outputs;
  expect(outputs).toMatchObject({ a: { value: 'a~' } });
});

test.each([
  // By its UTF-16 code units the first comes last, by its bytes the second.
  '\uff5e_override.tf.json',
  '\u{1f600}_override.tf.json',
  'é.tf',
  'é.auto.tfvars',
  'é.tofu.json',
])('configuration that is called %j is refused, with a manifest and without one', async (name) => {
  const tree = await treeWith(namesBoth());
  writeFileSync(join(tree, 'stacks', 'api', name), '{}');
  writeFileSync(join(tree, 'stacks', 'api', 'é.txt'), 'an asset');
  const rule = 'must have only configuration files whose names are ASCII';
  expect(() => readManifest(tree, '--tree')).toThrow(rule);
  rmSync(join(tree, 'manifest.json'));
  expect(() => readTree(tree, '--tree')).toThrow(rule);
  rmSync(join(tree, 'stacks', 'api', name));
  expect(() => readTree(tree, '--tree')).not.toThrow();
});

/** JSON that is now and then nearly a manifest. */
const keys = fc.constantFrom(
  'stacks',
  'api',
  'name',
  'dependencies',
  'annotations',
  '__proto__',
  'constructor',
  '..',
);
const nearly = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('api', 'stacks/api', null, 0, true, ''),
    fc.jsonValue(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(keys, fc.string()), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test('whatever JSON stands in the place of a manifest, it is read or refused, and nothing else', async () => {
  const tree = await treeWith({});
  const entry = nearly.map((more) => ({
    stacks: { api: { ...entryOf('api'), ...(more as object) } },
  }));
  const stacks = nearly.map((value) => ({ stacks: value }));
  fc.assert(
    fc.property(fc.oneof(nearly, entry, stacks), (manifest) => {
      writeFileSync(join(tree, 'manifest.json'), JSON.stringify(manifest));
      try {
        for (const { name } of readManifest(tree, '--tree') ?? []) {
          expect(['api', 'plugin']).toContain(name);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(ConnectivityError);
      }
    }),
    { numRuns: 500 },
  );
});
