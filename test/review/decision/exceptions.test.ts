import { expect, test } from 'vitest';
import type { AccessRule } from '../../../src/access/access-rule.js';
import { from, reviewOf } from '../trees.js';

const exception = { reason: 'migration', owner: 'network team', expires: '2030-12-31' };
const longer = { ...exception, expires: '2031-12-31' };
const shorter = { ...exception, expires: '2030-11-30' };
const all = (one: typeof exception | undefined) => [from('0.0.0.0/0', { exception: one })];
const halves = (one: typeof exception, other: typeof exception = one) => [
  from('128.0.0.0/1', { exception: one }),
  from('0.0.0.0/1', { exception: other }),
];

/** The rows about exceptions, and whether the report lists any as new. */
function told(base: readonly AccessRule[], head: readonly AccessRule[]) {
  const { findings, exceptions } = reviewOf(base, head);
  const rows = findings.filter(({ what }) => what.startsWith('exception of'));
  return {
    rows: rows.map(({ decision, before, after }) => [decision, before, after]),
    isNew: exceptions.some((one) => one.isNew),
  };
}

test.each<[what: string, base: AccessRule[], head: AccessRule[]]>([
  ['the same', all(exception), all(exception)],
  ['two halves for one rule', all(exception), halves(exception)],
  ['one rule for two halves', halves(exception), all(exception)],
])('in other words it is no other exception: %s', (_, base, head) => {
  expect(told(base, head)).toEqual({ rows: [], isNew: false });
});

test.each<[what: string, base: AccessRule[], head: AccessRule[], decisions: string[]]>([
  ['prolonged', all(exception), all(longer), ['needs-approval']],
  ['prolonged and in halves', all(exception), halves(longer), ['needs-approval', 'needs-approval']],
  ['in halves, one prolonged', all(exception), halves(exception, longer), ['needs-approval']],
  [
    'joined, and prolonged for one half',
    halves(exception, longer),
    all(longer),
    ['needs-approval'],
  ],
  ['first stated', all(undefined), all(exception), ['needs-approval']],
  ['shortened', all(exception), all(shorter), ['narrower']],
  ['shortened for one half alone', halves(exception, shorter), all(exception), ['needs-approval']],
])('an exception that is %s', (_, base, head, decisions) => {
  const { rows, isNew } = told(base, head);
  expect(rows.map(([decision]) => decision)).toEqual(decisions);
  expect(isNew).toBe(true);
});
