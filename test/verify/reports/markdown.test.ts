import { expect, test } from 'vitest';
import { markdownReport } from '../../../src/verify/reports/markdown.js';
import { GOOD, HALF_DEAD, HOSTILE_LINK, MIXED, verificationOf } from './samples.js';

test('what failed comes first, with cause, remedy, evidence and what it is not', () => {
  const lines = markdownReport(MIXED).split('\n');
  expect(lines[0]).toBe('## ❌ Connectivity: unreachable');
  expect(lines.filter((line) => line.startsWith('### '))).toEqual([
    '### ❌ half-dead (unreachable)',
    '### ❌ no-name (unreachable)',
    '### ✅ api (reachable)',
  ]);
  const text = lines.join('\n');
  expect(text).toContain('1. **The connection attempt gets no answer** (<code>tcp.timeout</code>)');
  expect(text).toContain('- Ruled out: the credentials (token passed)');
  expect(text).toContain('| ❌ | tcp | 10.1.2.4 | 10000 ms | tcp.timeout');
});

test('a good link is folded, a bad one is open', () => {
  expect(markdownReport(GOOD)).toContain('<details><summary>Stages</summary>');
  expect(markdownReport(verificationOf(HALF_DEAD))).toContain('<details open>');
});

test('no markup in what a server said is left', () => {
  const text = markdownReport(verificationOf(HOSTILE_LINK));
  const own = text.replace(/<\/?(?:details(?: open)?|summary|code)>/g, '');
  expect(own).not.toMatch(/[<>`@]/);
  expect(text).not.toContain('](http');
  expect(text).not.toContain('http://');
  for (const row of text.split('\n').filter((line) => line.startsWith('|'))) {
    expect(row.split('|')).toHaveLength(7);
  }
});

test('a summary of thousands of failed links stays within what GitHub takes', () => {
  const links = Array.from({ length: 3000 }, (_, i) => ({ ...HALF_DEAD, name: `link ${i}` }));
  const text = markdownReport(verificationOf(...links));
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(text).toMatch(/\d+ more links are not shown\.\n$/);
});
