import { expect, test } from 'vitest';
import { textReport } from '../../src/verify/reports/text.js';
import { check, createWorld } from '../support/verifiable-link.js';

test('the stages stand in columns, and control characters of a server do not reach the terminal', async () => {
  const world = await createWorld();
  world.service.handler = () => ({ body: { code: 1, msg: 'red \u001b[31m\nalert\u0007\u202e' } });
  const text = textReport(await check(world));
  expect(text).toContain('"red [31m alert"');
  const rows = text.split('\n').filter((line) => /^ {2}(passed|failed|skipped) /.test(line));
  expect(rows).toHaveLength(8);
  expect(new Set(rows.map((row) => row.indexOf(' ms'))).size).toBe(1);
});

test('a style is asked for each part that has a meaning', async () => {
  const world = await createWorld();
  const text = textReport(await check(world), (part, as) => `<${as}>${part}</>`);
  expect(text).toMatch(/^<strong>api<\/>/);
  expect(text).toMatch(/<passed>passed <\/> {2}dns/);
  expect(text).toMatch(/<passed>reachable<\/>/);
});
