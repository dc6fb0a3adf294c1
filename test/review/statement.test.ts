import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, type SynthesizedTree } from '../../src/reach/read/read-tree.js';
import { allow, findExcess } from '../../src/review/statement/allowed.js';
import { isPassed, type Statement, statementOf } from '../../src/review/statement/statement.js';
import { openingsOf, surfacesOf } from '../../src/review/statement/surface.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { ATTACKS } from './attacks.js';
import { OneStack } from './one-stack.js';
import { BASE } from './settings-changes.js';

const { serviceEndpoint, pluginEndpointService } = BASE;
const networks = (...allowedNetworks: readonly string[]) => ({
  ...serviceEndpoint,
  allowedNetworks,
});
const accepted = (...acceptedEndpointIds: readonly string[]) => ({
  ...pluginEndpointService,
  acceptedEndpointIds,
});
const OFFICE = networks('10.20.0.0/23', '10.30.0.0/24');

const TREES = synthesizeAll({
  base: BASE,
  office: { ...BASE, serviceEndpoint: OFFICE },
  third: { ...BASE, pluginEndpointService: accepted('ep-1', 'ep-2', 'ep-3') },
  both: {
    ...BASE,
    serviceEndpoint: OFFICE,
    pluginEndpointService: accepted('ep-1', 'ep-2', 'ep-3'),
  },
  narrow: { ...BASE, serviceEndpoint: networks('10.20.0.0/24') },
  narrowOffice: { ...BASE, serviceEndpoint: networks('10.20.0.0/24', '10.30.0.0/24') },
  unchecked: { ...BASE, check: { ...BASE.check, mode: 'off' } },
});

const read = new Map<string, SynthesizedTree>();

function treeOf(name: string): SynthesizedTree {
  const tree = read.get(name) ?? readTree(join(TREES, name), '--tree');
  read.set(name, tree);
  return tree;
}
const NOTHING: SynthesizedTree = new Map();

const change = (base: SynthesizedTree, head: SynthesizedTree): Statement =>
  statementOf({ decision: 'needs-approval' }, base, head);
const between = (base: string, head: string) => change(treeOf(base), treeOf(head));

/** The excess of a tree over what is deployed and was reviewed since, by stack. */
function excessOf(
  tree: SynthesizedTree,
  deployed: SynthesizedTree,
  since: readonly Statement[],
  known: readonly Statement[] = [change(NOTHING, deployed)],
): Record<string, string> {
  return Object.fromEntries(
    [...surfacesOf(tree)].flatMap(([name, surface]) => {
      const before = deployed.get(name)?.terraform;
      const open = before === undefined ? [] : openingsOf(before);
      const excess = findExcess(surface, allow(name, open, known, since));
      return excess === undefined ? [] : [[name, excess]];
    }),
  );
}

test('what was reviewed passes, and the same again', () => {
  const first = between('base', 'office');
  expect(excessOf(treeOf('base'), NOTHING, [change(NOTHING, treeOf('base'))], [])).toEqual({});
  expect(excessOf(treeOf('office'), treeOf('base'), [first])).toEqual({});
  expect(excessOf(treeOf('office'), treeOf('office'), [], [first])).toEqual({});
});

test('what opens more is refused with a packet of it', () => {
  expect(excessOf(treeOf('office'), treeOf('base'), [])).toEqual({
    'api-access-live': expect.stringContaining('it opens 10.30.0.0 → '),
  });
  expect(excessOf(treeOf('office'), treeOf('base'), [between('base', 'narrow')])).toEqual({
    'api-access-live': expect.stringContaining('it opens 10.20.1.0 → '),
  });
});

test('what opens less passes', () => {
  expect(excessOf(treeOf('narrow'), treeOf('base'), [])).toEqual({});
  expect(excessOf(treeOf('base'), treeOf('base'), [between('base', 'office')])).toEqual({});
});

test('changes that were reviewed side by side add up, in either order, and each alone is not enough', () => {
  const changes = [between('base', 'office'), between('base', 'third')];
  expect(excessOf(treeOf('both'), treeOf('base'), changes)).toEqual({});
  expect(excessOf(treeOf('both'), treeOf('base'), changes.toReversed())).toEqual({});
  expect(excessOf(treeOf('both'), treeOf('base'), changes.slice(0, 1))).toEqual({
    'plugin-access-live': expect.stringContaining('it opens endpoint ep-3 → '),
  });
  expect(excessOf(treeOf('both'), treeOf('base'), changes.slice(1))).toEqual({
    'api-access-live': expect.stringContaining('10.30.0.0'),
  });
});

test('what a later change closes stays closed', () => {
  const changes = [between('base', 'office'), between('base', 'narrow')];
  expect(excessOf(treeOf('narrowOffice'), treeOf('base'), changes)).toEqual({});
  expect(excessOf(treeOf('office'), treeOf('base'), changes)).toEqual({
    'api-access-live': expect.stringContaining('it opens 10.20.1.0 → '),
  });
});

test('a statement that is deployed already opens nothing a second time', () => {
  const opened = between('base', 'office');
  const closed = between('office', 'base');
  const known = [opened, closed];
  expect(excessOf(treeOf('office'), treeOf('base'), [], known)).toEqual({
    'api-access-live': expect.stringContaining('it opens 10.30.0.0 → '),
  });
});

test('a check that is switched off without a review is refused', () => {
  expect(Object.keys(excessOf(treeOf('unchecked'), treeOf('base'), []))).toEqual(
    [...treeOf('base').keys()].sort(),
  );
  expect(excessOf(treeOf('unchecked'), treeOf('base'), [between('base', 'unchecked')])).toEqual({});
});

test('a statement holds no path and no value of a stack but addresses and names', () => {
  const text = JSON.stringify(between('base', 'office'));
  expect(text).not.toMatch(/node_modules|dist\/cli|\.\.\/|keys\/first|static-api/);
});

test.each([
  ['forbidden', ['reviewer'], false],
  ['needs-approval', [], false],
  ['needs-approval', ['reviewer'], true],
  ['narrower', [], true],
  ['no-change', [], true],
] as const)('a change that is %s, approved by %j, passes: %s', (decision, approvedBy, passes) => {
  expect(isPassed({ ...between('base', 'base'), decision, approvedBy: [...approvedBy] })).toBe(
    passes,
  );
});

const DEPLOYED = change(NOTHING, treeOf('base'));
const OPENED = new Map(
  [...treeOf('base')].map(([name, { terraform }]) => [name, openingsOf(terraform)]),
);

/** The excess of one stack of a tree over the base, which is deployed. */
function excessOfOne(tree: SynthesizedTree, name: string): string | undefined {
  const one = new Map([...tree].filter(([stack]) => stack === name));
  const before = OPENED.get(name);
  const surface = surfacesOf(one).get(name);
  if (before === undefined || surface === undefined) throw new Error(`no stack ${name}`);
  return findExcess(surface, allow(name, before, [DEPLOYED], []));
}

test('a tree that was not changed passes', () => {
  for (const name of treeOf('base').keys())
    expect(excessOfOne(treeOf('base'), name)).toBe(undefined);
});

describe('a tree that was changed after the review is refused', () => {
  const stacks = [...treeOf('base').keys()].map((name) => new OneStack(join(TREES, 'base'), name));

  test.each(Object.entries(ATTACKS))('%s', (_, attack) => {
    const missed: string[] = [];
    let tried = 0;
    for (const stack of stacks) {
      const json = JSON.parse(stack.text('cdk.tf.json'));
      if (!attack(json)) continue;
      tried += 1;
      const tree = stack.readWith({ 'cdk.tf.json': JSON.stringify(json) });
      if (excessOfOne(tree, stack.name) === undefined) missed.push(stack.name);
    }
    expect([tried > 0, missed]).toEqual([true, []]);
  });
});
