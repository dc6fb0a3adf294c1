import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const STACK = join('stacks', 'api-access-sandbox');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'copied-'));
  cpSync('stacks', join(folder, 'stacks'), { recursive: true });
  cpSync('cdktf.json', join(folder, 'cdktf.json'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['cdktf', 'constructs', 'tsx', '@cdktf']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'cdktf-secure-connectivity'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function synth(project: string, output: string): { text: string; access: string } {
  execFileSync(resolve('node_modules/.bin/cdktf'), ['synth', '--output', output], {
    cwd: project,
    env: { ...process.env, CONNECTIVITY_ENV: 'sandbox', CHECKPOINT_DISABLE: '1', CI: 'true' },
    stdio: 'ignore',
  });
  const read = (file: string) => readFileSync(resolve(project, output, STACK, file), 'utf8');
  return { text: read('cdk.tf.json'), access: read('access.json') };
}

test("the stacks work as they are in a project of one's own that has the package installed", () => {
  const copied = synth(folder, 'cdktf.out');
  const own = mkdtempSync(join(tmpdir(), 'own-'));
  try {
    const here = synth(resolve('.'), own);
    const withoutPaths = (text: string) =>
      text
        .replace(/"[^"]*dist\/cli\/main\.js"/g, '"verifier"')
        .replace(/"path": "[^"]*\.tfstate"/g, '"path": "state"');
    expect(withoutPaths(copied.text)).toBe(withoutPaths(here.text));
    expect(copied.access).toBe(here.access);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
});
