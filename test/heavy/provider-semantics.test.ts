import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEMANTICS, type SemanticName } from '../../scripts/provider-semantics.js';
import { isObject, type Json, type JsonObject } from '../../src/sandbox/json.js';
import { type Stack, StandInTerraform } from '../sandbox/provider/stand-in-terraform.js';
import { buildBalancer, GROUP, SERVERS, VPC } from '../sandbox/support.js';

let terraform: StandInTerraform;

beforeAll(async () => {
  terraform = await StandInTerraform.start();
});

afterAll(() => terraform.stop());

function vpc(facts: object = {}) {
  const main = { cidr_block: '10.0.0.0/16', vpc_name: 'a', ...facts };
  return { resource: { volcenginecc_vpc_vpc: { main } } };
}

async function deployed(configuration: object): Promise<Stack> {
  const stack = await terraform.stack(configuration);
  await stack.apply();
  return stack;
}

/** A VPC that is deployed, and what the cloud has of it. */
async function deployedVpc(facts: object = {}) {
  const stack = await deployed(vpc(facts));
  const { id } = await stack.attributes('volcenginecc_vpc_vpc.main');
  return { stack, id: String(id), read: () => terraform.cloud.get(VPC, String(id)) };
}

function group(vpcId: string, facts: object) {
  const main = { vpc_id: vpcId, ...facts };
  return { resource: { volcenginecc_vpc_security_group: { main } } };
}

const accept = (facts: object) => ({
  direction: 'egress',
  policy: 'accept',
  protocol: 'tcp',
  port_start: 443,
  port_end: 443,
  priority: 10,
  description: 'calls',
  ...facts,
});

function isMatch(rule: Json, facts: JsonObject): boolean {
  return isObject(rule) && Object.entries(facts).every(([name, value]) => rule[name] === value);
}

const DROP = accept({
  policy: 'drop',
  protocol: 'all',
  port_start: -1,
  port_end: -1,
  priority: 100,
  cidr_ip: '0.0.0.0/0',
});

/** One proof for each row of the table. */
const PROOFS: Record<SemanticName, () => Promise<void>> = {
  'set-refill': async () => {
    const vpcId = terraform.cloud.create(VPC, { CidrBlock: '10.0.0.0/16' });
    const list = terraform.cloud.create('Volcengine::VPC::PrefixList', { MaxEntries: 1 });
    const rules = (port: number) => ({
      egress_permissions: [
        accept({ prefix_list_id: list }),
        accept({ prefix_list_id: list, port_start: port, port_end: port }),
        DROP,
      ],
    });
    const opened = { Policy: 'accept', PrefixListId: list, CidrIp: '0.0.0.0/0' };
    const changed = async (port: number) => {
      const stack = await deployed(group(vpcId, rules(80)));
      stack.write(group(vpcId, rules(port)));
      await stack.apply();
      expect(await stack.planStatus()).toBe(0);
      const { id } = await stack.attributes('volcenginecc_vpc_security_group.main');
      return terraform.cloud.get(GROUP, String(id)).EgressPermissions;
    };
    // Which port it strikes depends on how Terraform orders the members.
    for (const port of [8443, 9443, 10_443, 11_443]) {
      const held = await changed(port);
      if (Array.isArray(held) && held.some((one) => isMatch(one, opened))) return;
    }
    expect.fail('no rule over the list has the CIDR of the drop rule');
  },

  'kept-value': async () => {
    const { stack, read } = await deployedVpc({ description: 'kept' });
    stack.write(vpc());
    expect(await stack.planStatus()).toBe(0);
    expect(read().Description).toBe('kept');
  },

  'kept-tags': async () => {
    const { stack, read } = await deployedVpc({ tags: [{ key: 'a', value: '1' }] });
    stack.write(vpc());
    expect(await stack.apply()).toContain('0 added, 0 changed');
    expect(read().Tags).toEqual([{ Key: 'a', Value: '1' }]);
  },

  'fixed-default': async () => {
    const vpcId = terraform.cloud.create(VPC, { CidrBlock: '10.0.0.0/16' });
    const stack = await deployed(group(vpcId, { project_name: 'agents' }));
    stack.write(group(vpcId, {}));
    for (let time = 0; time < 2; time += 1) {
      const { status, stderr } = await stack.run(['apply', '-auto-approve', '-no-color']);
      expect(status).toBe(1);
      expect(stderr).toContain('NotUpdatable');
    }
  },

  'default-in-set': async () => {
    const { balancer } = buildBalancer(terraform.cloud);
    const servers = (name: string) => ({
      resource: {
        volcenginecc_clb_server_group: {
          main: {
            load_balancer_id: balancer,
            server_group_name: name,
            type: 'ip',
            servers: [
              { instance_id: '10.20.1.9', ip: '10.20.1.9', type: 'ip', port: 80, weight: 7 },
            ],
          },
        },
      },
    });
    const stack = await deployed(servers('a'));
    stack.write(servers('b'));
    await stack.run(['apply', '-auto-approve', '-no-color']);
    const { id } = await stack.attributes('volcenginecc_clb_server_group.main');
    expect(terraform.cloud.get(SERVERS, String(id)).Servers).toMatchObject([{ Weight: 0 }]);
  },

  'empty-list': async () => {
    const { stack } = await deployedVpc({ dns_servers: [] });
    expect(await stack.planStatus()).toBe(2);
    await stack.apply();
    expect(await stack.planStatus()).toBe(2);
  },

  'open-set-removed': async () => {
    const { stack, id, read } = await deployedVpc();
    const patch = [{ op: 'add', path: '/DnsServers', value: ['10.0.0.2'] }];
    terraform.cloud.startUpdate(VPC, id, patch, '');
    stack.write(vpc({ description: 'changed' }));
    await stack.must('apply', '-auto-approve', '-refresh=false');
    expect(read()).toMatchObject({ Description: 'changed' });
    expect(read().DnsServers ?? []).toEqual([]);
  },

  'system-tags': async () => {
    const { stack, id, read } = await deployedVpc({ tags: [{ key: 'a', value: '1' }] });
    const hidden = { Key: 'sys:owner', Value: 'cloud' };
    const stored = terraform.cloud.state.resources[VPC]?.[id];
    Object.assign(stored ?? {}, { Tags: [{ Key: 'a', Value: '1' }, hidden] });
    expect(await stack.planStatus()).toBe(0);
    stack.write(vpc({ tags: [{ key: 'b', value: '2' }] }));
    await stack.apply();
    expect(read().Tags).toEqual([{ Key: 'b', Value: '2' }, hidden]);
    expect(await stack.planStatus()).toBe(0);
  },

  bytes: async () => {
    const stack = await terraform.stack(vpc({ vpc_name: '名'.repeat(43) }));
    expect((await stack.run(['validate'])).status).toBe(1);
    stack.write(vpc({ vpc_name: '名'.repeat(42) }));
    await stack.must('validate');
  },

  'documented-limits': async () => {
    const stack = await terraform.stack(
      group('vpc-1', { egress_permissions: [{ ...DROP, priority: 101 }] }),
    );
    await stack.must('validate');
    await stack.must('plan');
    const { stderr } = await stack.run(['apply', '-auto-approve', '-no-color']);
    expect(stderr).toContain('InvalidProperty');
  },

  'unread-members': async () => {
    const { read } = await deployedVpc({ tags: [{ key: 'a', value: '1', vlaue: '2' }] });
    expect(read().Tags).toEqual([{ Key: 'a', Value: '1' }]);
  },

  gone: async () => {
    const { stack, id } = await deployedVpc();
    terraform.cloud.startDelete(VPC, id, '');
    const plan = await stack.must('plan');
    expect(plan).toContain('Resource Not Found During Refresh');
    expect(plan).toContain('No changes');
    expect((await stack.run(['destroy', '-auto-approve'])).status).toBe(1);
  },

  'empty-import': async () => {
    const stack = await terraform.stack(vpc());
    const imported = await stack.must('import', 'volcenginecc_vpc_vpc.main', 'vpc-none');
    expect(imported).toContain('Resource Not Found During Refresh');
    const state = await stack.attributes('volcenginecc_vpc_vpc.main');
    expect(state).toMatchObject({ id: 'vpc-none', cidr_block: null });
  },

  'interrupted-create': async () => {
    const slow = await StandInTerraform.start(1000);
    const stack = await slow.stack(vpc());
    let processes: number | undefined;
    slow.onChange = () => {
      if (processes !== undefined) process.kill(-processes, 'SIGINT');
      processes = undefined;
    };
    const { stdout } = await stack.run(['apply', '-auto-approve', '-no-color'], {}, (pid) => {
      processes = pid;
    });
    expect(stdout).toContain('Interrupt received');
    expect(slow.cloud.list(VPC)).toMatchObject([{ properties: { VpcName: 'a' } }]);
    expect((await stack.run(['state', 'list'])).stdout).toBe('');
    await slow.stop();
  },

  'failed-update': async () => {
    const { stack } = await deployedVpc();
    const tags = Array.from({ length: 21 }, (_, index) => ({ key: `k${index}`, value: '' }));
    stack.write(vpc({ tags }));
    expect((await stack.run(['apply', '-auto-approve'])).status).toBe(1);
    const state = await stack.attributes('volcenginecc_vpc_vpc.main');
    expect(state.tags).toBeNull();
  },
};

describe('the stand-in does as the genuine provider', () => {
  it.each(SEMANTICS)('$name: $rule', ({ name }) => PROOFS[name](), 120_000);
});
