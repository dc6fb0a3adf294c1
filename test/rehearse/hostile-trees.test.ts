import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRehearsedTree } from '../../src/rehearse/read-trees.js';
import { placeStack, stackFolder } from '../../src/rehearse/stage/stack-runner.js';
import { runHere } from '../support/run-here.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A tree with one stack. @returns the stack's folder */
function tree(json: object, files: Readonly<Record<string, string>> = {}): string {
  const stack = join(folder, 'tree', 'stacks', 'api');
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify(json));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(stack, name), text);
  return stack;
}

const read = () => readRehearsedTree(join(folder, 'tree'), '--head');

/** The files of the tree that Terraform sees. */
function written() {
  const stacks = read();
  const [only] = stacks;
  if (only === undefined) throw new Error('the tree has no stack');
  const work = join(folder, 'work');
  placeStack(work, only, stacks);
  return {
    work,
    text: readFileSync(join(stackFolder(work, 'api'), 'cdk.tf.json'), 'utf8'),
    folder: stackFolder(work, 'api'),
  };
}

const REMOTE = { backend: 'http', config: { address: 'http://127.0.0.1:9/canary' } };

test.each<[string, object]>([
  ['an object', { data: { terraform_remote_state: { a: REMOTE } } }],
  ['an array', { data: [{ terraform_remote_state: [{ a: [REMOTE] }] }] }],
  ['a check', { check: { c: { data: { terraform_remote_state: { a: REMOTE } } } } }],
  [
    'an array in a check',
    { check: [{ c: { data: [{ terraform_remote_state: [{ a: REMOTE }] }] } }] },
  ],
])("leads another stack's state into the rehearsal from %s", (_, json) => {
  tree(json);
  const { text, work } = written();
  expect(text).not.toContain('canary');
  expect(text).toContain('terraform_remote_state');
  expect(text).toContain(`"path": "${work}/`);
});

test.each([
  '~~_override.tf.json',
  'zz.tf.json',
])('lets no file %s say where the state is', (name) => {
  tree(
    { output: { a: { value: 1 } } },
    { [name]: JSON.stringify({ terraform: { backend: { http: REMOTE.config } } }) },
  );
  const { text } = written();
  expect(text).not.toContain('canary');
  expect(JSON.parse(text).terraform.backend).toHaveProperty('local');
});

test('leaves out provisioners, connections and what a provider is told', () => {
  const canary = 'canary';
  tree({
    provider: { volcenginecc: [{ region: 'cn-beijing', proxy_url: canary, access_key: canary }] },
    resource: {
      null_resource: {
        a: {
          provisioner: [{ 'local-exec': [{ command: canary }] }],
          connection: { host: canary },
        },
      },
    },
    removed: [{ from: 'null_resource.b', provisioner: { 'local-exec': { command: canary } } }],
  });
  expect(written().text).not.toContain(canary);
});

describe('refuses', () => {
  const value = (text: string) => ({ output: { a: { value: text } } });
  test.each<[string, object]>([
    ['a file outside', value('${file("/etc/hostname")}')],
    ['a file above', value('${file("../../a")}')],
    ['a file in its own name space', value('${core::file /* x */ ("/etc/hostname")}')],
    ['its own configuration', value('${file("cdk.tf.json")}')],
    ['configuration by another name for it', value('${filemd5("a/../EVIL.TF")}')],
    ['variables', value('${file("x.auto.tfvars.json")}')],
    ['a state', value('${filebase64("terraform.tfstate.d/a/terraform.tfstate")}')],
    [
      "what Terraform keeps of a folder's backend",
      value('${file("./.terraform/terraform.tfstate")}'),
    ],
    ['what computes for days', value('${bcrypt("a", 31)}')],
    ['a file by a computed path', value('${file(join("/", ["", "etc", "hostname"]))}')],
    ['a file in a key', { locals: { a: { '${file("/etc/hostname")}': 1 } } }],
    [
      'a file in a message',
      {
        variable: {
          a: {
            default: 1,
            validation: [{ condition: '${var.a == 2}', error_message: '${file("/etc/hostname")}' }],
          },
        },
      },
    ],
    ['a list of files', value('${fileset("/", "*")}')],
    ['a path of this machine', value('${abspath(".")}')],
    ['a template from a text', value('${templatestring(local.a, {})}')],
    [
      'a function in an address',
      { import: [{ to: 'null_resource.a[file("/etc/hostname")]', id: 'x' }] },
    ],
    [
      'another provider',
      { terraform: { required_providers: { http: { source: 'hashicorp/http' } } } },
    ],
    ['a resource of another provider', { data: { http: { a: { url: 'http://127.0.0.1' } } } }],
    ['a program as data', { check: { c: { data: { external: { a: { program: ['id'] } } } } } }],
    ['an ephemeral value', { ephemeral: { random_password: { a: {} } } }],
    ['an action', { action: { local_command: { a: {} } } }],
    ['an encryption', { terraform: { encryption: { key_provider: {} } } }],
  ])('%s', (_, json) => {
    tree(json);
    expect(read).toThrow(/^`--head` must (hold|call) /);
  });

  test('a template file that reads another file', () => {
    tree(value('${templatefile("a.tpl", {})}'), { 'a.tpl': '${file("/etc/hostname")}' });
    expect(written).toThrow('must hold templates that read no files, got: file in a.tpl');
  });

  test('a file that a link leads to', () => {
    writeFileSync(join(folder, 'secret'), 'canary');
    const stack = tree(value('${file("note.txt")}'));
    symlinkSync(join(folder, 'secret'), join(stack, 'note.txt'));
    expect(written).toThrow('must be in the folder that names it');
  });

  test.each([
    'a.auto.tfvars',
    'more.tf.json',
    'access.json',
    '../../manifest.json',
  ])('what a link leads to outside in the place of %s', (name) => {
    writeFileSync(join(folder, 'secret'), '{ "canary": { "a": 1 } }');
    const stack = tree(value('x'));
    symlinkSync(join(folder, 'secret'), join(stack, name));
    expect(written).toThrow(/^(?!.*canary).*must be in the folder that names it, without links/);
  });

  test('a whole stack outside, in a review too', async () => {
    const stack = tree({ canary: { a: 1 } });
    const other = join(folder, 'other');
    mkdirSync(join(other, 'stacks'), { recursive: true });
    symlinkSync(stack, join(other, 'stacks', 'api'));
    const { exit, stdout, stderr } = await runHere(['review', '--base', other, '--head', other]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^(?!.*canary).*must be in the folder that names it, without links/);
  });
});

test('takes a file of the stack by its literal path', () => {
  tree(
    { output: { a: { value: '${file("note.txt")}${file("${path.module}/note.txt")}' } } },
    { 'note.txt': 'x' },
  );
  expect(readFileSync(join(written().folder, 'note.txt'), 'utf8')).toBe('x');
});

test('takes no file of an earlier tree for one of this tree', () => {
  const json = { output: { a: { value: '${file("a/b")}${file("c")}' } } };
  const stack = tree(json);
  mkdirSync(join(stack, 'a'));
  writeFileSync(join(stack, 'a', 'b'), 'x');
  writeFileSync(join(stack, 'c'), 'x');
  expect(readdirSync(written().folder).sort()).toEqual(['a', 'c', 'cdk.tf.json']);
  rmSync(stack, { recursive: true });
  tree({ output: { a: { value: '${file("a")}${file("c")}' } } }, { a: 'y' });
  const { folder: placed } = written();
  expect(readdirSync(placed).sort()).toEqual(['a', 'cdk.tf.json']);
  expect(readFileSync(join(placed, 'a'), 'utf8')).toBe('y');
});

test.each(['a.tofu', 'b.tofu.json', 'main.tf'])('refuses %s in one sentence', async (name) => {
  tree({ output: { a: { value: 1 } } }, { [name]: '{}' });
  const head = join(folder, 'tree');
  const { exit, stderr } = await runHere(['rehearse', '--base', head, '--head', head]);
  expect(exit).toBe(2);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
