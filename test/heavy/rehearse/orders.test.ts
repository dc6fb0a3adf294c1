import { describe, expect, test } from 'vitest';
import { list, object } from '../../../src/reach/read/json.js';
import type { Settings } from '../../changes/row.js';
import { addressList, FIXED_IP } from '../../changes/settings.js';
import { compareOrders } from '../../rehearse/orders/brute-force.js';
import { member, type RehearsedChange, rehearseChange, set } from '../../rehearse/rehearsal.js';

const [OLD, NEW] = [8080, 8081].map((port) => ({ type: 'ip', ip: '10.40.1.10', port }));

const servers =
  (...all: readonly (object | undefined)[]) =>
  (settings: Settings) =>
    Object.assign(member(settings, 'pluginEndpointService', 'loadBalancer'), { servers: all });

/** Leaves out what lets the server group wait for its security group. */
function withoutWaiting(stack: Settings): void {
  const all = object(object(stack.resource).volcenginecc_clb_server_group);
  for (const group of Object.values(all)) Reflect.deleteProperty(object(group), 'depends_on');
}

describe('a backend server that moves to another port', () => {
  const rows: readonly (RehearsedChange & { readonly name: string })[] = [
    { name: 'both ports', stack: 'plugin-access', head: servers(OLD, NEW) },
    {
      name: 'no calls to the old one',
      stack: 'plugin-access',
      base: servers(OLD, NEW),
      head: servers({ ...OLD, weight: 0 }, NEW),
    },
    {
      name: 'without the old one',
      stack: 'plugin-access',
      base: servers({ ...OLD, weight: 0 }, NEW),
      head: servers(NEW),
    },
  ];
  test.each(rows)('in three deploys fails no call in any order: $name', async (row) => {
    const { findings, outcome } = await rehearseChange(row);
    expect(findings.filter(({ text }) => !/ can no longer reach orders:8080 /.test(text))).toEqual(
      [],
    );
    expect(outcome).not.toBe('failed');
  });

  test('has one verdict in every run where nothing orders it', async () => {
    const outcomes: string[] = [];
    for (let run = 0; run < 4; run += 1) {
      const row = {
        stack: 'plugin-access',
        head: servers(OLD, NEW),
        edit: withoutWaiting,
      } as const;
      const { outcome, findings } = await rehearseChange(row);
      outcomes.push(`${outcome} ${findings.map(({ kind, what }) => `${kind} ${what}`).join()}`);
    }
    expect(new Set(outcomes).size, outcomes.join()).toBe(1);
    expect(list(outcomes)[0]).toMatch(/^noticed cut volcenginecc_clb_server_group\./);
  });
});

/** Fixed addresses that all targets enforce at once. */
const FIXED = {
  securityGroup: { vpcId: 'vpc-1' },
  prefixList: { vpcId: 'vpc-1' },
  cloudFirewall: { own: ['10.30.0.0/16'], close: true },
};
const CALLS = { name: 'tickets', backend: 'tickets', ports: [8443], ...FIXED };
const calls = (facts: Settings) => (settings: Settings) => {
  const addresses = addressList('198.51.100.11', '198.51.100.12');
  settings.fixedIpIngress = { ...CALLS, addresses, ...facts };
};
const more = { addresses: addressList('198.51.100.11', '198.51.100.12', '198.51.100.13') };
const egress = (ports: readonly number[]) => (settings: Settings) => {
  settings.fixedIpEgress = { ...FIXED_IP, ...FIXED, ports };
};
const endpoint = (facts: Settings) => set(['serviceEndpoint'], facts);
const both = { zones: ['cn-beijing-a', 'cn-beijing-b'], preventDestroy: false };

test.each<RehearsedChange & { readonly name: string }>([
  {
    name: 'a port and an address of a firewall that closes, its books, a list and two groups',
    ...{ stack: 'plugin-access', base: calls({}), head: calls({ ports: [8443, 9443], ...more }) },
  },
  {
    name: 'a port of calls to the service, enforced by all targets',
    ...{ stack: 'api-access', base: egress([443]), head: egress([443, 8443]) },
  },
  {
    name: 'one zone of an endpoint and its record less',
    ...{ stack: 'api-access', base: endpoint(both), head: endpoint({ zones: ['cn-beijing-a'] }) },
  },
  {
    name: 'a private zone with its records',
    ...{ stack: 'api-access', base: endpoint({ privateZone: false }) },
    head: endpoint({ privateZone: true }),
  },
])('clients notice nothing of another order: $name', async (row) => {
  const { findings, rollback, head } = await rehearseChange(row);
  expect(head.timeline.steps.length).toBeGreaterThan(1);
  const texts = [...findings, ...rollback.findings].map(({ text }) => text);
  expect(texts.filter((text) => /if Terraform does|not shown/.test(text))).toEqual([]);
});

test('the same is found of every order as by going through all of them, in random clouds', () => {
  // With those of the others that have what the first ones have not.
  const kinds = compareOrders([...Array.from({ length: 20 }, (_, i) => i + 1), 29, 35, 47]);
  for (const kind of ['opens', 'closes', 'calls', 'lane'])
    expect(kinds.get(`${kind} in another order`), kind).toBeGreaterThan(0);
}, 600_000);
