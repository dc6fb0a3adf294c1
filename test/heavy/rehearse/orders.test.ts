import { describe, expect, test } from 'vitest';
import { list, object } from '../../../src/reach/read/json.js';
import type { Settings } from '../../changes/row.js';
import { compareOrders } from '../../rehearse/orders/brute-force.js';
import { member, type RehearsedChange, rehearseChange } from '../../rehearse/rehearsal.js';

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

test('the same is found of every order as by going through all of them, in 200 random clouds', () => {
  const kinds = compareOrders(Array.from({ length: 200 }, (_, i) => i + 1));
  for (const kind of ['opens', 'closes', 'calls', 'lane'])
    expect(kinds.get(`${kind} in another order`), kind).toBeGreaterThan(3);
}, 600_000);
