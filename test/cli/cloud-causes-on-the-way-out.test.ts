import { expect, test } from 'vitest';
import type { RawRule } from '../../src/access/access-file.js';
import type { Link } from '../../src/link/link.js';
import { SERVICE_ADDRESSES } from '../../src/sandbox/surroundings.js';
import { buildNetwork, GROUP, rule, sandboxForTest } from '../sandbox/support.js';
import { DeployedProject } from '../support/deployed-project.js';

const stated = (facts: Partial<RawRule>): RawRule => ({
  via: 'fixed-ip-egress',
  direction: 'egress',
  subject: 'agents',
  peer: { kind: 'cidr', cidr: '192.0.2.0/24' },
  protocol: 'tcp',
  ports: { first: 443, last: 443 },
  reason: 'calls of the service',
  ...facts,
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
  const rules = SERVICE_ADDRESSES.map((one) =>
    stated({
      peer: { kind: 'cidr', cidr: `${one}/32` },
      carriers: [`volcenginecc_vpc_security_group.${group}`],
    }),
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
