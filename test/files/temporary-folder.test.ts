import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { judgeOwner, ownerMark } from '../../src/files/owner.js';
import {
  findOutliving,
  findTemporaryFolderError,
  makeTemporaryFolder,
  recordWorker,
} from '../../src/files/temporary-folder.js';
import { temporaryFolder } from '../support/cleanup.js';

const before = process.env.TMPDIR;
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

async function inTmpdir(): Promise<string> {
  const place = await temporaryFolder();
  process.env.TMPDIR = place;
  return place;
}

function leaveBehind(place: string, mark: string): string {
  const folder = join(place, `secure-connectivity-deploy.${mark}.aB3dE6`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'plan'), 'secret');
  return folder;
}

async function markOfDead(): Promise<string> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const mark = ownerMark(child.pid);
  expect(judgeOwner(mark)).toBe('alive');
  child.kill('SIGKILL');
  await once(child, 'close');
  return mark;
}

test('removes the folder of a dead owner, and leaves that of a living one', async () => {
  const place = await inTmpdir();
  const dead = leaveBehind(place, await markOfDead());
  const own = makeTemporaryFolder('deploy');
  expect(existsSync(dead)).toBe(false);
  const next = makeTemporaryFolder('rehearsal');
  expect([own, next].map((folder) => existsSync(folder))).toEqual([true, true]);
});

test('leaves a folder in which Terraform still runs, whose parent is dead', async () => {
  const place = await inTmpdir();
  const left = leaveBehind(place, await markOfDead());
  const cwd = join(left, 'stacks');
  mkdirSync(cwd);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { cwd });
  await once(child, 'spawn');
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'close');
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(false);
});

test('leaves a folder with a state that no backend has', async () => {
  const place = await inTmpdir();
  const left = leaveBehind(place, await markOfDead());
  mkdirSync(join(left, 'stacks/api'), { recursive: true });
  writeFileSync(join(left, 'stacks/api/errored.tfstate'), '{}');
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(true);
  rmSync(join(left, 'stacks/api/errored.tfstate'));
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(false);
});

test('takes a process with the number of the owner and another start for another one', async () => {
  const place = await inTmpdir();
  const mark = ownerMark();
  const [boot, namespace, pid] = mark.split('.');
  const left = leaveBehind(place, [boot, namespace, pid, '1'].join('.'));
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(false);
});

test('leaves the folder of a dead owner whose process still works with it, and finds that process', async () => {
  const place = await inTmpdir();
  const left = leaveBehind(place, await markOfDead());
  recordWorker(left, process.pid, { state: 'a' });
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(true);
  expect(findOutliving()).toEqual([
    { owner: expect.any(Number), pid: process.pid, about: { state: 'a' } },
  ]);
});

test('takes no later process for one that worked there', async () => {
  const place = await inTmpdir();
  const left = leaveBehind(place, await markOfDead());
  recordWorker(left, process.pid, {});
  const [name = ''] = readdirSync(left).filter((one) => one.startsWith('worker.'));
  renameSync(join(left, name), join(left, name.replace(/\d+$/, '1')));
  expect(findOutliving()).toEqual([]);
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(false);
});

test('finds no process of an owner that lives', async () => {
  await inTmpdir();
  recordWorker(makeTemporaryFolder('deploy'), process.pid, {});
  expect(findOutliving()).toEqual([]);
});

test.each(['namespace', 'boot'])('waits a day for the owner of another %s', async (which) => {
  const place = await inTmpdir();
  const [boot, namespace, , start] = ownerMark().split('.');
  const mark =
    which === 'boot' ? `${'0'.repeat(32)}.${namespace}.4194305.1` : `${boot}.7.4194305.${start}`;
  const left = leaveBehind(place, mark);
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(true);
  const old = Date.now() / 1000 - 90_000;
  utimesSync(left, old, old);
  makeTemporaryFolder('deploy');
  expect(existsSync(left)).toBe(false);
});

test('leaves links and files of such a name, and what has another name', async () => {
  const place = await inTmpdir();
  const mark = await markOfDead();
  const kept = join(await temporaryFolder(), 'kept');
  mkdirSync(kept);
  const link = join(place, `secure-connectivity-deploy.${mark}.abcdef`);
  symlinkSync(kept, link);
  const others = ['secure-connectivity-notes', `other-deploy.${mark}.abcdef`].map((name) => {
    mkdirSync(join(place, name));
    return join(place, name);
  });
  makeTemporaryFolder('deploy');
  expect([link, kept, ...others].map((path) => existsSync(path))).toEqual([true, true, true, true]);
});

test('names TMPDIR where it is missing', async () => {
  const place = await inTmpdir();
  rmSync(place, { recursive: true });
  expect(() => makeTemporaryFolder('deploy')).toThrow(
    `\`TMPDIR\` must be a folder that can be written, got: ${place} (ENOENT); set TMPDIR to another folder`,
  );
});

test('names TMPDIR for a disk that fills while a file below it is written', async () => {
  const place = await inTmpdir();
  const error = Object.assign(new Error('no space'), {
    code: 'ENOSPC',
    path: join(place, 'secure-connectivity-deploy.x/b'),
  });
  expect(findTemporaryFolderError(error)).toMatchObject({
    code: 'output.lost',
    message: `\`TMPDIR\` must have space for temporary files, got: ${place} (ENOSPC); free space there, or set TMPDIR to another folder`,
  });
  expect(findTemporaryFolderError(Object.assign(error, { path: '/elsewhere' }))).toBeUndefined();
});
