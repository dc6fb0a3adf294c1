import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChangeRun } from '../changes/change-run.js';
import type { StackName } from '../changes/synthesize.js';

let run: ChangeRun;
beforeAll(async () => {
  run = await ChangeRun.start();
});
afterAll(() => run.stop());

const FORMER = { 'api-access': 'fixed-ip-access', 'plugin-access': 'private-plugin' } as const;

test.each([
  'api-access',
  'plugin-access',
] as const)('an upgrade of %s changes no object of the cloud', async (stack) => {
  const settings = JSON.parse(readFileSync('stacks/settings/sandbox.json', 'utf8'));
  const { check: _, state: __, $schema: ___, ...options } = settings;
  run.synthesize(stack, { ...options, check: { mode: 'off' } });
  const now = readTree(stack);
  writeTree(stack, formerTree(now));
  expect(JSON.stringify(readTree(stack))).toContain(`.${FORMER[stack]}`);
  expect((await run.terraform(stack, 'apply', '-auto-approve')).output).toContain('Apply complete');
  const made = JSON.stringify(run.sandbox.cloud.state.resources);
  run.steps();

  writeTree(stack, now);
  const { status, output } = await run.terraform(stack, 'apply', '-auto-approve');
  expect(status, output).toBe(0);
  expect(output).toContain('has moved to');
  expect(output).toContain('0 added, 0 changed, 0 destroyed');
  expect(run.steps()).toEqual([]);
  expect(JSON.stringify(run.sandbox.cloud.state.resources)).toBe(made);
  const again = await run.terraform(stack, 'plan', '-detailed-exitcode');
  expect(again.status, again.output).toBe(0);
});

interface Tree {
  readonly moved?: readonly { readonly from: string; readonly to: string }[];
}

/** The resources of the same settings before the options had the names of their constructs. */
function formerTree(tree: Tree): Tree {
  const { moved = [], ...rest } = tree;
  const names = [
    ...moved.map(({ from, to }) => [to.split('.')[1] ?? '', from.split('.')[1] ?? ''] as const),
    ['"plugin-endpoint-service', '"private-plugin'] as const,
    ['"fixed-ip-ingress', '"fixed-ip-plugin'] as const,
    ['"fixed-ip-egress', '"fixed-ip-access'] as const,
    ['secure-connectivity/links@2', 'secure-connectivity/links@1'] as const,
  ].toSorted(([a], [b]) => b.length - a.length);
  const text = names.reduce((all, [to, from]) => all.replaceAll(to, from), JSON.stringify(rest));
  return JSON.parse(text);
}

const fileOf = (stack: StackName) => join(run.folder, 'tree', 'stacks', stack, 'cdk.tf.json');
const readTree = (stack: StackName): Tree => JSON.parse(readFileSync(fileOf(stack), 'utf8'));
const writeTree = (stack: StackName, tree: Tree) =>
  writeFileSync(fileOf(stack), JSON.stringify(tree));
