import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessModel } from '../../src/access/access-model.js';
import { TARGETS } from '../../src/render/target-table.js';
import { cidrRule, modelOf, ONE_SERVICE, rule } from '../render/models.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

async function accessFile(model = ONE_SERVICE): Promise<{ folder: string; access: string }> {
  const folder = await temporaryFolder();
  const access = join(folder, 'access.json');
  await writeFile(access, JSON.stringify(model));
  return { folder, access };
}

test('help names every target', async () => {
  const { exit, stdout } = await runHere(['render', '--help']);
  expect(exit).toBe(0);
  for (const { name, about } of TARGETS) expect(stdout).toContain(`${name.padEnd(10)}  ${about}`);
});

test('a rendering goes to standard output or to a file, and the same rules give the same bytes', async () => {
  const { folder, access } = await accessFile();
  const printed = await runHere(['render', 'nftables', '--access', access]);
  expect(printed).toMatchObject({ exit: 0, stderr: '' });
  const file = join(folder, 'rules.nft');
  await runHere(['render', 'nftables', '--access', access, '--output', file]);
  expect(await readFile(file, 'utf8')).toBe(printed.stdout);
});

test('a merged list has fewer lines', async () => {
  const { access } = await accessFile();
  const { stdout } = await runHere(['render', 'fortigate', '--access', access, '--merge']);
  expect(stdout.trim().split('\n')).toHaveLength(20);
});

test('a file in use that opens something else differs in the lines that do', async () => {
  const { folder, access } = await accessFile();
  const file = join(folder, 'list.txt');
  await runHere(['render', 'palo-alto', '--access', access, '--output', file]);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('198.51.100.201/32', '198.51.100.202/31'));
  const { stdout } = await runHere(['render', 'palo-alto', '--access', access]);
  const { status, stdout: differing } = spawnSync('diff', [file, '-'], {
    input: stdout,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(differing.split('\n').filter((line) => /^[<>]/.test(line))).toEqual([
    '< 198.51.100.202/31 egress tcp 443 for agents',
    '> 198.51.100.201/32 egress tcp 443 for agents',
  ]);
});

test('clients of an endpoint get the way to its addresses, and programs the rules as they are', async () => {
  const endpoint = { subject: 'agent-service', addresses: ['10.30.1.200'] };
  const rules = [
    cidrRule('10.30.0.0/16', {
      via: 'service-endpoint',
      direction: 'ingress',
      subject: endpoint.subject,
    }),
  ];
  const { access } = await accessFile(accessModel('api-access-test', rules, [endpoint]));
  const policy = await runHere(['render', 'kubernetes', '--access', access]);
  expect(policy).toMatchObject({ exit: 0, stderr: '' });
  expect(policy.stdout).toContain('cidr: 10.30.1.200/32');
  expect(policy.stdout).toContain('ingress: []');
  const table = await runHere(['render', 'csv', '--access', access]);
  expect(table.stdout).toContain('service-endpoint,ingress,agent-service,cidr,10.30.0.0/16,');
  await writeFile(access, JSON.stringify(accessModel('api-access-test', rules)));
  const unknown = await runHere(['render', 'kubernetes', '--access', access]);
  expect(unknown.exit).toBe(2);
  expect(unknown.stderr).toMatch(/needs the addresses of the endpoint agent-service/);
});

test('rules are chosen', async () => {
  const plugin = cidrRule('203.0.113.0/24', { via: 'fixed-ip-ingress', direction: 'ingress' });
  const { access } = await accessFile(modelOf(rule, plugin));
  const chosen = ['--rules', 'via=fixed-ip-ingress'];
  const { stdout } = await runHere(['render', 'fortigate', '--access', access, ...chosen]);
  expect(stdout).toBe('203.0.113.0/24\n');
});

test.each<[string, readonly string[], RegExp]>([
  ['an unknown target', ['cisco'], /Allowed choices are nftables/],
  ['no access file', ['csv'], /--access/],
  [
    'a missing access file',
    ['csv', '--access', 'no-such'],
    /`--access` must be a readable file, got: no-such \(ENOENT\)/,
  ],
  [
    'a folder that does not exist',
    ['csv', '--output', 'no/such'],
    /`--output` must name a file that can be written/,
  ],
  [
    'a filter that leaves nothing',
    ['csv', '--rules', 'port=1'],
    /`--rules` must leave at least one/,
  ],
])('%s is a wrong usage', async (_, args, message) => {
  const { access } = await accessFile();
  const given =
    args.includes('--access') || message.source === '--access' ? [] : ['--access', access];
  const { exit, stderr } = await runHere(['render', ...args, ...given]);
  expect(stderr).toMatch(message);
  expect(exit).toBe(2);
});

test('what is not access rules is refused', async () => {
  const { access } = await accessFile();
  await writeFile(access, '{"schema": "other"}');
  const { exit, stderr } = await runHere(['render', 'csv', '--access', access]);
  expect([exit, stderr]).toEqual([
    2,
    expect.stringMatching(
      /`schema` must be "secure-connectivity\/access@1" in the access rules, got: "other"/,
    ),
  ]);
  await writeFile(access, '{');
  const broken = await runHere(['render', 'csv', '--access', access]);
  expect([broken.exit, broken.stderr]).toEqual([
    2,
    expect.stringMatching(/`--access` must hold JSON/),
  ]);
});
