import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDraft, writeWhole } from '../../src/files/whole-file.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whole-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the old text stays until the new one is complete, and nothing is left beside it', () => {
  const file = join(folder, 'report.json');
  writeWhole(file, 'old');
  const draft = openDraft(file);
  writeFileSync(draft.descriptor, 'ne');
  expect(readFileSync(file, 'utf8')).toBe('old');
  draft.discard();
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['old', ['report.json']]);
  writeWhole(file, 'new');
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['new', ['report.json']]);
});

test('a file keeps its mode, and one that is new gets the given one', () => {
  const file = join(folder, 'report.json');
  writeWhole(file, 'old', { mode: 0o600 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o664);
  writeWhole(file, 'new');
  expect(statSync(file).mode & 0o777).toBe(0o664);
});

test('no two drafts have the same name, and none has one that can be foretold', () => {
  const file = join(folder, 'report.json');
  const drafts = [openDraft(file), openDraft(file)];
  const names = drafts.map(({ path }) => basename(path));
  expect(new Set(names).size).toBe(2);
  for (const name of names) {
    expect(name).toMatch(/^report\.json\.[0-9a-f]{12}\.part$/);
    expect(name).not.toContain(`.${process.pid}.`);
  }
  for (const draft of drafts) draft.discard();
});

test('a link stays a link, and the file that it names is replaced', () => {
  const [file, link] = [join(folder, 'report.json'), join(folder, 'latest.json')];
  writeWhole(file, 'old');
  symlinkSync(file, link);
  writeWhole(link, 'new');
  expect([lstatSync(link).isSymbolicLink(), readFileSync(file, 'utf8')]).toEqual([true, 'new']);
});

test.runIf(existsSync('/dev/full'))('a device that is full is an error, and stays a device', () => {
  expect(() => writeWhole('/dev/full', 'text')).toThrow(/ENOSPC/);
  expect(statSync('/dev/full').isFile()).toBe(false);
});
