import { expect, test } from 'vitest';
import { resolveStack } from '../../src/reach/read/resolve.js';
import { applyNames } from '../../src/reach/rules/carriers.js';
import { readPackets } from '../../src/reach/rules/read-packets.js';
import { ResourceIndex, type RuleList } from '../../src/reach/rules/reading.js';
import { decideLists } from '../../src/reach/rules/rule-list.js';
import { readCarriedGroups } from '../../src/reach/rules/security-groups.js';
import { type Region, toRegion } from '../../src/reach/sets/region.js';
import { findUnopened } from '../../src/review/stacks/disagreement.js';
import {
  certainTree,
  isElsewhere,
  type ReviewedStack,
  reviewedTree,
} from '../../src/review/stacks/reviewed-trees.js';
import { randomTree } from '../reach/random-tree.js';
import { randomOf } from '../reach/two-engines.js';
import { runs } from '../support/samples.js';
import { from, reviewOfTerraform, stackOf, treeOf } from './trees.js';

const RULES = [from('10.20.0.0/16'), from('198.51.100.0/24', { direction: 'egress' })];

const cellsOf = (region: Region) =>
  [...region].map(([key, { ranges }]) => [key, ranges] as const).sort();

/** Decides all lists of a stack anew with everything in doubt closed, whether it decides anything or not. */
function decidedAnew({ name, terraform, effective, names, rules }: ReviewedStack) {
  const index = new ResourceIndex(resolveStack(terraform).resources);
  const again = (lists: readonly RuleList[]) => decideLists(lists, false).flows ?? [];
  const flows = [
    ...effective.flows.filter(({ kind }) => kind !== 'packets'),
    ...again(readPackets(index, () => true).lists),
  ];
  const stated = rules.filter((rule) => !isElsewhere(rule));
  const lists = effective.alone.filter(({ kind }) => kind !== 'packets');
  return {
    open: [...applyNames(name, flows, names), ...findUnopened(flows, stated)],
    alone: applyNames(name, [...lists, ...again(readCarriedGroups(index))]),
  };
}

test('what passes for certain is what all lists open with everything in doubt closed', () => {
  let different = 0;
  for (let seed = 0; seed < runs(60); seed += 1) {
    const { resource } = randomTree(randomOf(seed));
    const open = reviewedTree(treeOf(stackOf(RULES, { resource })));
    const certain = certainTree(open);
    const wanted = open.stacks.map(decidedAnew);
    expect(cellsOf(certain.region)).toEqual(cellsOf(toRegion(wanted.flatMap((one) => one.open))));
    const alone = (all: readonly Pick<ReviewedStack, 'alone'>[]) =>
      cellsOf(toRegion(all.flatMap((one) => one.alone)));
    expect(alone(certain.stacks)).toEqual(alone(wanted));
    if (cellsOf(open.region).length !== cellsOf(certain.region).length) different += 1;
  }
  expect(different).toBeGreaterThan(0);
});

const GROUP = 'volcenginecc_vpc_security_group';
const rule = (policy: string, cidr_ip: string, priority: number) => ({
  ...{ policy, cidr_ip, priority, protocol: 'all', port_start: -1, port_end: -1 },
});
const REST = ['0.0.0.0/0', '::/0'].map((all) => rule('drop', all, 100));

/** An interface with two groups, of which the second drops all that the first leaves. */
const both = (...networks: readonly string[]) => ({
  resource: {
    [GROUP]: {
      first: {
        ingress_permissions: [],
        egress_permissions: networks.map((one) => rule('accept', one, 1)),
      },
      second: { ingress_permissions: [], egress_permissions: REST },
    },
    volcenginecc_vpc_eni: {
      own: { security_group_ids: ['first', 'second'].map((name) => `\${${GROUP}.${name}.id}`) },
    },
  },
});

test('a group alone can be in doubt where the interface that carries it is not', () => {
  const tree = reviewedTree(treeOf(stackOf([], both('192.0.2.0/24'))));
  expect(certainTree(tree).open).toEqual(tree.open);
  const [stack] = certainTree(tree).stacks;
  const peers = stack?.alone.filter(({ direction }) => direction === 'egress') ?? [];
  expect(peers.map(({ carrier }) => carrier)).toEqual([`${GROUP}.first`]);
});

test('a note names a question only where something depends on it', () => {
  const decided = reviewOfTerraform(both('192.0.2.0/24'), both('192.0.2.0/24')).notes.join();
  expect(decided).toContain('`group-outward`');
  const policy = (action: string, source: string) => ({
    ...{ action, direction: 'in', proto: 'ANY', status: true, prio: 1, description: '' },
    ...{ source, source_type: 'net', destination: '47.1.1.1/32', destination_type: 'net' },
    ...{ repeat_type: 'Permanent' },
  });
  // Two policies at one position that speak of different packets: their order decides nothing.
  const apart = {
    resource: {
      ...both('192.0.2.0/24').resource,
      volcenginecc_fwcenter_control_policy: {
        one: policy('accept', '203.0.113.0/24'),
        two: policy('deny', '198.51.100.0/24'),
      },
    },
  };
  const notes = reviewOfTerraform(apart, apart).notes.join();
  expect(notes).toContain('`group-outward`');
  expect(notes).not.toContain('`firewall-same-position`');
});
