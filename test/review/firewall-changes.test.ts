import { expect, test } from 'vitest';
import { reviewOfTerraform } from './trees.js';

const OWN = '198.51.100.9/32';

const policy = (prio: number, change: object) => ({
  ...{ action: 'deny', direction: 'in', source: '0.0.0.0/0', source_type: 'net', prio },
  ...{ destination: OWN, destination_type: 'net', dest_port: '443', dest_port_type: 'port' },
  ...{ proto: 'TCP', status: true, ip_type: 'v4', repeat_type: 'Permanent', ...change },
});

/** One client is let in, and everybody else is not. */
const closed = (close: object = {}, more: object = {}) => ({
  resource: {
    volcenginecc_fwcenter_control_policy: {
      client: policy(2, { action: 'accept', source: '203.0.113.7/32' }),
      close: policy(3, close),
      ...more,
    },
  },
});
const WIDER = { action: 'accept', destination: '198.51.100.0/24' };

test.each<[change: string, base: object, head: object, isOpening: boolean]>([
  ['the deny is made one of IPv6', closed(), closed({ ip_type: 'v6' }), true],
  ['it is made one of IPv4 again', closed({ ip_type: 'v6' }), closed(), true],
  ['a wider accept is put before it', closed(), closed({}, { more: policy(1, WIDER) }), true],
  ['the wider accept is removed', closed({}, { more: policy(1, WIDER) }), closed(), false],
  ['nothing', closed(), closed(), false],
])('%s', (_, base, head, isOpening) => {
  const { findings } = reviewOfTerraform(
    base as Record<string, unknown>,
    head as Record<string, unknown>,
  );
  // Without access rules beside it, either tree opens what nobody states.
  const changes = findings.filter(({ kind }) => kind !== 'policy');
  expect(changes.some(({ decision }) => decision === 'needs-approval')).toBe(isOpening);
});
