import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { textReport } from '../../src/review/reports/document.js';
import { review } from '../../src/review/review.js';
import { temporaryFolder } from '../support/cleanup.js';
import { TODAY } from './trees.js';

/** The dependencies of each stack that the manifest names. */
type Named = Readonly<Record<string, readonly string[]>>;

/** A tree of folders, each with one output, and a manifest unless it is to have none. */
async function treeOf(folders: readonly string[], named: Named | undefined) {
  const tree = await temporaryFolder();
  for (const name of folders) {
    const folder = join(tree, 'stacks', name);
    mkdirSync(folder, { recursive: true });
    // None says its name, nor what another one says.
    const vpc = { vpc_name: `network ${name.length}`, cidr_block: '10.0.0.0/16' };
    const resource = { volcenginecc_vpc_vpc: { [`of_${name.length}`]: vpc } };
    writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify({ resource }));
  }
  const stacks = Object.entries(named ?? {}).map(([name, dependencies]) => [
    name,
    { name, workingDirectory: `stacks/${name}`, annotations: [], dependencies },
  ]);
  const manifest = { version: '0.21.0', stacks: Object.fromEntries(stacks) };
  if (named) writeFileSync(join(tree, 'manifest.json'), JSON.stringify(manifest));
  return readTree(tree, '--tree');
}

const ALL = ['api', 'plugin'];
const DEPENDENT: Named = { api: [], plugin: ['api'] };
const FREE: Named = { api: [], plugin: [] };

const compare = async (base: Named | undefined, head: Named | undefined, folders = ALL) =>
  review(await treeOf(ALL, base), await treeOf(folders, head), TODAY);

test('a dependency that is dropped needs approval, and says what can happen', async () => {
  const report = await compare(DEPENDENT, FREE);
  expect(report.decision).toBe('needs-approval');
  expect(report.findings).toEqual([
    expect.objectContaining({
      ...{ kind: 'control', stack: 'plugin', resource: 'manifest.json' },
      ...{ what: 'dependency on api', before: 'stated', after: 'none' },
      consequence: 'a deploy can change it before api, and although api failed',
    }),
  ]);
  expect(report.summary).toContain('NEEDS APPROVAL');
});

test('a dependency that is added is told, and needs none', async () => {
  const report = await compare(FREE, DEPENDENT);
  expect(report.decision).toBe('no-change');
  expect(report.findings).toEqual([
    expect.objectContaining({ what: 'dependency on api', before: 'none', after: 'stated' }),
  ]);
});

test('a dependency on one stack in the place of another needs approval', async () => {
  const folders = [...ALL, 'other'];
  const base = await treeOf(folders, { api: [], other: [], plugin: ['api'] });
  const head = await treeOf(folders, { api: [], other: [], plugin: ['other'] });
  const report = review(base, head, TODAY);
  expect(report.findings.map(({ what, decision }) => [what, decision])).toEqual([
    ['dependency on api', 'needs-approval'],
    ['dependency on other', 'no-change'],
  ]);
});

test('a dependency on a stack that is renamed is the same one', async () => {
  const base = await treeOf(ALL, DEPENDENT);
  const [api, plugin] = [base.get('api'), base.get('plugin')];
  if (api === undefined || plugin === undefined) throw new Error('the tree has both stacks');
  const head = new Map([
    ['renamed', { ...api, name: 'renamed' }],
    ['plugin', { ...plugin, dependencies: ['renamed'] }],
  ]);
  const { findings } = review(base, head, TODAY);
  expect(findings.map(({ identity }) => identity[0])).toEqual(['renamed']);
});

test('a folder that no entry names needs approval, new or as it was', async () => {
  const known = await compare(FREE, { api: [] });
  expect(known.decision).toBe('needs-approval');
  expect(known.findings).toEqual([
    expect.objectContaining({
      ...{ stack: 'plugin', resource: 'manifest.json', before: 'deployed', after: 'not named' },
      consequence:
        'no deploy of the tree takes stacks/plugin: what this review reads there is not deployed',
    }),
  ]);
  const added = await compare(FREE, FREE, [...ALL, 'own']);
  expect(added.decision).toBe('needs-approval');
  expect(added.findings).toContainEqual(
    expect.objectContaining({ stack: 'own', resource: 'manifest.json', after: 'not named' }),
  );
});

test('a folder that an entry names at last needs approval, although nothing in it has changed', async () => {
  const report = await compare({ api: [] }, FREE);
  expect(report.decision).toBe('needs-approval');
  expect(report.findings).toEqual([
    expect.objectContaining({ stack: 'plugin', before: 'not named', after: 'deployed' }),
  ]);
});

test.each<[string, Named | undefined]>([
  ['manifests that say the same', DEPENDENT],
  ['a folder that neither manifest names', { api: [] }],
])('%s are no finding', async (_, named) => {
  const report = await compare(named, named);
  expect([report.decision, report.findings, report.notes.join()]).toEqual([
    'no-change',
    [],
    expect.not.stringContaining('manifest'),
  ]);
});

test('a tree without a manifest is reviewed, and what that leaves out is said', async () => {
  const ORDER = 'which stack a deploy changes after which other one was not compared';
  const neither = await compare(undefined, undefined);
  expect([neither.decision, neither.findings]).toEqual(['no-change', []]);
  expect(neither.notes).toContain(`The base has no manifest.json: ${ORDER}.`);
  const head = await compare(DEPENDENT, undefined);
  expect(head.notes).toContain(`The head has no manifest.json: ${ORDER}, and no deploy takes it.`);
  expect(textReport(head)).toContain('The head has no manifest.json');
  const base = await compare(undefined, DEPENDENT);
  expect(base.notes.filter((note) => note.includes('manifest'))).toEqual([
    `The base has no manifest.json: ${ORDER}.`,
  ]);
});
