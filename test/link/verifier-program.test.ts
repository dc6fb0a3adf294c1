import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { INSTALLED_PROGRAM, withoutShell } from '../../src/link/verifier-program.js';
import { readProgram } from '../../src/reach/read/programs.js';
import { temporaryFolder } from '../support/cleanup.js';

const NAME = 'secure-connectivity';
const VERIFY = ['verify', '--title', "it's one word"];

function putProgram(file: string, says: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nprintf '%s|' ${says} "$@"\n`, { mode: 0o755 });
}

/** Runs the words of a module's check in a root's folder. */
function run(cwd: string, path: readonly string[]): Promise<{ status: number; output: string }> {
  const [program = '', ...words] = [...INSTALLED_PROGRAM, ...VERIFY];
  const quiet = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const env = { PATH: path.join(delimiter), HOME: cwd, ...quiet };
  return new Promise((done) => {
    execFile(program, words, { cwd, env }, (error, stdout, stderr) =>
      done({ status: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

/** The folders of a shell, of npx and of the Node.js that runs it. */
const SYSTEM = ['/usr/bin', '/bin', dirname(process.execPath)];

test('the program on the PATH is the first that counts', async () => {
  const root = await temporaryFolder();
  putProgram(join(root, 'bin', NAME), 'path');
  putProgram(join(root, 'node_modules/.bin', NAME), 'installed');
  const { output } = await run(root, [join(root, 'bin'), ...SYSTEM]);
  expect(output).toBe(`path|${VERIFY.join('|')}|`);
});

test('else npx runs the one that is installed, and may install none', async () => {
  const root = await temporaryFolder();
  putProgram(join(root, 'bin/npx'), 'npx');
  const { output } = await run(root, [join(root, 'bin'), ...SYSTEM]);
  expect(output).toBe(`npx|--no-install|${NAME}|${VERIFY.join('|')}|`);
});

test('the real npx finds it in the project of the root', async () => {
  const root = await temporaryFolder();
  writeFileSync(join(root, 'package.json'), '{}');
  putProgram(join(root, 'node_modules/.bin', NAME), 'installed');
  const { output } = await run(root, SYSTEM);
  expect(output).toBe(`installed|${VERIFY.join('|')}|`);
});

test('the real npx installs nothing where no project has it', async () => {
  const root = await temporaryFolder();
  writeFileSync(join(root, 'package.json'), '{}');
  const { status, output } = await run(root, SYSTEM);
  expect(status, output).not.toBe(0);
  expect(readdirSync(root).filter((name) => name !== '.npm')).toEqual(['package.json']);
});

test('only these words are read as this program', () => {
  const words = [...INSTALLED_PROGRAM, ...VERIFY];
  expect(readProgram({ interpreter: words })).toEqual([NAME, ...VERIFY]);
  const other = words.map((word, i) => (i === 2 ? `${word}; true` : word));
  expect(withoutShell(other)).toEqual(other);
  expect(readProgram({ interpreter: other })).toEqual([]);
});
