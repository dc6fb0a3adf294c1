import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';
const GROUP = 'Volcengine::VPC::SecurityGroup';

let run: StackRun;

beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', (settings) => {
    settings.check = { ...(settings.check as object), runOn: 'every-deploy' };
  });
  const deployed = await run.apply(STACK);
  expect(deployed.status, deployed.output).toBe(0);
});
afterAll(() => run.stop());

/** The line of the nightly job, on a copy of the tree. */
async function drift() {
  const folder = mkdtempSync(join(run.folder, 'tree-'));
  cpSync(join(run.folder, 'cdktf.out'), folder, { recursive: true });
  const workflow = readFileSync('shipped/ci-templates/github/connectivity-drift.yml', 'utf8');
  const [, line = ''] = /secure-connectivity (review .*)/.exec(workflow) ?? [];
  expect(readFileSync('shipped/ci-templates/gitlab-secure-connectivity.yml', 'utf8')).toContain(
    line,
  );
  const ended = await run.cli(line.split(' ').map((word) => (word === 'tree' ? folder : word)));
  // Without the breaks of a terminal's lines.
  return { ...ended, output: ended.output.replaceAll(/\s+/g, ' ') };
}

const group = () => run.sandbox.cloud.list(GROUP)[0] ?? expect.fail('no group');

function edit(rules: readonly object[]) {
  const patch = [{ op: 'replace' as const, path: '/IngressPermissions', value: rules as never }];
  run.sandbox.cloud.startUpdate(GROUP, group().identifier, patch, String(Math.random()));
}

test('a check at every deploy, and rules in another order, are no drift', async () => {
  const rules = group().properties.IngressPermissions as object[];
  edit(rules.toReversed());
  const ended = await drift();
  expect(ended.output).toContain('NO CHANGE');
  expect(ended.status).toBe(0);
});

test('an opened group is named with its packets, and so is what a deploy closes', async () => {
  const before = group().properties.IngressPermissions as { Policy?: string }[];
  const accepting = before.find(({ Policy }) => Policy === 'accept');
  edit([{ ...accepting, CidrIp: '203.0.113.0/24', PortStart: 8080, PortEnd: 8080 }, ...before]);
  const ended = await drift();
  expect(ended.output).toContain(
    "since the last deploy 203.0.113.0/24 can reach agent-service, tcp 8080; the rule is not Terraform's",
  );
  expect(ended.output).toContain('No longer reachable');
  expect(ended.status).toBe(3);
  edit(before);
});

test('a rule that is gone is named, and that a deploy gives it back', async () => {
  const before = group().properties.IngressPermissions as { Policy?: string }[];
  edit(before.filter(({ Policy }) => Policy !== 'accept'));
  const ended = await drift();
  expect(ended.output).toContain('can no longer reach agent-service, tcp 443');
  expect(ended.output).toContain('Newly reachable');
  expect(ended.status).toBe(3);
  edit(before);
});

test('a state is a base as well, and a file that is none is refused', async () => {
  const tree = join(run.folder, 'cdktf.out');
  const pulled = await run.terraform(STACK, ['state', 'pull']);
  const file = join(run.folder, 'deployed.tfstate');
  writeFileSync(file, pulled.stdout);
  const same = await run.cli(['review', '--base', `state:${file}`, '--head', tree]);
  expect(same.stdout).toContain('NO CHANGE');
  writeFileSync(file, pulled.stdout.replaceAll('10.20.0.0/16', '10.20.0.0/17'));
  const wider = await run.cli(['review', '--base', `state:${STACK}=${file}`, '--head', tree]);
  expect(wider.stdout).toContain('10.20.128.0/17');
  expect(wider.status).toBe(3);
  for (const base of ['state:', `state:other=${file}`, 'state:/nowhere']) {
    const refused = await run.cli(['review', '--base', base, '--head', tree]);
    expect([refused.status, refused.stderr], base).toEqual([
      2,
      expect.stringContaining('`--base`'),
    ]);
  }
});

test('objects of strangers, of whose types the stack has none, are found from end to end', async () => {
  const { cloud } = run.sandbox;
  const [endpoint = expect.fail('no endpoint')] = cloud.list(
    'Volcengine::PrivateLink::VpcEndpoint',
  );
  const { VpcId, EndpointDomain, Zones } = endpoint.properties as {
    VpcId: string;
    EndpointDomain: string;
    Zones: { SubnetId: string; PrivateIpAddress: string }[];
  };
  const [zone = expect.fail('no zone')] = Zones;
  const made: [string, string][] = [];
  const create = (type: string, properties: object) => {
    const id = cloud.create(type, properties as never);
    made.push([type, id]);
    return id;
  };
  const accepting = (group().properties.IngressPermissions as { Policy?: string }[]).find(
    ({ Policy }) => Policy === 'accept',
  );
  const open = { ...accepting, CidrIp: '203.0.113.0/24', PortStart: 8080, PortEnd: 8080 };
  const theirs = create(GROUP, { VpcId, IngressPermissions: [open] });
  create('Volcengine::VPC::ENI', {
    SubnetId: zone.SubnetId,
    PrimaryIpAddress: { PrivateIpAddress: zone.PrivateIpAddress },
    SecurityGroupIds: [group().identifier, theirs],
  });
  create('Volcengine::PrivateZone::PrivateZone', {
    ZoneName: EndpointDomain,
    Vpcs: [{ Region: 'cn-beijing', VpcId }],
  });
  const ended = await drift();
  expect(ended.output).toMatch(
    /203\.0\.113\.0\/24 can reach \S+, tcp 8080; \S+ is not Terraform's/,
  );
  expect(ended.output).toContain(
    `the zone ${EndpointDomain} answers for ${EndpointDomain} as well`,
  );
  expect(ended.status).toBe(3);
  for (const [type, id] of made.toReversed()) cloud.startDelete(type, id, id);
  expect((await drift()).status).toBe(0);
});

test('an endpoint and groups that were deleted behind Terraform are drift', async () => {
  for (const { typeName, identifier } of run.sandbox.resources()) {
    if (/PrivateLink::VpcEndpoint$|SecurityGroup$/.test(typeName))
      delete run.sandbox.cloud.state.resources[typeName]?.[identifier];
  }
  const ended = await drift();
  expect(ended.output).toMatch(/vpc_endpoint\S*: \S+ is in the state/);
  expect(ended.output).toMatch(/security_group\S*: \S+ is in the state/);
  expect(ended.status).toBe(3);

  const live = ['reach', '--live', '--tree', join(run.folder, 'cdktf.out'), '--stack', STACK];
  const asked = await run.cli([...live, '--from', '10.20.1.9', '--to', 'agent-service:443']);
  expect(asked.output).toMatch(/vpc_endpoint\S*: \S+ is in the state and no longer in the cloud/);
  expect(asked.output).not.toMatch(/^NO/m);
});
