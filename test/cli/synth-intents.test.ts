import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

const SANDBOX = JSON.parse(readFileSync('stacks/settings/sandbox.json', 'utf8'));
const SETTINGS = {
  ...SANDBOX,
  check: { ...SANDBOX.check, program: 'secure-connectivity' },
  intents: 'intents.json',
};

/** The clients of the settings do call: what breaks it is that nobody must. */
async function folderThatExpects(expected: 'reachable' | 'closed'): Promise<string> {
  const folder = await temporaryFolder();
  const [from] = SETTINGS.serviceEndpoint.allowedNetworks ?? [SETTINGS.network.cidr];
  const intent = { name: 'our clients', from, to: 'service-endpoint', port: 443, expect: expected };
  await writeFile(join(folder, 'intents.json'), JSON.stringify({ intents: [intent] }));
  await writeFile(join(folder, 'agents.json'), JSON.stringify(SETTINGS));
  return folder;
}

const fromSettings = (cwd: string, out: string, ...flags: string[]) =>
  runHere(['synth', '--settings', 'agents.json', '--out', out, ...flags], { cwd });

test('settings that break an intent give no tree, unless the intents are to be reported alone', async () => {
  const folder = await folderThatExpects('closed');
  const refused = await fromSettings(folder, 'tf');
  expect([refused.exit, refused.stdout]).toEqual([4, '']);
  expect(refused.stderr).toContain('"our clients" is broken: ');
  expect(existsSync(join(folder, 'tf'))).toBe(false);

  const reported = await fromSettings(folder, 'tf', '--intents', 'report');
  expect([reported.exit, reported.stderr]).toEqual([0, refused.stderr]);
  expect(reported.stdout).toContain('tf/stacks/api-access-agents\n');
  expect(existsSync(join(folder, 'tf/stacks/api-access-agents/intents.json'))).toBe(true);
});

test('settings that keep their intents say nothing of them in either way', async () => {
  const folder = await folderThatExpects('reachable');
  for (const flags of [[], ['--intents', 'report'], ['--intents', 'refuse']]) {
    expect(await fromSettings(folder, 'tf', ...flags)).toMatchObject({ exit: 0, stderr: '' });
  }
});

const APP = `
const { cpSync } = require('node:fs');
cpSync('made', process.env.CDKTF_OUTDIR, { recursive: true });
`;

test('an app of a project that breaks an intent is treated alike', async () => {
  const project = await folderThatExpects('closed');
  await fromSettings(project, 'made', '--intents', 'report');
  await writeFile(join(project, 'app.cjs'), APP);
  await writeFile(join(project, 'cdktf.json'), '{"app":"node app.cjs"}');
  const refused = await runHere(['synth'], { cwd: project });
  expect([refused.exit, refused.stdout]).toEqual([4, '']);
  const reported = await runHere(['synth', '--out', 'tree', '--intents', 'report'], {
    cwd: project,
  });
  expect([reported.exit, reported.stderr]).toEqual([0, refused.stderr]);
  expect(reported.stdout).toContain('tree/stacks/api-access-agents\n');
  expect(reported.stderr).toContain('"our clients" is broken: ');
});
