import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAccessModel } from '../../src/access/access-file.js';
import { ConnectivityError } from '../../src/codes/connectivity-error.js';
import { readTree } from '../../src/reach/read/read-tree.js';
import { review } from '../../src/review/review.js';
import { temporaryFolder } from '../support/cleanup.js';

const RULE = {
  via: 'service-endpoint',
  direction: 'ingress',
  subject: 'endpoint',
  peer: { kind: 'cidr', cidr: '10.0.0.0/24' },
  protocol: 'tcp',
  ports: { first: 443, last: 443 },
  reason: 'calls',
  enforcedElsewhere: 'a firewall',
  exception: { reason: 'an audit', owner: 'network team', expires: '2031-01-01' },
};
const FILE = {
  schema: 'secure-connectivity/access@1',
  stack: 'api',
  digest: '',
  rules: [RULE],
  endpoints: [{ subject: 'endpoint', addresses: ['10.0.0.1'] }],
};

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    ...['cidr', 'account', '10.0.0.0/33', '::/0', '${a}', '__proto__', 'constructor', 'toString'],
    ...[-1, 65_536, -1e300, null, [], {}, '', 'tcp', 'icmp'],
  ),
);

/** A value with any of its parts, at any depth, replaced by something odd, or without it. */
function nearly(value: unknown): fc.Arbitrary<unknown> {
  const whole = { weight: 1, arbitrary: odd };
  if (Array.isArray(value)) {
    const members = fc.array(fc.oneof(...value.map(nearly), odd), { maxLength: 3 });
    return fc.oneof({ weight: 6, arbitrary: members }, whole);
  }
  if (typeof value !== 'object' || value === null) {
    return fc.oneof({ weight: 9, arbitrary: fc.constant(value) }, whole);
  }
  const fields = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, nearly(one)] as const),
  );
  const some = fc
    .tuple(fc.record(fields), fc.subarray(Object.keys(value), { maxLength: 1 }))
    .map(([all, without]) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => !without.includes(key))),
    );
  return fc.oneof({ weight: 9, arbitrary: some }, whole);
}

const anyFile = fc.oneof({ weight: 1, arbitrary: odd }, { weight: 5, arbitrary: nearly(FILE) });

function readOrRefuse(work: () => unknown): 'read' | 'refused' {
  try {
    work();
    return 'read';
  } catch (error) {
    expect(error).toBeInstanceOf(ConnectivityError);
    return 'refused';
  }
}

test('whatever JSON stands in access.json, a review reads or refuses it, and nothing else', async () => {
  const tree = await temporaryFolder();
  const stack = join(tree, 'stacks', 'api');
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(stack, 'cdk.tf.json'), '{"output":{"a":{"value":1}}}');
  const base = readTree(tree, '--base');
  const ends = new Set<string>();
  fc.assert(
    fc.property(anyFile, (file) => {
      writeFileSync(join(stack, 'access.json'), JSON.stringify(file));
      ends.add(readOrRefuse(() => review(base, readTree(tree, '--head'), '2030-06-15')));
    }),
    { numRuns: 400 },
  );
  expect([...ends].sort()).toEqual(['read', 'refused']);
});

test('nor does the strict reader end otherwise', () => {
  const ends = new Set<string>();
  fc.assert(
    fc.property(anyFile, (file) => {
      ends.add(readOrRefuse(() => checkAccessModel(JSON.parse(JSON.stringify(file)))));
    }),
    { numRuns: 2_000 },
  );
  expect([...ends].sort()).toEqual(['read', 'refused']);
});
