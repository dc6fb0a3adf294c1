import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';

test('without a command the commands are listed, and it is a wrong usage', async () => {
  const { exit, stdout, stderr } = await runCli([]);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/\n {2}verify .*\n {2}sandbox /s);
  expect(await runCli(['--help'])).toMatchObject({ exit: 0, stderr: '' });
});

test.each([
  'review',
  'render',
  'import-blocks',
])('the help of %s tells no default that is empty', async (command) => {
  const { exit, stdout } = await runCli([command, '--help']);
  expect(exit).toBe(0);
  expect(stdout).not.toContain('(default: [])');
});

test.each(['--version', '-V'])('%s prints the version of the package', async (flag) => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(await runCli([flag])).toMatchObject({ exit: 0, stdout: `${version}\n`, stderr: '' });
});

test('the help of token speaks of one base URL, not of links', async () => {
  const { stdout } = await runCli(['token', '--help']);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain('verify (default: the host of the base URL)');
  expect(text).not.toMatch(/link’s|expected private networks/);
});
