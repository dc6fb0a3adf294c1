import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessRule } from '../../src/access/access-rule.js';
import { FixedIpEgress } from '../../src/constructs/fixed-ip/fixed-ip-egress.js';
import { FixedIpIngress } from '../../src/constructs/fixed-ip/fixed-ip-ingress.js';
import { RuledSecurityGroup } from '../../src/constructs/rules/ruled-security-group.js';
import { type Case, casesOf } from '../sandbox/provider/change-cases.js';
import { DeployedCases } from '../sandbox/provider/deployed-cases.js';
import { StandInTerraform } from '../sandbox/provider/stand-in-terraform.js';
import { type Synthesized, synth } from '../support/synth.js';

/** Terraform makes hundreds of resources, twice. */
const MANY_MS = 300_000;

let terraform: StandInTerraform;
let vpcId: string;
let peerGroup: string;

beforeAll(async () => {
  terraform = await StandInTerraform.start();
  vpcId = terraform.cloud.create('Volcengine::VPC::VPC', { CidrBlock: '10.0.0.0/8' });
  peerGroup = terraform.cloud.create('Volcengine::VPC::SecurityGroup', { VpcId: vpcId });
});

afterAll(() => terraform.stop());

const list = (...all: string[]) => ({
  version: '2030-01-01',
  entries: all.map((address) => ({
    address,
    state: 'active' as const,
    firstSeen: '2030-01-01',
    source: 'mail',
  })),
});

function ingressCases(): Case[] {
  const targets = () => ({ prefixList: { vpcId, headroom: 3 }, securityGroup: { vpcId } });
  return casesOf(
    'in',
    {
      base: { ports: [443, 80], addresses: list('36.1.2.3', '36.1.2.9') },
      others: {
        ports: [[443, 8443], [443], [80, 443, 8443]],
        addresses: [list('36.1.2.3'), list('36.1.2.3', '36.1.2.10', '36.1.2.11')],
      },
    },
    (id, props) =>
      synth((stack) => {
        new FixedIpIngress(stack, id, { name: id, backend: 'tickets', ...targets(), ...props });
      }),
  );
}

function egressCases(): Case[] {
  return casesOf(
    'out',
    {
      base: { ports: [443, 80], dnsServers: ['10.1.0.2/32'] },
      others: {
        ports: [[443, 8443], [443]],
        dnsServers: [['10.1.0.3/32'], [], ['10.1.0.2/32', '10.1.0.3/32']],
      },
    },
    (id, props) =>
      synth((stack) => {
        new FixedIpEgress(stack, id, {
          name: id,
          baseUrl: 'https://static-api.example.com',
          apiHost: 'api.example.com',
          prefixList: { vpcId },
          ...props,
        });
      }),
  );
}

type Part = keyof Pick<AccessRule, 'direction' | 'protocol' | 'ports' | 'peer' | 'reason'>;

const RULE: AccessRule = {
  via: 'service-endpoint',
  direction: 'egress',
  subject: 'group',
  peer: { kind: 'cidr', cidr: '10.1.0.0/16' },
  protocol: 'tcp',
  ports: { first: 443, last: 443 },
  reason: 'calls',
};

/** Three rules of one group; each part of each rule has another value. */
function groupCases(): Case[] {
  const rules: AccessRule[] = [
    RULE,
    { ...RULE, direction: 'ingress', peer: { kind: 'group', group: peerGroup } },
    { ...RULE, protocol: 'udp', ports: { first: 53, last: 53 } },
  ];
  const otherParts: { readonly [Name in Part]: (rule: AccessRule) => AccessRule[Name] } = {
    direction: ({ direction }) => (direction === 'egress' ? 'ingress' : 'egress'),
    protocol: ({ protocol }) => (protocol === 'tcp' ? 'udp' : 'tcp'),
    ports: ({ ports }) => ({ first: ports.first, last: ports.last + 1000 }),
    peer: ({ peer }) =>
      peer.kind === 'cidr'
        ? { kind: 'group', group: peerGroup }
        : { kind: 'cidr', cidr: '10.9.0.0/16' },
    reason: () => 'other calls',
  };
  const base = Object.fromEntries(
    rules.flatMap((rule, index) =>
      Object.keys(otherParts).map((part) => [`${part}${index}`, rule[part as Part]]),
    ),
  );
  const others = Object.fromEntries(
    rules.flatMap((rule, index) =>
      Object.entries(otherParts).map(([part, change]) => [`${part}${index}`, [change(rule)]]),
    ),
  );
  return casesOf('group', { base, others }, (id, parts) => {
    const changed = rules.map((rule, index) => ({
      ...rule,
      ...Object.fromEntries(
        Object.keys(otherParts).map((part) => [part, parts[`${part}${index}`]]),
      ),
    }));
    const made = synth((stack) => {
      new RuledSecurityGroup(stack, id, {
        vpcId,
        name: id,
        description: 'a group',
        rules: changed,
        closed: ['ingress', 'egress'],
      });
    });
    return { ...made, rules: changed };
  });
}

/** The same with what a rule has no use for left out, as it would be without `spelledOut`. */
function unspelled({ name, before, after }: Case): Case {
  const strip = (made: Synthesized): Synthesized => {
    const text = JSON.stringify(made.json).replaceAll(
      /,?"(cidr_ip|prefix_list_id|source_group_id)":""/g,
      '',
    );
    return { ...made, json: JSON.parse(text.replaceAll('{,', '{')) };
  };
  return { name, before: strip(before), after: strip(after) };
}

describe('every part of every rule changed, alone and two at a time', () => {
  it.each([
    ['a fixed-IP ingress', ingressCases, 16],
    ['a fixed-IP egress', egressCases, 16],
    ['a security group', groupCases, 90],
  ])(
    'leaves in the cloud what access.json says: %s',
    async (_, casesToTry, atLeast) => {
      const cases = casesToTry();
      expect(cases.length).toBeGreaterThanOrEqual(atLeast);
      const deployed = await DeployedCases.deploy(terraform, cases);
      const wrong = cases.flatMap(({ name, after }) =>
        [...deployed.partings(after), ...deployed.differences(after)].map(
          (what) => `${name}: ${what}`,
        ),
      );
      expect(wrong).toEqual([]);
      expect(await deployed.stack.planStatus()).toBe(0);
    },
    MANY_MS,
  );

  it(
    'would not, were the rules not written in full',
    async () => {
      const cases = egressCases().map(unspelled);
      const deployed = await DeployedCases.deploy(terraform, cases);
      const opened = cases.filter(({ after }) => deployed.partings(after).length > 0);
      expect(opened.length).toBeGreaterThan(0);
      // The second plan sees nothing of it, which is why only the cloud's rules tell.
      expect(await deployed.stack.planStatus()).toBe(0);
    },
    MANY_MS,
  );
});
