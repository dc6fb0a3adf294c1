import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHere } from '../support/run-here.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rehearse-command-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A tree with a stack of these files. */
function tree(
  name: string,
  files: Readonly<Record<string, string | object>>,
  ofStack = 'api',
): string {
  const stack = join(folder, name, 'stacks', ofStack);
  mkdirSync(stack, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(
      join(stack, file),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return join(folder, name);
}

const inRegion = (region: string) => ({ provider: { volcenginecc: { region } } });

test.each([
  {
    what: 'a folder that is no tree',
    args: () => ['--base', join(folder, 'none'), '--head', tree('a', { 'cdk.tf.json': {} })],
    says: '`--base` must be a folder that `secure-connectivity synth --out` wrote, got: ',
  },
  {
    what: 'HCL, which could run anything',
    args: () => {
      const hcl = tree('hcl', { 'cdk.tf.json': inRegion('cn-beijing'), 'more.tf': '' });
      return ['--base', tree('b', { 'cdk.tf.json': inRegion('cn-beijing') }), '--head', hcl];
    },
    says: '`--head` must contain only JSON stacks: a rehearsal does not run HCL, got: ',
  },
  {
    what: 'modules',
    args: () => {
      const modules = tree('modules', { 'cdk.tf.json': { module: { m: { source: './m' } } } });
      return ['--base', modules, '--head', tree('c', { 'cdk.tf.json': {} })];
    },
    says: '`--base` must contain stacks without modules: a rehearsal does not load any, got: ',
  },
  {
    what: 'two regions',
    args: () => {
      const [north, east] = ['cn-beijing', 'cn-shanghai'];
      const base = tree('north', { 'cdk.tf.json': inRegion(north) });
      return ['--base', base, '--head', tree('east', { 'cdk.tf.json': inRegion(east) })];
    },
    says: '`--head` must be in one region, the same as `--base`, got: cn-beijing, cn-shanghai',
  },
  {
    what: 'another format',
    args: () => ['--base', '.', '--head', '.', '--format', 'junit'],
    says: '`--format` must be one of text, markdown, html, json, alone or with =FILE, got: "junit"',
  },
  {
    what: 'a state of a stack that the base does not have',
    args: () => {
      const base = tree('named', { 'cdk.tf.json': inRegion('cn-beijing') });
      tree('named', { 'cdk.tf.json': inRegion('cn-beijing') }, 'app');
      return ['--base', base, '--head', base, '--state', 'other=state.json'];
    },
    says: '`--state` must be STACK=FILE with a stack of `--base`, which has api, app, got: "other=state.json"',
  },
  {
    what: 'the path of a state with an equals sign, where no file is',
    args: () => {
      const base = tree('equals', { 'cdk.tf.json': inRegion('cn-beijing') });
      return ['--base', base, '--head', base, '--state', 'at=noon.json'];
    },
    says: '`--state` must be a readable file, got: at=noon.json (ENOENT)',
  },
  {
    what: 'a state that is a plan',
    args: () => {
      const base = tree('planned', { 'cdk.tf.json': inRegion('cn-beijing'), 'plan.json': {} });
      const file = join(base, 'stacks', 'api', 'plan.json');
      return ['--base', base, '--head', base, '--state', file];
    },
    says: '`--state` must hold what `terraform show -json` prints of a state',
  },
  {
    what: 'a mirror that is no folder',
    args: () => ['--base', '.', '--head', '.', '--provider-mirror', join(folder, 'none')],
    says: '`--provider-mirror` must be a folder, got: ',
  },
])('refuses $what in one line', async ({ args, says }) => {
  const { exit, stdout, stderr } = await runHere(['rehearse', ...args()]);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`secure-connectivity: ${says}`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
