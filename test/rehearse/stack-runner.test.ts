import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RehearsedStack, readRehearsedTree } from '../../src/rehearse/read-trees.js';
import { placeStack, stackFolder } from '../../src/rehearse/stage/stack-runner.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-runner-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A stack of a tree, with these files. */
function stack(
  files: Readonly<Record<string, string>>,
  json: object = { output: { a: { value: 1 } } },
): RehearsedStack {
  const tree = mkdtempSync(join(folder, 'tree-'));
  const own = join(tree, 'stacks', 'api');
  mkdirSync(own, { recursive: true });
  for (const [name, text] of Object.entries({ 'cdk.tf.json': JSON.stringify(json), ...files })) {
    writeFileSync(join(own, name), text);
  }
  const [only] = readRehearsedTree(tree, '--head');
  if (only === undefined) throw new Error('the tree has no stack');
  return only;
}

function place(placed: RehearsedStack): string {
  placeStack(folder, placed, [placed]);
  return stackFolder(folder, placed.name);
}

test('keeps what `terraform init` wrote when the head takes the place of the base', () => {
  const target = place(stack({ 'of-the-base.txt': '' }));
  mkdirSync(join(target, '.terraform'));
  writeFileSync(join(target, '.terraform.lock.hcl'), 'locked');
  place(stack({}));
  expect(readFileSync(join(target, '.terraform.lock.hcl'), 'utf8')).toBe('locked');
  expect(existsSync(join(target, '.terraform'))).toBe(true);
  expect(existsSync(join(target, 'of-the-base.txt'))).toBe(false);
});

test("takes no lock or state of the tree's own folder", () => {
  const target = place(stack({ '.terraform.lock.hcl': 'of the tree', 'terraform.tfstate': '{}' }));
  expect(existsSync(join(target, '.terraform.lock.hcl'))).toBe(false);
  expect(existsSync(join(target, 'terraform.tfstate'))).toBe(false);
});
