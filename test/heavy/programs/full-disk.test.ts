import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/cleanup.js';

const MAIN = resolve('dist/cli/main.js');
const NAMESPACE = ['--user', '--map-root-user', '--mount', 'sh', '-c'];
const canMount = spawnSync('unshare', [...NAMESPACE, 'mount -t tmpfs tmpfs /mnt']).status === 0;

/** Runs a shell script with a small disk at `$disk` that is full until `$disk/fill` is removed. */
function onFullDisk(disk: string, script: string) {
  const full = `mount -t tmpfs -o size=64k tmpfs "$disk"; head -c 100k /dev/zero > "$disk/fill" 2>/dev/null`;
  const program = `secure() { "${process.execPath}" "${MAIN}" "$@"; }`;
  const env = { PATH: process.env.PATH, disk };
  const { stdout, stderr } = spawnSync(
    'unshare',
    [...NAMESPACE, `${full}; ${program}; ${script}`],
    {
      env,
      encoding: 'utf8',
    },
  );
  return { stdout, stderr };
}

test.skipIf(!canMount)(
  'a state folder on a full disk is no half folder that is refused for ever',
  async () => {
    const disk = await temporaryFolder();
    const start = 'secure sandbox --state "$disk/state" -- true; echo $?';
    const { stdout, stderr } = onFullDisk(disk, `${start}; rm "$disk/fill"; ${start}`);
    expect(stdout).toMatch(/^(2|74)\n(0|74)\n$/);
    expect(stderr).toContain('ENOSPC');
    expect(stderr).not.toMatch(/internal\.bug|must be an empty folder/);
  },
);

test.skipIf(!canMount)('a full TMPDIR is named by a rehearsal, in one line', async () => {
  const [disk, tree] = [await temporaryFolder(), await temporaryFolder()];
  mkdirSync(join(tree, 'stacks', 'api'), { recursive: true });
  const json = { output: { a: { value: 'x' } } };
  writeFileSync(join(tree, 'stacks', 'api', 'cdk.tf.json'), JSON.stringify(json));
  const run = `TMPDIR="$disk" secure rehearse --base ${tree} --head ${tree}; echo $?`;
  const { stdout, stderr } = onFullDisk(disk, run);
  expect(stdout).toBe('74\n');
  expect(stderr).toBe(
    `secure-connectivity: \`TMPDIR\` must have space for temporary files, got: ${disk} (ENOSPC); free space there, or set TMPDIR to another folder\n`,
  );
});

test.skipIf(!canMount)(
  'Terraform of a sandbox names the file that a full disk does not take',
  async () => {
    const [disk, tree] = [await temporaryFolder(), await temporaryFolder()];
    const json = { output: { a: { value: 'x'.repeat(80_000) } } };
    writeFileSync(join(tree, 'cdk.tf.json'), JSON.stringify(json));
    const inside = `cd ${tree} && terraform init >/dev/null; echo $?`;
    const start = `TMPDIR=${tree} secure sandbox --state "$disk/state" -- sh -c '${inside}'`;
    const { stdout, stderr } = onFullDisk(disk, `rm "$disk/fill"; ${start}`);
    expect(stdout).toBe('74\n');
    expect(stderr).toMatch(/^secure-connectivity: \S+\.tf\.json\S* must take .*ENOSPC$/m);
    expect(stderr).not.toMatch(/internal\.bug|\n +at /);
  },
);

test.each([
  'rehearse --base . --head .',
  'adopt a',
  'deploy a',
])('a missing TMPDIR ends %s with one line and no stack trace', async (line) => {
  const cwd = await temporaryFolder();
  const env = { PATH: process.env.PATH, TMPDIR: join(cwd, 'none') };
  const args = [MAIN, ...line.split(' ')];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  expect([2, 74]).toContain(status);
  expect(stderr).not.toMatch(/internal\.bug|\n +at /);
});
