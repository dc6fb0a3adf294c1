import { execFileSync } from 'node:child_process';
import { appendFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listBounded, readBounded, readChunks } from '../../src/files/bounded-read.js';
import { temporaryFolder } from '../support/cleanup.js';

test('reads a regular file whole', async () => {
  const file = join(await temporaryFolder(), 'a');
  writeFileSync(file, 'x'.repeat(3_000_000));
  expect(readBounded(file)).toHaveLength(3_000_000);
});

test('refuses a pipe that nobody writes to, and a device, at once', async () => {
  const pipe = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const file of [pipe, '/dev/zero']) {
    expect(() => readBounded(file)).toThrow('must be a regular file');
  }
});

test('refuses a file of 2 GiB without reading it', async () => {
  const file = join(await temporaryFolder(), 'sparse');
  writeFileSync(file, '');
  truncateSync(file, 2 ** 31);
  expect(() => readBounded(file)).toThrow('must be at most 64 MiB long');
});

test('stops at a file that grows', async () => {
  const file = join(await temporaryFolder(), 'log');
  writeFileSync(file, 'x');
  const read = () => {
    for (const _ of readChunks(file)) appendFileSync(file, 'xxxx');
  };
  expect(read).toThrow('must not grow while it is read');
});

test('refuses what a link leads to outside a folder', async () => {
  const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
  writeFileSync(join(other, 'secret'), 'x');
  symlinkSync(join(other, 'secret'), join(folder, 'a'));
  expect(() => readBounded(join(folder, 'a'), { within: folder })).toThrow('must be in the folder');
  expect(String(readBounded(join(folder, 'a')))).toBe('x');
});

test('refuses a folder with more entries than a tool writes', async () => {
  const folder = await temporaryFolder();
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), '');
  expect(listBounded(folder)).toEqual(['a', 'b', 'c']);
  expect(() => listBounded(folder, 2)).toThrow('must have at most 2 entries');
});
