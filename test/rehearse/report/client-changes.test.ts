import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXED_ADDRESSES } from '../../../src/net/fixed-addresses.js';
import { readRehearsedTree } from '../../../src/rehearse/read-trees.js';
import { clientChanges, statedChanges } from '../../../src/rehearse/report/client-changes.js';
import type { Passage } from '../../../src/rehearse/timeline/account.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { loadState } from '../../../src/sandbox/cloud/cloud-state.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import { addressList, BASE, FIXED_IP } from '../../changes/settings.js';
import { synthesizeTo } from '../../changes/synthesize.js';
import { type Change, type RehearsedChange, set } from '../rehearsal.js';

const existing = (port: number, ...accepted: readonly string[]): Change =>
  set(['pluginEndpointService'], {
    loadBalancer: { loadBalancerId: 'clb-1', port },
    acceptedEndpointIds: accepted,
  });
const elsewhere = (...ports: readonly number[]): Change =>
  set([], {
    fixedIpIngress: {
      ...{ name: 'callers', backend: 'tickets', ports, enforcedElsewhere: 'our gateway' },
      addresses: addressList('36.1.1.1', '36.1.1.2'),
    },
  });
const calls = (targets: object): Change =>
  set([], { fixedIpEgress: { ...FIXED_IP, name: 'workloads', ...targets } });
/** The dated list of the service without its last address. */
const fewer: Change = set(['fixedIpEgress'], {
  addresses: { ...FIXED_ADDRESSES, entries: FIXED_ADDRESSES.entries.slice(0, -1) },
});
const header = (...trustedProxies: readonly string[]): Change =>
  set([], { userIdHeader: { backend: 'orders', trustedProxies } });
const managed = (address: string): Change =>
  set(['serviceEndpoint'], {
    zones: ['cn-beijing-a'],
    addresses: { 'cn-beijing-a': address },
    privateZone: { managedBy: 'the people of DNS' },
  });

const OUTPUT = 'output.user-id-header-options changes from trustedNetworks 100.64.0.0/10';

/** Changes of which no resource shows anything, and what somebody must do about them. */
const ROWS: readonly (readonly [string, RehearsedChange, readonly string[]])[] = [
  [
    'the port of a load balancer that exists',
    { stack: 'plugin-access', base: existing(443, 'ep-1'), head: existing(8443, 'ep-1') },
    ['orders is called on tcp 8443 instead of tcp 443: the plugin must be called there'],
  ],
  [
    'the port of a load balancer that exists, which nobody calls yet',
    { stack: 'plugin-access', base: existing(443), head: existing(8443) },
    [],
  ],
  [
    'the port of what something else lets in',
    { stack: 'plugin-access', base: elsewhere(8443), head: elsewhere(9443) },
    [
      'tickets gives up 36.1.1.1, 36.1.1.2, tcp 8443, as soon as our gateway does what the rules say',
    ],
  ],
  [
    'an address less of a prefix list alone',
    { stack: 'api-access', base: calls({ prefixList: {} }), head: fewer },
    [
      'workloads gives up 221.194.131.81, tcp 443, as soon as what uses the prefix list workloads does what the rules say',
    ],
  ],
  [
    'an address less of a proxy, which a group lets through as well from now on',
    {
      stack: 'api-access',
      base: calls({ enforcedElsewhere: 'our proxy' }),
      head: (settings) => [calls({ securityGroup: {} })(settings), fewer(settings)],
    },
    ['workloads gives up 221.194.131.81, tcp 443, as soon as our proxy does what the rules say'],
  ],
  [
    'a group in place of a proxy',
    {
      stack: 'api-access',
      base: calls({ enforcedElsewhere: 'our proxy' }),
      head: calls({ securityGroup: {} }),
    },
    [],
  ],
  [
    'one more port',
    { stack: 'plugin-access', base: elsewhere(8443), head: elsewhere(8443, 9443) },
    [],
  ],
  [
    'proxies of the user ID header',
    { stack: 'plugin-access', base: header('10.9.9.9/32'), head: header('10.9.9.8/32') },
    [
      `${OUTPUT}, trustedProxies 10.9.9.9/32 to trustedNetworks 100.64.0.0/10, trustedProxies 10.9.9.8/32: whoever has copied it must follow`,
    ],
  ],
  ['a first user ID header', { stack: 'plugin-access', head: header('10.9.9.9/32') }, []],
  [
    'an address for records that others manage',
    { stack: 'api-access', base: managed('10.20.1.200'), head: managed('10.20.1.201') },
    [
      'output.service-endpoint-records changes from 10.20.1.200 to 10.20.1.201: whoever has copied it must follow',
    ],
  ],
];

test.each(ROWS)('%s', (_, { stack, base: makeBase, head: makeHead }, texts) => {
  const folder = mkdtempSync(join(tmpdir(), 'client-changes-'));
  try {
    const settings = structuredClone(BASE[stack]);
    const trees = [makeBase, makeHead].map((change, i) => {
      change?.(settings);
      synthesizeTo(join(folder, `${i}`), stack, settings);
      return readRehearsedTree(join(folder, `${i}`), '--base');
    });
    const [, head = []] = trees;
    const passage: Passage = {
      ...{
        before: loadState(undefined),
        steps: [],
        addresses: new Map(),
        service: SANDBOX_SERVICE,
      },
      ...{ links: { before: new Map(), after: new Map() }, trees },
    };
    const told = [...clientChanges(makeAccount(passage)), ...statedChanges(trees[0] ?? [], head)];
    expect(told.map(({ text }) => text)).toEqual(texts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
