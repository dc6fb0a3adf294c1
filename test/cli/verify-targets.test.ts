import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLines } from '../../src/cli/verify/verify-targets.js';

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

test('lines of a run that fails are in the file that is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'open-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = await openLines(join(folder, 'lines.jsonl'));
  await lines.write('one\n');
  expect(readFileSync(lines.abandon() ?? '', 'utf8')).toBe('one\n');
  const unused = await openLines(join(folder, 'other.jsonl'));
  expect(unused.abandon()).toBeUndefined();
});
