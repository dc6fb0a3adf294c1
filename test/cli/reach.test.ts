import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessModel } from '../../src/access/access-model.js';
import { reachSchema } from '../../src/reach/report-schema.js';
import { from } from '../review/trees.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

const GROUP = 'volcenginecc_vpc_security_group.group';

const rule = (facts: object) => ({
  description: 'clients',
  policy: 'accept',
  priority: 10,
  protocol: 'tcp',
  port_start: 443,
  port_end: 443,
  ...facts,
});

const RESOURCES = {
  volcenginecc_vpc_security_group: {
    group: {
      vpc_id: 'vpc-1',
      ingress_permissions: [
        rule({ cidr_ip: '10.0.0.0/16' }),
        rule({ cidr_ip: '10.0.7.0/24', policy: 'drop', description: 'not these' }),
      ],
      egress_permissions: [rule({ cidr_ip: '192.0.2.0/24' })],
    },
  },
  volcenginecc_privatelink_vpc_endpoint: {
    endpoint: { vpc_id: 'vpc-1', security_group_ids: [`\${${GROUP}.security_group_id}`] },
  },
};

/** A tree with an endpoint whose group drops a part of what it accepts at the same priority. */
async function tree(): Promise<string> {
  const folder = await temporaryFolder();
  const stack = join(folder, 'stacks', 'api');
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify({ resource: RESOURCES }));
  const stated = [from('10.0.0.0/16', { reason: 'the clients of payroll' })];
  writeFileSync(join(stack, 'access.json'), JSON.stringify(accessModel('api', stated)));
  return folder;
}

const ask = async (...args: readonly string[]) =>
  await runHere(['reach', '--tree', await tree(), ...args]);

test('answers yes, with the rule that accepts and the reason that is stated', async () => {
  const { exit, stdout } = await ask('--from', '10.0.1.1', '--to', 'endpoint:443');
  expect(exit).toBe(0);
  expect(stdout).toContain('YES: 10.0.1.1 can reach endpoint:443\n');
  expect(stdout).toContain(
    `1. accept by ${GROUP} in stacks/api/cdk.tf.json: accept at priority 10`,
  );
  expect(stdout).toContain('stated: the clients of payroll');
});

test.each<[what: string, args: string[], status: number, line: string]>([
  ['what is dropped at equal priority', ['--from', '10.0.7.1'], 4, 'NO: 10.0.7.1 cannot reach'],
  ['a network in parts', ['--from', '10.0.6.0/23'], 4, 'PARTLY: 10.0.6.0/23 can reach in part'],
  ['a network as a whole', ['--from', '10.0.8.0/21'], 0, 'YES: 10.0.8.0/21 can reach'],
])('judges %s', async (_, args, status, line) => {
  const ended = await ask(...args, '--to', 'endpoint:443', '--expect', 'reachable');
  expect([ended.exit, ended.stdout.slice(0, line.length)]).toEqual([status, line]);
});

test('says what an outward answer depends on, and ends with 5', async () => {
  const { exit, stdout } = await ask(
    ...['--from', 'endpoint', '--to', '8.8.8.8:443', '--expect', 'closed'],
  );
  expect(exit).toBe(5);
  expect(stdout).toContain('depends on: What happens to packets from a group');
});

test('answers for the VPC that is asked for alone', async () => {
  const args = ['--from', '10.0.1.1', '--to', 'endpoint:443', '--vpc'];
  expect((await ask(...args, 'vpc-1')).stdout).toContain('in vpc-1');
  const other = await ask(...args, 'vpc-2');
  expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('must name one of')]);
});

test('prints the table, in JSON by its schema', async () => {
  const { stdout } = await ask('--format', 'json');
  const { rows } = reachSchema.parse(JSON.parse(stdout));
  expect(rows.map(({ peer, depends }) => [peer, depends === ''])).toContainEqual([
    '10.0.8.0 – 10.0.255.255',
    true,
  ]);
  expect(rows.filter(({ depends }) => depends !== '')).not.toEqual([]);
  expect((await ask('--format', 'markdown')).stdout).toContain('| who | may reach |');
});

test('reads a state of Terraform as it reads a tree', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'terraform.tfstate');
  const [group, endpoint] = [
    RESOURCES.volcenginecc_vpc_security_group.group,
    RESOURCES.volcenginecc_privatelink_vpc_endpoint.endpoint,
  ];
  const resource = (type: string, name: string, attributes: object) => ({
    ...{ mode: 'managed', type, name },
    instances: [{ attributes }],
  });
  const resources = [
    resource('volcenginecc_vpc_security_group', 'group', { ...group, security_group_id: 'sg-1' }),
    resource('volcenginecc_privatelink_vpc_endpoint', 'endpoint', {
      ...endpoint,
      security_group_ids: ['sg-1'],
    }),
  ];
  writeFileSync(file, JSON.stringify({ version: 4, resources }));
  const name = 'volcenginecc_privatelink_vpc_endpoint.endpoint';
  const args = ['reach', '--state', file, '--from', '10.0.1.1', '--to', `${name}:443`];
  expect((await runHere(args)).stdout).toContain('YES: 10.0.1.1 can reach');
});

test('draws a tree, and marks what came and went', async () => {
  const plain = await ask('--format', 'mermaid');
  expect(plain.stdout).toContain('-->|"tcp 443"|');
  const marked = await ask('--format', 'mermaid', '--base', await temporaryFolder());
  expect(marked.stdout).toContain('-->|"+ tcp 443"|');
  const { exit, stderr } = await ask('--stack', 'other');
  expect([exit, stderr]).toEqual([2, expect.stringContaining('must be one of api, got: "other"')]);
});
