import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { gatherLines, openLines } from '../../src/cli/verify/open-lines.js';

test('many who write to what takes lines slowly wait together, without a warning', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'open-lines-'));
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => {
    process.off('warning', note);
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'lines.jsonl');
  const lines = await openLines(file);
  const line = `${'x'.repeat(100_000)}\n`;
  await Promise.all(Array.from({ length: 40 }, () => lines.write(line)));
  await lines.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(line.repeat(40));
});

test('lines are written together, once they are many or the first has waited long enough', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const lines = gatherLines((text) => written.push(text) < 2);
  expect([lines.add('a\n'), lines.add('b\n')]).toEqual([true, true]);
  expect(written).toEqual([]);
  vi.runAllTimers();
  expect(written).toEqual(['a\nb\n']);
  const long = 'x'.repeat(100_000);
  expect(lines.add(long)).toBe(false);
  lines.add('c\n');
  expect(lines.take()).toBe('c\n');
  expect(vi.getTimerCount()).toBe(0);
  expect(written).toEqual(['a\nb\n', long]);
});

test('where lines are read as they come, only those that follow closely are written together', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const lines = gatherLines((text) => written.push(text) > 0, true);
  lines.add('a\n');
  expect(written).toEqual(['a\n']);
  lines.add('b\n');
  lines.add('c\n');
  expect(written).toEqual(['a\n']);
  vi.advanceTimersByTime(100);
  expect(written).toEqual(['a\n', 'b\nc\n']);
  vi.advanceTimersByTime(100);
  lines.add('d\n');
  expect(written).toEqual(['a\n', 'b\nc\n', 'd\n']);
  expect(vi.getTimerCount()).toBe(0);
});

test('lines that are not written yet when a run fails are in the file that is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'open-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = await openLines(join(folder, 'lines.jsonl'));
  await lines.write('one\n');
  expect(readFileSync(lines.abandon() ?? '', 'utf8')).toBe('one\n');
  const unused = await openLines(join(folder, 'other.jsonl'));
  expect(unused.abandon()).toBeUndefined();
});
