import { expect, test } from 'vitest';
import { from, reviewOf } from './trees.js';

const FIXED = { via: 'fixed-ip-egress', direction: 'egress', subject: 'workloads' } as const;

/** A list of so many addresses, on these ports, and the name servers that it needs. */
const listed = (count: number, first = 0, ports: readonly number[] = [443]) => [
  ...Array.from({ length: count }, (_, i) => `198.51.100.${first + i}/32`).flatMap((cidr) =>
    ports.map((port) => from(cidr, { ...FIXED, ports: { first: port, last: port } })),
  ),
  from('192.0.2.53/32', { ...FIXED, protocol: 'udp', ports: { first: 53, last: 53 } }),
];

const network = (prefix: number) => [from(`198.51.100.0/${prefix}`, FIXED)];
const ofAnother = (rules: ReturnType<typeof listed>) =>
  rules.map((rule) => ({ ...rule, via: 'service-endpoint' as const }));

test.each([
  ['of 150 addresses 30 stay', listed(150), listed(30), '120 of 150'],
  ['of 4 none stays, and others come', listed(4), listed(4, 100), '4 of 4'],
  ['of a network a half stays', network(25), network(26), '64 of 128'],
  [
    'of 4 addresses 2 stay, which are given a port more',
    listed(4),
    listed(2, 0, [443, 8443]),
    '2 of 4',
  ],
  ['of 4 addresses 3 stay', listed(4), listed(3), undefined],
  ['a network is written address by address', network(27), listed(32), undefined],
  ['all stay, and lose one of two ports', listed(4, 0, [443, 8443]), listed(4), undefined],
  [
    'of 4 addresses of something else 1 stays',
    ofAnother(listed(4)),
    ofAnother(listed(1)),
    undefined,
  ],
])('a fixed-IP list that loses more than a quarter needs approval: %s', (_, base, head, lost) => {
  const { findings } = reviewOf(base, head);
  const rows = findings.filter(({ what }) => what === 'addresses of fixed-ip-egress');
  const consequence = `the list loses more than a quarter at once: ${lost} addresses`;
  const wanted = lost === undefined ? [] : [{ decision: 'needs-approval', consequence }];
  expect(rows).toMatchObject(wanted);
  expect(rows).toHaveLength(wanted.length);
});
