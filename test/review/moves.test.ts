import { describe, expect, test } from 'vitest';
import { review } from '../../src/review/review.js';
import { from, stackOf, TODAY, treeOf } from './trees.js';

const GROUP = 'volcenginecc_vpc_security_group';
const [ONE, OTHER] = ['10.0.0.0/24', '10.1.0.0/24'] as const;

const group = (cidr_ip: string) => ({
  ingress_permissions: [
    {
      ...{ policy: 'accept', protocol: 'tcp', port_start: 443, port_end: 443, priority: 10 },
      cidr_ip,
    },
  ],
  egress_permissions: [],
});

/** Groups by their names, each for one network, and moves between names, such as `a > b`. */
function tree(groups: Readonly<Record<string, string>>, ...moves: readonly string[]) {
  const own = Object.entries(groups).map(([name, cidr]) => [name, group(cidr)]);
  const rules = Object.entries(groups).map(([name, cidr]) =>
    from(cidr, { carriers: [`${GROUP}.${name}`] }),
  );
  const address = (name = '') => (name.includes('.') ? name : `${GROUP}.${name}`);
  const moved = moves.map((move) => {
    const [a, b] = move.split(' > ');
    return { from: address(a), to: address(b) };
  });
  const resource = { [GROUP]: Object.fromEntries(own) };
  return treeOf(stackOf(rules, { resource, ...(moved.length > 0 && { moved }) }));
}

type Tree = ReturnType<typeof tree>;

/** Rows of a change; without rules outward any group lets everything out. */
const rowsOf = (base: Tree, head: Tree) =>
  review(base, head, TODAY).findings.filter(
    ({ kind, decision }) => decision !== 'forbidden' && kind !== 'policy',
  );

describe('moved', () => {
  test.each<[what: string, base: Tree, head: Tree]>([
    ['a rename', tree({ a: ONE }), tree({ b: ONE }, 'a > b')],
    [
      'two renames at once',
      tree({ a: ONE, c: OTHER }),
      tree({ b: ONE, d: OTHER }, 'a > b', 'c > d'),
    ],
    [
      'a rename by way of a name that was never deployed',
      tree({ a: ONE }),
      tree({ c: ONE }, 'a > b', 'b > c'),
    ],
    [
      'a second rename, with the first one still stated',
      tree({ b: ONE }, 'a > b'),
      tree({ c: ONE }, 'a > b', 'b > c'),
    ],
    ['a second rename alone', tree({ b: ONE }, 'a > b'), tree({ c: ONE }, 'b > c')],
    ['a rename of long ago', tree({ b: ONE }), tree({ b: ONE }, 'a > b')],
    ['a rename of long ago that is no longer stated', tree({ b: ONE }, 'a > b'), tree({ b: ONE })],
  ])('%s is no change', (_, base, head) => {
    expect(rowsOf(base, head)).toEqual([]);
  });

  test.each<[what: string, base: Tree, head: Tree]>([
    [
      'two names that are exchanged',
      tree({ a: ONE, b: OTHER }),
      tree({ a: OTHER, b: ONE }, 'a > b', 'b > a'),
    ],
    ['two that become one', tree({ a: ONE, b: OTHER }), tree({ c: ONE }, 'a > c', 'b > c')],
    [
      'one from a name that something still has',
      tree({ a: ONE }),
      tree({ a: ONE, b: ONE }, 'a > b'),
    ],
    ['one to another type', tree({ a: ONE }), tree({ b: ONE }, 'a > volcenginecc_vpc_vpc.b')],
    ['an instance', tree({ a: ONE }), tree({ b: ONE }, 'a[0] > b[0]')],
    ['a move beside it to the same name', tree({ a: ONE }), tree({ b: ONE }, 'a > b', 'x > b')],
  ])('%s is not followed, and needs approval', (_, base, head) => {
    const told = { kind: 'unread', consequence: 'the move is not followed' };
    expect(rowsOf(base, head)).toContainEqual(expect.objectContaining(told));
  });

  test.each([
    ['with its own rules', { b: ONE }],
    ['with the rules of what had it', { b: OTHER }],
  ])('a name that another object has is not taken: that is removed (%s)', (_, left) => {
    const rows = rowsOf(tree({ a: ONE, b: OTHER }), tree(left, 'a > b'));
    expect(rows).toContainEqual(
      expect.objectContaining({ resource: `${GROUP}.a`, kind: 'disruption', after: 'removed' }),
    );
  });

  test('what changes with a rename is told under the new name, and nothing else is', () => {
    const rows = rowsOf(tree({ a: ONE }), tree({ b: OTHER }, 'a > b'));
    expect(rows.map(({ kind, decision, resource }) => [kind, decision, resource])).toEqual([
      ['access', 'needs-approval', `${GROUP}.b`],
      ['access', 'narrower', `${GROUP}.b`],
    ]);
  });
});
