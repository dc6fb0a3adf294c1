import { expect, test } from 'vitest';
import { exitOf } from '../../src/review/review.js';
import { reviewOfTerraform } from './trees.js';

const LIST = 'volcenginecc_vpc_prefix_list';
const GROUP = 'volcenginecc_vpc_security_group';
const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';

const rule = (peer: object, more: object = {}) => ({
  ...{ policy: 'accept', priority: 10, protocol: 'tcp', port_start: 443, port_end: 443 },
  ...peer,
  ...more,
});
const closed = { cidr_ip: '0.0.0.0/0', policy: 'drop', priority: 100, protocol: 'all' };
const group = (...rules: object[]) => ({
  ingress_permissions: rules,
  egress_permissions: [closed],
});
const list = (cidr: string) => ({ [LIST]: { own: { prefix_list_entries: [{ cidr }] } } });
const LISTED = { prefix_list_id: `\${${LIST}.own.prefix_list_id}` };

const fed = (cidr_ip: string, more: object) => ({
  resource: { [GROUP]: { own: group(rule({ cidr_ip })) } },
  ...more,
});
const labelled = (description: string) => ({
  resource: {
    [GROUP]: {
      other: { ...group(closed), description },
      own: group(rule({ cidr_ip: `\${trimspace(${GROUP}.other.description)}` })),
    },
  },
});

/** Of each the tree after the step that was approved, and the one that opens. */
const STEPS: Readonly<Record<string, readonly [approved: object, opens: object]>> = {
  'a list that only a drop names': [
    {
      resource: {
        ...list('10.0.0.0/24'),
        [GROUP]: { own: group(rule(LISTED, { policy: 'drop' })) },
      },
    },
    {
      resource: {
        ...list('10.0.0.0/8'),
        [GROUP]: { own: group(rule(LISTED, { policy: 'drop' })) },
      },
    },
  ],
  'a list whose rule comes too late': [
    {
      resource: {
        ...list('10.0.0.0/24'),
        [GROUP]: { own: group({ ...closed, priority: 1 }, rule(LISTED)) },
      },
    },
    {
      resource: {
        ...list('10.0.0.0/8'),
        [GROUP]: { own: group({ ...closed, priority: 1 }, rule(LISTED)) },
      },
    },
  ],
  'a group whose endpoint has drops of another group': [
    behindDrops('10.0.0.0/24'),
    behindDrops('10.0.0.0/8'),
  ],
  'a label that a rule reads': [labelled('10.0.0.0/24'), labelled('10.0.0.0/8')],
  'a local that a function reads': [
    fed('${lower(local.own)}', { locals: { own: '10.0.0.0/24' } }),
    fed('${lower(local.own)}', { locals: { own: '10.0.0.0/8' } }),
  ],
  'a local of a local that a function reads': [
    fed('${lower(local.a)}', { locals: { a: '${local.b}', b: '10.0.0.0/24' } }),
    fed('${lower(local.a)}', { locals: { a: '${local.b}', b: '10.0.0.0/8' } }),
  ],
  'a value that Terraform remembers': [remembered('10.0.0.0/24'), remembered('10.0.0.0/8')],
  'a server whose address Terraform remembers': [server('10.0.0.5'), server('10.0.0.6')],
  'a group made elsewhere whose name Terraform remembers': [foreign('sg-1'), foreign('sg-2')],
};

function behindDrops(cidr_ip: string) {
  const ids = ['own', 'drops'].map((name) => `\${${GROUP}.${name}.security_group_id}`);
  return {
    resource: {
      [GROUP]: { own: group(rule({ cidr_ip })), drops: group({ ...closed, priority: 1 }) },
      [ENDPOINT]: { own: { security_group_ids: ids } },
    },
  };
}

function remembered(cidr: string) {
  const own = group(rule({ cidr_ip: '${terraform_data.memory.output.cidr}' }));
  return { resource: { [GROUP]: { own }, terraform_data: { memory: { input: { cidr } } } } };
}

function server(ip: string) {
  const servers = [{ type: 'ip', ip: '${terraform_data.memory.output.ip}', port: 80 }];
  return {
    resource: {
      volcenginecc_clb_server_group: { own: { servers } },
      terraform_data: { memory: { input: { ip } } },
    },
  };
}

function foreign(id: string) {
  const own = { security_group_ids: ['${terraform_data.memory.output.id}'] };
  return { resource: { [ENDPOINT]: { own }, terraform_data: { memory: { input: { id } } } } };
}

test.each(Object.entries(STEPS))('%s needs approval at the step that opens', (_, [
  approved,
  opens,
]) => {
  const report = reviewOfTerraform({ ...approved }, { ...opens });
  expect(exitOf(report), report.summary).toBeGreaterThanOrEqual(3);
  expect(exitOf(reviewOfTerraform({ ...approved }, { ...approved }))).not.toBe(3);
});

test('two contents of what a rule reads are two findings', () => {
  const [approved] = STEPS['a value that Terraform remembers'] ?? [{}];
  const identities = ['10.0.0.0/8', '0.0.0.0/0'].map((cidr) =>
    JSON.stringify(
      reviewOfTerraform({ ...approved }, remembered(cidr)).findings.map(({ identity }) => identity),
    ),
  );
  expect(new Set(identities).size).toBe(2);
});

test('a list that an accept names is one row', () => {
  const of = (cidr: string) => ({
    resource: { ...list(cidr), [GROUP]: { own: group(rule(LISTED)) } },
  });
  const { changes } = reviewOfTerraform(of('10.0.0.0/24'), of('10.0.0.0/23'));
  expect(changes.map(({ effect, peer, subject }) => [effect, peer, subject])).toEqual([
    ['widens', '10.0.1.0/24', `${GROUP}.own`],
  ]);
});

test('a list that nothing uses and that is removed is no access that ends', () => {
  expect(reviewOfTerraform({ resource: list('10.0.0.0/24') }, {}).changes).toEqual([]);
});
