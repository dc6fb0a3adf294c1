import { expect, test } from 'vitest';
import type { RawRule } from '../../src/access/access-file.js';
import type { TreeIntents } from '../../src/intents/intents-file.js';
import type { Link } from '../../src/link/link.js';
import { SERVICE_ADDRESSES } from '../../src/sandbox/surroundings.js';
import { buildBalancer, buildNetwork, GROUP, rule, sandboxForTest } from '../sandbox/support.js';
import { DeployedProject } from '../support/deployed-project.js';

const VIA = 'plugin-endpoint-service';
const SERVICE = '100.64.0.0/10';
const PORT = { PortStart: 8080, PortEnd: 8080 };

const INTENTS: TreeIntents = {
  doors: [{ subject: 'orders', via: VIA, service: [SERVICE] }],
  intents: [
    {
      name: 'only the service calls orders',
      from: { not: [SERVICE] },
      to: 'orders',
      port: 8080,
      expect: 'closed',
    },
  ],
};

const stated = (facts: Partial<RawRule>): RawRule => ({
  via: VIA,
  direction: 'ingress',
  subject: 'orders',
  peer: { kind: 'cidr', cidr: SERVICE },
  protocol: 'tcp',
  ports: { first: 8080, last: 8080 },
  reason: 'calls of the service',
  ...facts,
});

/** A private plugin whose only server has a group that lets the service in. */
async function plugin() {
  const sandbox = await sandboxForTest();
  const { cloud } = sandbox;
  const { group: first, vpc } = buildBalancer(cloud);
  cloud.startDelete(GROUP, first, '');
  const own = rule({ ...PORT, CidrIp: SERVICE });
  const group = cloud.create(GROUP, {
    VpcId: vpc,
    SecurityGroupName: 'orders-servers',
    IngressPermissions: [own],
  });
  const project = new DeployedProject(sandbox);
  await project.start();
  const servers = ['10.20.1.10:8080'];
  const plugins = [{ name: 'orders', serviceId: 'epsvc-1', networks: ['10.20.1.0/24'], servers }];
  project.deploy({ links: [], plugins, intents: INTENTS }, [stated({})]);
  const change = (rules: object[]) =>
    cloud.startUpdate(
      GROUP,
      group,
      [{ op: 'replace', path: '/IngressPermissions', value: [own, ...rules] }] as never,
      `edit-${Math.random()}`,
    );
  return { sandbox, group, project, change };
}

test('a door that somebody opened names the rule', async () => {
  const { project, group, change } = await plugin();
  change([rule({ ...PORT, CidrIp: '10.0.0.0/8', Priority: 7 })]);
  const { report, exit, asked } = await project.check();
  const [intent] = report.intents ?? [];
  expect([exit, intent?.result, intent?.code]).toEqual([23, 'OPEN', 'intent.open']);
  expect(intent?.seen).toMatch(
    new RegExp(
      `; opened by rule 2 of ${group}, accept 10\\.0\\.0\\.0/8 tcp 8080, priority 7 \\(not in Terraform\\)$`,
    ),
  );
  expect(asked.length).toBeGreaterThan(0);
});

test('a door that is open under rules that close it is a contradiction', async () => {
  const { project, sandbox } = await plugin();
  sandbox.faults.set('rules-not-enforced');
  const { report, exit } = await project.check();
  const [intent] = report.intents ?? [];
  expect([exit, intent?.result]).toEqual([23, 'OPEN']);
  expect(intent?.seen).toContain(
    '; the cloud’s configuration says closed: look at ways outside of it, or the rules are not enforced',
  );
});

test('a drop on the way out is possible, for whoever has the group', async () => {
  const sandbox = await sandboxForTest();
  const { vpc } = buildNetwork(sandbox.cloud);
  const [address = ''] = SERVICE_ADDRESSES;
  const open = SERVICE_ADDRESSES.map((one) => rule({ CidrIp: `${one}/32`, Direction: 'egress' }));
  const group = sandbox.cloud.create(GROUP, {
    VpcId: vpc,
    SecurityGroupName: 'agents-egress',
    EgressPermissions: open,
  });
  const project = new DeployedProject(sandbox);
  await project.start();
  const link: Link = {
    name: 'agents',
    via: 'fixed-ip-egress',
    baseUrl: 'https://static-api.sandbox.example',
    apiHost: 'api.sandbox.example',
    expectedAddresses: SERVICE_ADDRESSES.map((one) => `${one}/32`),
    expectedNetworks: [],
  };
  const out = { via: 'fixed-ip-egress', direction: 'egress', subject: 'agents' } as const;
  const rules = SERVICE_ADDRESSES.map((one) =>
    stated({ ...out, peer: { kind: 'cidr', cidr: `${one}/32` }, ports: { first: 443, last: 443 } }),
  );
  project.deploy({ links: [link] }, rules);
  const drop = rule({ CidrIp: `${address}/32`, Policy: 'drop', Priority: 1, Direction: 'egress' });
  sandbox.cloud.startUpdate(
    GROUP,
    group,
    [{ op: 'replace', path: '/EgressPermissions', value: [...open, drop] }] as never,
    'edit',
  );
  const { causes, failed } = await project.check();
  expect(failed).toBe('tcp.timeout');
  expect(causes.find(({ code }) => code === 'host.egress')).toMatchObject({
    certainty: 'consistent',
    evidence: expect.stringContaining(
      `for a workload with this group, to ${address}: blocked by rule ${open.length + 1} of ${group}, drop ${address} tcp 443, priority 1 (not in Terraform); `,
    ),
  });
});
