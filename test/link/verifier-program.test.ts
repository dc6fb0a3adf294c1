import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
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
  const env = { PATH: path.join(delimiter), HOME: cwd };
  return new Promise((done) => {
    execFile(program, words, { cwd, env }, (error, stdout, stderr) =>
      done({ status: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

/** The folders of a shell. */
const SYSTEM = ['/usr/bin', '/bin'];

test('the program on the PATH is the first that counts', async () => {
  const root = await temporaryFolder();
  putProgram(join(root, 'bin', NAME), 'path');
  putProgram(join(root, 'node_modules/.bin', NAME), 'installed');
  const { output } = await run(root, [join(root, 'bin'), ...SYSTEM]);
  expect(output).toBe(`path|${VERIFY.join('|')}|`);
});

test('else the one that npm has installed in the folder, or in one above it', async () => {
  const root = await temporaryFolder();
  const below = join(root, 'roots/it has blanks');
  mkdirSync(below, { recursive: true });
  putProgram(join(root, 'node_modules/.bin', NAME), 'installed');
  for (const folder of [root, below]) {
    expect((await run(folder, SYSTEM)).output).toBe(`installed|${VERIFY.join('|')}|`);
  }
});

test('where nobody has installed it, no registry is asked, and one line says what to do', async () => {
  const root = await temporaryFolder();
  for (const program of ['npx', 'npm']) putProgram(join(root, 'bin', program), 'asked');
  const { status, output } = await run(root, [join(root, 'bin'), ...SYSTEM]);
  expect([status, output]).toEqual([
    127,
    expect.stringMatching(/^secure-connectivity must be on the PATH, or installed in .*\n$/),
  ]);
});

test('the search ends in a folder that is gone, too', async () => {
  const folder = join(await temporaryFolder(), 'gone');
  mkdirSync(folder);
  const words = ['-c', 'rmdir "$PWD"; unset PWD; exec "$@"', 'sh', ...INSTALLED_PROGRAM, ...VERIFY];
  const end = new Promise((done) => {
    const options = { cwd: folder, env: { PATH: SYSTEM.join(delimiter) }, timeout: 20_000 };
    execFile('sh', words, options, (error) => done(error?.code));
  });
  expect(await end).toBe(127);
});

test('only these words are read as this program', () => {
  const words = [...INSTALLED_PROGRAM, ...VERIFY];
  expect(readProgram({ interpreter: words })).toEqual([NAME, ...VERIFY]);
  const other = words.map((word, i) => (i === 2 ? `${word}; true` : word));
  expect(withoutShell(other)).toEqual(other);
  expect(readProgram({ interpreter: other })).toEqual([]);
});
