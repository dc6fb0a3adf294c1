import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StandInTerraform } from '../../sandbox/provider/stand-in-terraform.js';

const VPC = 'Volcengine::VPC::VPC';
const GROUP = 'Volcengine::VPC::SecurityGroup';
const SERVICE = 'epsvc-sandbox';

let terraform: StandInTerraform;

beforeAll(async () => {
  terraform = await StandInTerraform.start();
});

afterAll(() => terraform.stop());

function vpc(facts: object = {}) {
  return { volcenginecc_vpc_vpc: { main: { cidr_block: '10.0.0.0/16', vpc_name: 'a', ...facts } } };
}

function rule(port: number) {
  return {
    cidr_ip: '10.0.0.0/16',
    description: `port ${port}`,
    direction: 'ingress',
    policy: 'accept',
    port_start: port,
    port_end: port,
    priority: 1,
    protocol: 'tcp',
  };
}

function network(ports: readonly number[]) {
  return {
    resource: {
      volcenginecc_vpc_vpc: {
        main: { cidr_block: '10.0.0.0/16', vpc_name: 'a', tags: [{ key: 'team', value: 'x' }] },
      },
      volcenginecc_vpc_subnet: {
        a: {
          vpc_id: '${volcenginecc_vpc_vpc.main.id}',
          cidr_block: '10.0.1.0/24',
          zone_id: 'cn-beijing-a',
        },
      },
      volcenginecc_vpc_security_group: {
        endpoint: {
          vpc_id: '${volcenginecc_vpc_vpc.main.id}',
          security_group_name: 'endpoint',
          ingress_permissions: ports.map(rule),
        },
      },
      volcenginecc_privatelink_vpc_endpoint: {
        main: {
          vpc_id: '${volcenginecc_vpc_vpc.main.id}',
          service_id: SERVICE,
          security_group_ids: ['${volcenginecc_vpc_security_group.endpoint.id}'],
          zones: [{ subnet_id: '${volcenginecc_vpc_subnet.a.id}', zone_id: 'cn-beijing-a' }],
        },
      },
    },
    output: {
      domain: { value: '${volcenginecc_privatelink_vpc_endpoint.main.endpoint_domain}' },
    },
  };
}

describe('null_resource', () => {
  const withTrigger = (value: string) => ({
    resource: {
      null_resource: {
        check: {
          triggers: { value },
          provisioner: [{ 'local-exec': { command: `printf ${value} > ran.txt` } }],
        },
      },
    },
  });

  it('runs its provisioner at create and again when a trigger changes', async () => {
    const stack = await terraform.stack(withTrigger('one'));
    const ran = () => readFileSync(join(stack.folder, 'ran.txt'), 'utf8');
    await stack.must('validate');
    await stack.apply();
    expect(ran()).toBe('one');
    expect(await stack.planStatus()).toBe(0);
    const { id } = await stack.attributes('null_resource.check');
    expect(id).toMatch(/^\d+$/);
    stack.write(withTrigger('two'));
    expect(await stack.apply()).toContain('1 added, 0 changed, 1 destroyed');
    expect(ran()).toBe('two');
    expect((await stack.attributes('null_resource.check')).id).not.toBe(id);
    await stack.destroy();
  });

  it('makes fifty at once', async () => {
    const stack = await terraform.stack({
      resource: { null_resource: { many: { count: 50, triggers: { index: '${count.index}' } } } },
    });
    expect(await stack.apply()).toContain('50 added');
    expect(await stack.destroy()).toContain('50 destroyed');
  });
});

describe('cloud resources', () => {
  it('are made, left alone by a second plan, updated in place and destroyed', async () => {
    const stack = await terraform.stack(network([443, 8443]));
    await stack.must('validate');
    await stack.apply();
    expect(await stack.planStatus()).toBe(0);
    expect(await stack.must('output', '-raw', 'domain')).toMatch(/^ep-.*volces\.com$/);
    const group = 'volcenginecc_vpc_security_group.endpoint';
    const before = await stack.attributes(group);
    stack.write(network([443, 9443]));
    expect(await stack.apply()).toContain('0 added, 1 changed, 0 destroyed');
    expect(await stack.planStatus()).toBe(0);
    const after = await stack.attributes(group);
    expect(after.id).toBe(before.id);
    expect(after.ingress_permissions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ port_start: 443 }),
        expect.objectContaining({ port_start: 9443 }),
      ]),
    );
    await stack.destroy();
    expect(terraform.cloud.list(VPC)).toEqual([]);
    expect(terraform.cloud.list(GROUP)).toEqual([]);
  });

  it('are replaced where an attribute cannot change', async () => {
    const stack = await terraform.stack({ resource: vpc() });
    await stack.apply();
    stack.write({ resource: vpc({ cidr_block: '10.1.0.0/16' }) });
    const plan = await stack.must('plan');
    expect(plan).toContain('cidr_block');
    expect(plan).toContain('forces replacement');
    expect(await stack.apply()).toContain('1 added, 0 changed, 1 destroyed');
    await stack.destroy();
  });

  it('can be imported', async () => {
    const stack = await terraform.stack({ resource: vpc() });
    const id = terraform.cloud.create(VPC, { CidrBlock: '10.0.0.0/16', VpcName: 'a' });
    await stack.must('import', 'volcenginecc_vpc_vpc.main', id);
    expect(await stack.planStatus()).toBe(0);
    await stack.destroy();
    expect(terraform.cloud.list(VPC)).toEqual([]);
  });

  it("report the cloud's refusal with its code and message", async () => {
    const stack = await terraform.stack({ resource: vpc({ cidr_block: '1.2.3.4/33' }) });
    const { status, stderr } = await stack.run(['apply', '-auto-approve', '-no-color']);
    expect(status).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      /CreateResource failed .*InvalidProperty: .*status 400/,
    );
  });
});

describe('mistakes', () => {
  it('are found by validate, with the attribute named', async () => {
    const { policy: _, ...incomplete } = rule(443);
    const stack = await terraform.stack({
      resource: {
        volcenginecc_vpc_security_group: {
          main: { vpc_id: 'vpc-1', ingress_permissions: [incomplete, rule(70000)] },
        },
      },
    });
    const { status, stdout } = await stack.run(['validate', '-json']);
    expect(status).toBe(1);
    const details = JSON.parse(stdout).diagnostics.map(({ detail }: { detail: string }) => detail);
    expect(details).toEqual(['`ingress_permissions.policy` must be set, got: nothing']);
  });

  it('plan refuses to continue without credentials', async () => {
    const stack = await terraform.stack({ resource: vpc() });
    const providers = await terraform.providersWith({ VOLCENGINE_ACCESS_KEY: undefined });
    const { status, stderr } = await stack.run(['plan', '-no-color'], { ...providers });
    expect(status).toBe(1);
    expect(stderr).toContain('Either (AccessKey and SecretKey) or Profile must be provided');
  });

  it('plan on an empty state needs no cloud', async () => {
    const stack = await terraform.stack({ resource: vpc() });
    const providers = await terraform.providersWith({ VOLCENGINE_CC_ENDPOINT: undefined });
    const { status } = await stack.run(['plan', '-no-color'], { ...providers });
    expect(status).toBe(0);
  });

  it('apply never leaves loopback', async () => {
    const stack = await terraform.stack({ resource: vpc() });
    const providers = await terraform.providersWith({ VOLCENGINE_CC_ENDPOINT: 'cloud.example:80' });
    const { status, stderr } = await stack.run(['apply', '-auto-approve', '-no-color'], {
      ...providers,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('must be plain HTTP on loopback');
  });
});
