import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/cli/verify/flags/row.js';
import { verify } from '../../src/verify/index.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';
import { createWorld } from '../support/verifiable-link.js';

const OBEYED = 'a\u001b[2J\u001b]0;t\u0007\u202eb';
/** Characters that a terminal or a viewer obeys; a report has lines, and GitHub's Markdown may have tabs. */
const CONTROL = /[^\P{Cc}\n\t]|\p{Cf}/u;

test.each(
  FORMAT_NAMES,
)('a saved report with control characters is passed on without them as %s', async (format) => {
  const verification = await verify((await createWorld()).options);
  const [first] = verification.links;
  const stages = first?.stages.map((stage) => ({ ...stage, evidence: { [OBEYED]: OBEYED } }));
  const links = [{ ...first, name: OBEYED, notes: [OBEYED], stages }];
  const file = join(await temporaryFolder(), 'report.json');
  await writeFile(file, JSON.stringify({ ...verification, links }));
  const { exit, stdout, stderr } = await runHere(['verify', '--from', file, '--format', format]);
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toContain('2J');
  expect(stdout).not.toMatch(CONTROL);
  expect(stdout).not.toMatch(/\\u001b|\\u202e/i);
});

test.each([
  ['a flag', ['verify', '--format', OBEYED]],
  ['an unknown flag', ['verify', `--${OBEYED}`]],
  [
    'a setting',
    ['verify', '--via', 'internet', '--api-host', 'a.example', '--base-url', `https://${OBEYED}`],
  ],
])('an error about %s shows its value without control characters', async (_, args) => {
  const { exit, stdout, stderr } = await runHere(args);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain('[2J');
  expect(stderr).not.toMatch(CONTROL);
});
