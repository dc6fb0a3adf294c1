import { expect, test } from 'vitest';
import { counted } from '../../src/lists/counted.js';
import { clientsText } from '../../src/rehearse/ways/clients.js';
import { explainFinding } from '../../src/review/decision/summary.js';
import type { Finding } from '../../src/review/report-schema.js';

test.each([
  [0, '0 links'],
  [1, '1 link'],
  ['2', '2 links'],
  [`${2n ** 128n}`, '340282366920938463463374607431768211456 links'],
])('%s is counted', (count, text) => {
  expect(counted(count, 'link')).toBe(text);
});

test('one more range of clients, and one address of a finding, are told in the singular', () => {
  const clients = Array.from({ length: 7 }, (_, i) => ({
    first: BigInt(i * 9),
    last: BigInt(i * 9),
  }));
  expect(clientsText(clients)).toMatch(/ and 1 more range$/);
  const finding: Finding = {
    kind: 'access',
    decision: 'needs-approval',
    stack: 'api',
    resource: 'a.b',
    who: '10.0.0.1',
    what: 'orders',
    identity: [],
    before: 'none',
    after: 'tcp 443',
    addresses: '1',
  };
  expect(explainFinding(finding)).toContain('\n1 address\n'.trimEnd());
});
