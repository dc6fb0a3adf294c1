import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFiles } from '../../../src/cli/init/project-files.js';
import { linkPackages } from '../../support/linked-project.js';
import { runCli } from '../../support/run-cli.js';

const STACK = 'api-access-sandbox';

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'cdktn-'));
  linkPackages(project);
  for (const [file, text] of projectFiles('agents', { ci: 'none', tsx: true })) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  }
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('a project of cdktn deploys with the library alone, and its check passes', async () => {
  const bin = join(project, 'node_modules', 'cdktf-secure-connectivity', 'dist', 'cli', 'main.js');
  const command = [process.execPath, bin, 'deploy', STACK, '--auto-approve'];
  const { exit, stdout, stderr } = await runCli(['sandbox', '--', ...command], { cwd: project });
  expect(exit, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/reachable in [\d.]+ m?s/);
  const file = join(project, 'cdktf.out', 'stacks', STACK, 'cdk.tf.json');
  const { '//': comment } = JSON.parse(readFileSync(file, 'utf8'));
  const own = JSON.parse(readFileSync('node_modules/cdktn/package.json', 'utf8'));
  expect(comment.metadata).toMatchObject({ stackName: STACK, version: own.version });
});
