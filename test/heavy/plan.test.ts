import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';

/** A network of its own with nothing but loopback, where the machine lets a user make one. */
const ALONE = [
  ...['unshare', '--user', '--map-root-user', '--net', '--'],
  ...['sh', '-c', 'ip link set lo up && exec "$@"', '-'],
];

test('every stack is planned without credentials and without a network', async () => {
  const out = await temporaryFolder();
  const canBeAlone = spawnSync('unshare', [...ALONE.slice(1), 'true']).status === 0;
  const [command = '', ...args] = [
    ...(canBeAlone ? ALONE : []),
    ...[process.execPath, '--import', 'tsx', 'scripts/plan.ts', '--out', out],
  ];
  const credentials = /^(VOLCENGINE|SECURE_CONNECTIVITY|TF)_/;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !credentials.test(name)),
  );
  const { status, stderr, stdout } = spawnSync(command, args, { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const golden = readdirSync('test/golden/stacks');
  expect(readdirSync(out)).toEqual(golden);
  for (const file of golden) {
    const plan = readFileSync(`${out}/${file}`, 'utf8');
    expect(plan).toMatch(/Plan: \d+ to add, 0 to change, 0 to destroy\./);
    expect(stdout).toContain(plan);
  }
});
