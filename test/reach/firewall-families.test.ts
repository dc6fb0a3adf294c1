import { expect, test } from 'vitest';
import { openParts } from '../../src/reach/questions/table.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { readReached } from '../../src/reach/ways/doors.js';

const policy = (own: string) => ({
  direction: 'in',
  action: 'deny',
  source: '198.51.100.0/24',
  source_type: 'net',
  destination: own,
  destination_type: 'net',
  proto: 'ANY',
  status: true,
  prio: 1,
});

/** Families of whoever reaches a place that only Cloud Firewall guards. */
function familiesAt(...own: readonly string[]): (4 | 6)[] {
  const policies = Object.fromEntries(own.map((one, i) => [`p${i}`, policy(one)]));
  const terraform = readTerraform({
    resource: { volcenginecc_fwcenter_control_policy: policies },
  });
  const parts = openParts(readReached({ name: 'api', file: 'cdk.tf.json', terraform }));
  return parts.flatMap(({ peer }) => (peer.kind === 'addresses' ? [peer.family] : []));
}

test('an address of one family is reached by nobody of the other', () => {
  expect(new Set(familiesAt('47.1.2.3/32'))).toEqual(new Set([4]));
  expect(new Set(familiesAt('2001:db8::3/128'))).toEqual(new Set([6]));
  expect(new Set(familiesAt('47.1.2.3/32', '2001:db8::3/128'))).toEqual(new Set([4, 6]));
});
