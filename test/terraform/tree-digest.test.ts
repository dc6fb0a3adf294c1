import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readTreeFiles, treeDigest } from '../../src/terraform/tree-digest.js';
import { temporaryFolder } from '../support/cleanup.js';

const FILES = [
  'manifest.json',
  'stacks/b/cdk.tf.json',
  'stacks/b/.terraform.lock.hcl',
  'stacks/a/cdk.tf.json',
  'stacks/a/.terraform.lock.hcl',
  'stacks/a/access.json',
  'stacks/a/intents.json',
  'stacks/a/assets/Ä/run me.sh',
  'stacks/a/x_override.tf.json',
  'stacks/a-b/.terraform.lock.hcl',
];

/** In a lock file, text that Terraform reads as none. */
const textOf = (path: string, text = path) => (path.endsWith('.hcl') ? `# ${text}\n` : text);

function put(tree: string, path: string, text = path): void {
  mkdirSync(join(tree, dirname(path)), { recursive: true });
  writeFileSync(join(tree, path), textOf(path, text));
}

async function makeTree(): Promise<string> {
  const tree = await temporaryFolder();
  for (const path of FILES) put(tree, path);
  return tree;
}

const digestOf = (tree: string) => treeDigest(readTreeFiles(tree));

test('is what sha256sum says of all files in the order of their bytes', async () => {
  const tree = await makeTree();
  const list =
    "find . -type f | sed 's,^./,,' | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 sha256sum";
  const said = execFileSync('sh', ['-c', `${list} | sha256sum`], { cwd: tree, encoding: 'utf8' });
  expect(digestOf(tree)).toBe(said.slice(0, 64));
});

test.each([
  ...FILES,
  'stacks/a/more.tf',
  'stacks/a/x.auto.tfvars',
])('is another one with another %s', async (path) => {
  const tree = await makeTree();
  const before = digestOf(tree);
  put(tree, path, 'another');
  expect(digestOf(tree)).not.toBe(before);
});

test('is the same whatever runs have left in a stack, of which nothing is copied', async () => {
  const tree = await makeTree();
  const before = digestOf(tree);
  for (const name of [
    '.terraform/terraform.tfstate',
    '.terraform/modules/modules.json',
    '.terraform.tfstate.lock.info',
    'errored.tfstate',
    'plan',
    'connectivity-check.json',
  ]) {
    put(tree, `stacks/a/${name}`);
  }
  expect(digestOf(tree)).toBe(before);
  const copy = await temporaryFolder();
  readTreeFiles(tree, copy);
  expect(readdirSync(join(copy, 'stacks/a')).sort()).toEqual([
    '.terraform.lock.hcl',
    'access.json',
    'assets',
    'cdk.tf.json',
    'intents.json',
    'x_override.tf.json',
  ]);
});

test('the copy has the bytes, for this user alone, and programs stay programs', async () => {
  const tree = await makeTree();
  const program = 'stacks/a/assets/Ä/run me.sh';
  chmodSync(join(tree, program), 0o755);
  const copy = await temporaryFolder();
  const files = readTreeFiles(tree, copy);
  expect(treeDigest(files)).toBe(digestOf(tree));
  expect(digestOf(copy)).toBe(digestOf(tree));
  for (const path of FILES) {
    expect(readFileSync(join(copy, path), 'utf8')).toBe(textOf(path));
    const mode = statSync(join(copy, path)).mode & 0o777;
    expect([path, mode.toString(8)]).toEqual([path, path === program ? '700' : '600']);
  }
  expect((statSync(join(copy, 'stacks')).mode & 0o777).toString(8)).toBe('700');
});

test.each<[string, (tree: string) => void, string]>([
  [
    'a link to a file',
    (tree) => symlinkSync('cdk.tf.json', join(tree, 'stacks/a/l.tf.json')),
    '"stacks/a/l.tf.json" must not be a link',
  ],
  [
    'a link to a stack',
    (tree) => symlinkSync('a', join(tree, 'stacks/l')),
    '"stacks/l" must not be a link',
  ],
  [
    'a pipe',
    (tree) => void execFileSync('mkfifo', [join(tree, 'stacks/a/p')]),
    '"stacks/a/p" must be a regular file',
  ],
  [
    'a stack without lock',
    (tree) => put(tree, 'stacks/new/cdk.tf.json'),
    '"stacks/new/.terraform.lock.hcl" must be there',
  ],
  [
    'a name of two lines',
    (tree) => put(tree, `stacks/a/x\n${'0'.repeat(64)}  y`),
    'must be a name in UTF-8 without backslashes',
  ],
  [
    'a name that is no text',
    (tree) =>
      writeFileSync(Buffer.concat([Buffer.from(`${tree}/stacks/a/`), Buffer.from([0xff])]), ''),
    'must be a name in UTF-8 without backslashes',
  ],
  ['a file beside the stacks', (tree) => put(tree, 'run.sh'), '"run.sh" must be in the folder'],
  ['a file among them', (tree) => put(tree, 'stacks/c'), '"stacks/c" must be in the folder'],
  ['a name with a backslash', (tree) => put(tree, 'stacks/a/x\\y'), 'without backslashes'],
  ['a name that turns its text', (tree) => put(tree, 'stacks/a/\u202ex'), 'without backslashes'],
  [
    'a name that commands a terminal',
    (tree) => put(tree, 'stacks/a/\u009bx'),
    'without backslashes',
  ],
  [
    'a file that is too large',
    (tree) => truncateSync(join(tree, 'stacks/a/access.json'), 2 ** 30),
    '"stacks/a/access.json" must be at most 64 MiB long',
  ],
])('%s has none', async (_, change, rule) => {
  const tree = await makeTree();
  change(tree);
  expect(() => readTreeFiles(tree)).toThrow(rule);
});

test('without a manifest there is none', async () => {
  const empty = await temporaryFolder();
  expect(() => readTreeFiles(empty)).toThrow('"manifest.json" must be there');
});

const LOCKED = `# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.

provider "example.com/a/b" {
  version     = "1.0.0"
  constraints = "~> 1.0"
  hashes = [
    "h1:7pqe7ZYKeSNAkLhhSdQY0dVcNzyJXCrXnqgP6cZyRlg=",
    "zh:00a1476ecf18c735cc08e27bfa835c33f8ac8fa6fa746b01cd3bcbad8ca84f7f",
  ]
}

provider "example.com/a/c" {
  version = "2.0.0"
  hashes = [
    "h1:7pqe7ZYKeSNAkLhhSdQY0dVcNzyJXCrXnqgP6cZyRlg=",
  ]
}
`;

test('a lock file as Terraform writes it is read', async () => {
  const tree = await makeTree();
  writeFileSync(join(tree, 'stacks/a/.terraform.lock.hcl'), LOCKED);
  expect(readTreeFiles(tree).map(({ path }) => path)).toContain('stacks/a/.terraform.lock.hcl');
});

test.each([
  ['no hashes of one provider', LOCKED.replace(/ {2}hashes = \[\n[^\]]*\]\n/, '')],
  ['an empty list of hashes', LOCKED.replace(/hashes = \[\n[^\]]*\]/, 'hashes = [\n  ]')],
  ['hashes in a comment', LOCKED.replace(/( {2}hashes = \[\n[^\]]*\]\n)/, '/*\n$1*/\n')],
  ['a provider on one line', `${LOCKED}provider "example.com/a/d" { version = "1.0.0" }\n`],
  ['a provider after a space', `${LOCKED} provider "example.com/a/d" {\n version = "1.0.0"\n}\n`],
])('a lock file with %s binds nothing', async (_, lock) => {
  const tree = await makeTree();
  writeFileSync(join(tree, 'stacks/a/.terraform.lock.hcl'), lock);
  expect(() => readTreeFiles(tree)).toThrow(
    '"stacks/a/.terraform.lock.hcl" must be as `terraform init` writes it, with hashes',
  );
});
