import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { intentsReportSchema } from '../../src/reach/intents/report.js';
import { runHere } from '../support/run-here.js';
import { synthesizeAll } from '../support/synthesize-all.js';

const SETTINGS = readdirSync('stacks/settings').map((file) => basename(file, '.json'));
const read = (name: string) => JSON.parse(readFileSync(`stacks/settings/${name}.json`, 'utf8'));
const TREES = synthesizeAll(Object.fromEntries(SETTINGS.map((name) => [name, read(name)])));

const reach = (tree: string, ...args: readonly string[]) =>
  runHere(['reach', '--tree', join(TREES, tree), ...args]);

async function propose(tree: string, name: string): Promise<string> {
  const file = join(TREES, `${tree}-${name}.json`);
  const { exit, stdout } = await reach(tree, '--write-intents', file);
  expect([exit, stdout]).toEqual([
    0,
    expect.stringMatching(/: \d+ intents, each of which holds\n$/),
  ]);
  return file;
}

test.each(SETTINGS)('what is proposed for %s is a table in which all hold', async (tree) => {
  const file = await propose(tree, 'whole');
  const { exit, stdout } = await reach(tree, '--intents', file, '--format', 'json');
  expect(exit).toBe(0);
  const { rows } = intentsReportSchema.parse(JSON.parse(stdout));
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.map(({ proof }) => proof?.result)).toEqual(rows.map(() => 'holds'));
});

test('a sentence that a tree breaks ends with 4, with its packet, in each format', async () => {
  const [tree = ''] = SETTINGS;
  const file = await propose(tree, 'broken');
  const proposed = JSON.parse(readFileSync(file, 'utf8'));
  const [first] = proposed.intents;
  proposed.intents = [{ ...first, expect: 'closed' }];
  writeFileSync(file, JSON.stringify(proposed));
  const { exit, stdout } = await reach(tree, '--intents', file, '--format', 'json');
  expect(exit).toBe(4);
  const proof = intentsReportSchema.parse(JSON.parse(stdout)).rows[0]?.proof;
  expect(proof).toMatchObject({ result: 'broken', packet: expect.stringMatching(/ → .+:443/) });
  for (const format of ['text', 'markdown', 'html']) {
    const written = await reach(tree, '--intents', file, '--format', format);
    expect([written.exit, written.stdout]).toEqual([4, expect.stringContaining('broken')]);
    expect(written.stdout).toContain(proof?.packet.split(' ')[0]);
  }
});

test('an intent for an environment that the tree has not is named, and refused where it is the only one', async () => {
  const [tree = ''] = SETTINGS;
  const file = await propose(tree, 'elsewhere');
  const proposed = JSON.parse(readFileSync(file, 'utf8'));
  const [first] = proposed.intents;
  const other = { ...first, name: 'not here', environments: ['prodcution'] };
  writeFileSync(file, JSON.stringify({ ...proposed, intents: [first, other] }));
  for (const format of ['text', 'markdown', 'html']) {
    const { exit, stdout } = await reach(tree, '--intents', file, '--format', format);
    expect([exit, stdout]).toEqual([0, expect.stringContaining('it is for prodcution only, and')]);
  }
  writeFileSync(file, JSON.stringify({ ...proposed, intents: [other] }));
  const { exit, stdout, stderr } = await reach(tree, '--intents', file);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain('got: intents for prodcution only');
});

test('a file that is there is not written over, and a format without a table is refused', async () => {
  const [tree = ''] = SETTINGS;
  const file = await propose(tree, 'kept');
  const before = readFileSync(file, 'utf8');
  const again = await reach(tree, '--write-intents', file);
  expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('must name a new file')]);
  expect(readFileSync(file, 'utf8')).toBe(before);
  const drawn = await reach(tree, '--intents', file, '--format', 'mermaid');
  expect([drawn.exit, drawn.stderr]).toEqual([2, expect.stringContaining('must be one of text, ')]);
});
