import { expect, test } from 'vitest';
import { FIXED_ADDRESSES } from '../../../src/net/fixed-addresses.js';
import type { Settings } from '../../changes/row.js';
import { member, rehearseChange } from '../../rehearse/rehearsal.js';

interface Permission {
  readonly policy: string;
  readonly cidr_ip: string;
}

const isAccept = ({ policy }: Permission) => policy === 'accept';
const ALL = FIXED_ADDRESSES.entries.map(({ address }) => address);
const [KEPT = ''] = ALL;

/** Changes the rules outward of the group that guards the workloads, as an override would. */
const ofTheGroup =
  (change: (rules: readonly Permission[]) => Permission[]) => (stack: Settings) => {
    const groups = member(stack, 'resource', 'volcenginecc_vpc_security_group');
    const name = Object.keys(groups).find((key) => key.startsWith('fixed-ip-egress')) ?? '';
    const group = member(groups, name);
    group.egress_permissions = change(group.egress_permissions as Permission[]);
  };

test.each([
  {
    name: 'all accepts of the group removed',
    change: (rules: readonly Permission[]) => rules.filter((rule) => !isAccept(rule)),
    cut: ALL,
    outcome: 'failed',
  },
  {
    name: 'all accepts replaced by one of a proxy',
    change: (rules: readonly Permission[]) => [
      ...rules.filter((rule) => !isAccept(rule)),
      ...rules
        .filter(isAccept)
        .slice(0, 1)
        .map((rule) => ({ ...rule, cidr_ip: '10.0.0.53/32' })),
    ],
    cut: ALL,
    outcome: 'failed',
  },
  {
    name: 'one accept kept',
    change: (rules: readonly Permission[]) =>
      rules.filter((rule) => !isAccept(rule) || rule.cidr_ip === `${KEPT}/32`),
    cut: ALL.filter((address) => address !== KEPT),
    outcome: 'failed',
  },
  { name: 'the same rules in another order', change: reversed, cut: [], outcome: 'clean' },
])('$name', async ({ change, cut, outcome }) => {
  const report = await rehearseChange({
    stack: 'api-access',
    base: (settings) =>
      Object.assign(settings, {
        fixedIpEgress: {
          name: 'workloads',
          baseUrl: 'https://static-api.sandbox.example',
          securityGroup: {},
          prefixList: {},
        },
      }),
    head: () => undefined,
    edit: ofTheGroup(change),
  });
  // Beside what is computed, the check after the deploy sees it too.
  const computed = report.findings.filter(({ text }) => text.includes('can no longer'));
  const told = computed.flatMap(({ kind, text }) => {
    const found = /^workloads can no longer reach ([\d., ]+):443 from step 1 on \(/.exec(text)?.[1];
    expect([kind, found], text).toEqual(['cut', expect.any(String)]);
    return found?.split(', ') ?? [];
  });
  expect(told.toSorted()).toEqual(cut.toSorted());
  expect(report.outcome).toBe(outcome);
  if (cut.length === 0) expect(report.findings).toEqual([]);
});

function reversed(rules: readonly Permission[]): Permission[] {
  return rules.toReversed();
}
