import { expect, test } from 'vitest';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { findFactChanges } from '../../src/review/changes/stack-changes.js';
import { readLinkFacts } from '../../src/review/effective-rules/links.js';

const link = (expectedAddresses: readonly string[]) => {
  const links = [
    { name: 'fixed', via: 'fixed-ip-egress', baseUrl: 'https://a.test', expectedAddresses },
  ];
  const output = { connectivity: { value: JSON.stringify({ links }) } };
  return readLinkFacts(readTerraform({ output }));
};
const single = Array.from({ length: 16 }, (_, i) => `203.0.113.${i}/32`);

test.each<[what: string, before: readonly string[], after: readonly string[], decisions: string[]]>(
  [
    ['one network for its addresses', single, ['203.0.113.0/28'], []],
    ['two halves of it', ['203.0.113.0/28'], ['203.0.113.8/29', '203.0.113.0/29'], []],
    ['a half of it', ['203.0.113.0/28'], ['203.0.113.0/29'], ['no-change']],
    ['one address more', single, [...single, '203.0.113.16/32'], ['needs-approval']],
    ['another address', single, [...single.slice(1), '203.0.113.77/32'], ['needs-approval']],
    ['an expression', single, [...single, '${var.more}'], ['needs-approval']],
  ],
)('addresses that a check accepts are compared by what they hold: %s', (_, before, after, wanted) => {
  const found = findFactChanges('stack', link(before), link(after));
  expect(found.map(({ decision }) => decision)).toEqual(wanted);
});
