import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
  const stated = [from('10.0.0.0/16', { reason: 'the clients of payroll', carriers: [GROUP] })];
  writeFileSync(join(stack, 'access.json'), JSON.stringify(accessModel('api', stated)));
  return folder;
}

const ask = async (...args: readonly string[]) =>
  await runHere(['reach', '--tree', await tree(), ...args]);

test('answers yes, with the rule that accepts and the reason that is stated', async () => {
  const asked = ['--from', '10.0.1.1', '--to', 'endpoint:443'];
  const { exit, stdout } = await ask(...asked);
  expect(exit).toBe(0);
  expect(stdout).toContain('YES: 10.0.1.1 can reach endpoint:443\n');
  const rule =
    'in stacks/api/cdk.tf.json: rule 1 of 2 for 10.0.0.0/16 on tcp 443, accept at priority 10';
  expect(stdout).toContain(`1. accept by security group group ${rule}`);
  expect((await ask(...asked, '--verbose')).stdout).toContain(`1. accept by ${GROUP} ${rule}`);
  expect(stdout).toContain('stated: the clients of payroll');
});

test.each<[what: string, args: string[], status: number, line: string]>([
  ['what is dropped at equal priority', ['--from', '10.0.7.1'], 4, 'NO: 10.0.7.1 cannot reach'],
  [
    'a network in parts',
    ['--from', '10.0.6.0/23'],
    4,
    'PARTLY: 10.0.6.0/23 can reach endpoint:443 in part',
  ],
  ['a network as a whole', ['--from', '10.0.8.0/21'], 0, 'YES: 10.0.8.0/21 can reach'],
])('judges %s', async (_, args, status, line) => {
  const ended = await ask(...args, '--to', 'endpoint:443', '--expect', 'reachable');
  expect([ended.exit, ended.stdout.slice(0, line.length)]).toEqual([status, line]);
});

test('says which part of a network gets through', async () => {
  const args = ['--from', '10.0.6.0/23', '--to', 'endpoint:443'];
  expect((await ask(...args)).stdout).toContain('    1. this part: 10.0.6.0/24 on tcp 443\n');
  const { stdout } = await ask(...args, '--format', 'json');
  const { question } = reachSchema.parse(JSON.parse(stdout));
  expect(question?.places.map(({ part }) => part)).toEqual([['10.0.6.0/24 on tcp 443']]);
});

describe('answers for one end', () => {
  test.each<[args: string[], headline: string, rows: [peer: string, services: string][]]>([
    [
      ['--to', 'endpoint'],
      '1 row of who may reach endpoint',
      [
        ['10.0.0.0 – 10.0.6.255', 'tcp 443'],
        ['10.0.8.0 – 10.0.255.255', 'tcp 443'],
      ],
    ],
    [['--to', 'endpoint:80'], 'nobody can reach endpoint:80', []],
    [['--to', 'endpoint', '--protocol', 'udp'], 'nobody can reach endpoint', []],
    [
      ['--from', '10.0.6.0/23'],
      '1 row of what 10.0.6.0/23 may reach',
      [['10.0.6.0/24', 'tcp 443']],
    ],
    [['--from', '10.0.7.9'], '10.0.7.9 can reach nothing', []],
    [['--to', '192.0.2.7:443'], '1 row of who may reach 192.0.2.7:443', [['192.0.2.7', 'tcp 443']]],
  ])('%j', async (args, headline, rows) => {
    const text = await ask(...args);
    expect([text.exit, text.stdout.split('\n')[0]]).toEqual([0, headline]);
    const { stdout } = await ask(...args, '--format', 'json');
    const report = reachSchema.parse(JSON.parse(stdout));
    expect(report.rows.map(({ peer, services }) => [peer, services])).toEqual(rows);
  });

  test('says of a caller what it may reach, in doubt as well', async () => {
    const { stdout } = await ask('--from', 'endpoint');
    expect(stdout).toContain(' of what endpoint may reach\n');
    expect(stdout).toMatch(/^endpoint +192\.0\.2\.0\/24 +tcp 443/m);
    expect(stdout).toContain('depends on: What happens to packets from a group');
  });
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
  expect([other.exit, other.stderr]).toEqual([
    2,
    expect.stringContaining('`--vpc` must be one of vpc-1 for '),
  ]);
});

test('prints the table, in JSON by its schema', async () => {
  const { stdout } = await ask('--format', 'json');
  const { rows } = reachSchema.parse(JSON.parse(stdout));
  expect(rows.map(({ peer, depends }) => [peer, depends === ''])).toContainEqual([
    '10.0.8.0 – 10.0.255.255',
    true,
  ]);
  expect(rows.filter(({ depends }) => depends !== '')).not.toEqual([]);
  const { stdout: markdown } = await ask('--format', 'markdown');
  expect(markdown).toContain('| 10.0.0.0 – 10.0.6.255, 10.0.8.0 – 10.0.255.255 | endpoint |');
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
  expect(marked.stdout).toContain('==>|"+ tcp 443"|');
  const { exit, stderr } = await ask('--stack', 'other');
  expect([exit, stderr]).toEqual([2, expect.stringContaining('must be one of api, got: "other"')]);
});

test.each<[flags: string, error: string]>([
  [
    '--from wrong --to endpoint',
    '`--from` must be an address or a network if `--to` is a name, got: "wrong"',
  ],
  [
    '--from 10.0.0.300 --to endpoint:443',
    '`--from` is not an IPv4 or IPv6 address, got: "10.0.0.300"',
  ],
  [
    '--from 10.0.0.1/8 --to endpoint',
    '`--from` has host bits set; the network is 10.0.0.0/8, got: "10.0.0.1/8"',
  ],
  [
    '--from 10.0.0.1:443 --to endpoint',
    '`--from` must have no port, which only `--to` can have, got: "10.0.0.1:443"',
  ],
  [
    '--from endpoint:443 --to 10.0.0.1',
    '`--from` must have no port, which only `--to` can have, got: "endpoint:443"',
  ],
  ['--from wrong --to 10.0.0.1', `\`--from\` must be one of endpoint, got: "wrong"`],
  ['--from 10.0.0.1 --to wrong:443', `\`--to\` must be one of endpoint, got: "wrong"`],
  [
    '--from endpoint --to wrong',
    '`--to` must be an address or a network if `--from` is a name, got: "wrong"',
  ],
  [
    '--from endpoint --to 10.0.0.300:443',
    '`--to` is not an IPv4 or IPv6 address, got: "10.0.0.300"',
  ],
  [
    '--from 10.0.0.1 --to 10.0.0.2',
    `\`--to\` must be one of endpoint if \`--from\` is an address, got: "10.0.0.2"`,
  ],
  [
    '--from this --to that',
    `one of \`--from\` and \`--to\` must be an address or a network, and the other one of endpoint, got: "this" and "that"`,
  ],
  [
    '--from 10.0.0.1 --to endpoint:99999',
    '`--to` must have a port from 0 to 65535, got: "endpoint:99999"',
  ],
  [
    '--from 10.0.0.1 --to endpoint:443 --protocol icmp',
    '`--protocol` must be tcp or udp if `--to` has a port, got: icmp and "endpoint:443"',
  ],
  [
    '--from 10.0.0.1 --to endpoint --vpc nope',
    '`--vpc` must be one of vpc-1 for endpoint, got: "nope"',
  ],
  ['--to endpiont', '`--to` must be one of endpoint, got: "endpiont"; did you mean "endpoint"?'],
  [
    '--from endpiont',
    '`--from` must be one of endpoint, got: "endpiont"; did you mean "endpoint"?',
  ],
  ['--to 10.0.0.300', '`--to` is not an IPv4 or IPv6 address, got: "10.0.0.300"'],
  [
    '--from 10.0.0.1:443',
    '`--from` must have no port, which only `--to` can have, got: "10.0.0.1:443"',
  ],
  ['--to endpoint --vpc nope', '`--vpc` must be one of vpc-1 for endpoint, got: "nope"'],
  ['--vpc vpc-1', '`--vpc` needs `--from` or `--to`, got: vpc-1'],
  ['--protocol udp', '`--protocol` needs `--from` or `--to`, got: udp'],
  ['--expect closed', '`--expect` needs `--from`, got: closed'],
  ['--to endpoint --expect closed', '`--expect` needs `--from`, got: closed'],
  ['--from endpoint --expect closed', '`--expect` needs `--to`, got: closed'],
  ['--max-reads 10', '`--max-reads` needs `--live`, got: 10'],
  ['--live --max-reads 0', '`--max-reads` must be a whole number from 1, got: "0"'],
  ['--base x', '`--base` needs `--format mermaid`, `svg` or `html`, got: x'],
  [
    '--live --format mermaid --base x',
    '`--live` and `--base` exclude each other, got: --live and x',
  ],
  ['--state x', '`--tree` and `--state` exclude each other, got: TREE and x'],
  [
    '--from 10.0.0.1 --to endpoint --intents',
    '`--from` and `--intents` exclude each other, got: 10.0.0.1 and --intents',
  ],
  [
    '--write-intents x --from 10.0.0.1',
    '`--from` and `--write-intents` exclude each other, got: 10.0.0.1 and x',
  ],
  [
    '--write-intents x --format json',
    '`--write-intents` and `--format` exclude each other, got: x and json',
  ],
  ['--intents nope', '`--intents` must be a readable file, got: nope (ENOENT)'],
])('refuses %s with the flag that is wrong', async (flags, error) => {
  const folder = await tree();
  const { exit, stdout, stderr } = await runHere(['reach', '--tree', folder, ...flags.split(' ')]);
  const text = `secure-connectivity: ${error.replace('TREE', folder)}\n`;
  expect([exit, stdout, stderr]).toEqual([2, '', text]);
});

test.each<[flags: string, error: string]>([
  ['--state nope', '`--state` must be a readable file, got: nope'],
  ['--plan nope', '`--plan` must be a readable file, got: nope (ENOENT)'],
  ['--state x --plan y', '`--state` and `--plan` exclude each other, got: x and y'],
  ['--state x --live', '`--state` and `--live` exclude each other, got: x and --live'],
  ['--plan x --stack api', '`--plan` and `--stack` exclude each other, got: x and api'],
  ['--state x --format svg --base y', '`--state` and `--base` exclude each other, got: x and y'],
])('refuses %s, which reads no tree', async (flags, error) => {
  const { exit, stderr } = await runHere(['reach', ...flags.split(' ')]);
  expect([exit, stderr]).toEqual([2, `secure-connectivity: ${error}\n`]);
});
