import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../support/run-cli.js';

test('a production stack deploys into an existing network of the sandbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'existing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const existing = join(folder, 'existing.json');
  const shown = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/sandbox.md', 'utf8'))?.[1] ?? '';
  writeFileSync(existing, shown);
  const sandbox = ['sandbox', '--state', join(folder, 'state'), '--with', existing, '--'];
  const deploy = [
    process.execPath,
    resolve('dist/cli/main.js'),
    'deploy',
    'plugin-access-production',
    '--auto-approve',
    '--output',
    join(folder, 'cdktf.out'),
  ];
  const { exit, stdout, stderr } = await runCli([...sandbox, ...deploy], {
    env: { CONNECTIVITY_ENV: 'production', CI: 'true' },
  });
  expect(exit, stdout + stderr).toBe(0);
  const cloud = JSON.parse(readFileSync(join(folder, 'state', 'cloud.json'), 'utf8'));
  const { 'clb-1a2b': existingOne, ...made } = cloud.resources['Volcengine::CLB::CLB'];
  expect(existingOne).toBeDefined();
  expect(Object.values(made)).toMatchObject([{ SubnetId: 'subnet-1a2b', VpcId: 'vpc-1a2b' }]);
});
