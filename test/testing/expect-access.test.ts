import { Aspects, TerraformResource, TerraformStack, TerraformVariable } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { FixedIpEgress } from '../../src/constructs/fixed-ip/fixed-ip-egress.js';
import { PluginEndpointService } from '../../src/constructs/plugin-endpoint-service/plugin-endpoint-service.js';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { ServiceEndpoint } from '../../src/constructs/service-endpoint/service-endpoint.js';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';
import { type AccessAssertions, expectAccess, type Flow } from '../../src/testing/index.js';
import { overridden } from '../support/overridden-endpoint.js';
import { addEndpoint, testingApp } from '../support/testing-app.js';

const stack = new TerraformStack(testingApp(), 'test');
addEndpoint(stack, 'service');
new FixedIpEgress(stack, 'egress', {
  name: 'api',
  baseUrl: 'https://static-api.example.com',
  apiHost: 'api.example.com',
  securityGroup: { vpcId: 'vpc-1' },
});
new PluginEndpointService(stack, 'plugin', {
  name: 'orders',
  backend: 'orders',
  serviceAccountId: '2100000001',
  payer: 'Endpoint',
  loadBalancer: { loadBalancerId: 'clb-1', port: 443 },
  acceptedEndpointIds: ['ep-1'],
});

test('what is open is allowed, and what is not is denied', () => {
  expectAccess(stack)
    .toAllow({ from: '10.30.1.0/24', port: 443, subject: 'service' })
    .toAllow({ from: '10.30.1.7', port: 443 })
    .toAllow({ to: '36.110.186.29', port: 443 })
    .toAllow({ from: { account: '2100000001' }, port: 443 })
    .toAllow({ from: { endpoint: 'ep-1' }, port: 443 })
    .toDenyAll({ from: '10.30.2.0/24' })
    .toDenyAll({ from: '0.0.0.0/0', port: 80, protocol: 'any' })
    .toDenyAll({ to: '8.8.8.8' })
    .toDenyAll({ from: { account: '2100000002' } });
});

test('nothing but the listed traffic is allowed', () => {
  expectAccess(stack).toAllowOnly(
    { from: '10.30.1.0/24', port: 443 },
    { from: { account: '2100000001' }, port: 443 },
    { from: { endpoint: 'ep-1' }, port: 443 },
    ...FIXED_ADDRESSES.entries.map(({ address }) => ({ to: address, port: 443 })),
  );
});

describe('throws what test runners take for a failed assertion', () => {
  test.each<[string, (access: AccessAssertions) => unknown, string]>([
    [
      'where only a part is allowed',
      (access) => access.toAllow({ from: '10.30.0.0/16', port: 443 }),
      'the stack must allow from 10.30.0.0/16, tcp 443; no rule allows tcp 443 from 10.30.0.0',
    ],
    [
      'where the port is another one',
      (access) => access.toAllow({ from: '10.30.1.0/24', port: 80 }),
      'the stack must allow from 10.30.1.0/24, tcp 80; no rule allows tcp 80 from 10.30.1.0',
    ],
    [
      'where the direction is the other one',
      (access) => access.toAllow({ to: '10.30.1.0/24', port: 443 }),
      'the stack must allow to 10.30.1.0/24, tcp 443; no rule allows tcp 443 from the stack to 10.30.1.0',
    ],
    [
      'where a part is open',
      (access) => access.toDenyAll({ from: '10.0.0.0/8' }),
      'the stack must deny from 10.0.0.0/8, tcp any port; open is tcp 443 from 10.30.1.0 to service, through volcenginecc_vpc_security_group.',
    ],
    [
      'where more is open',
      (access) => access.toAllowOnly({ from: '10.30.1.0/24', port: 443 }),
      'the stack must allow nothing else; open is tcp 443 from api to 36.110.186.29, through volcenginecc_vpc_security_group.',
    ],
  ])('%s', (_, assertion, message) => {
    let error: Error | undefined;
    try {
      assertion(expectAccess(stack));
    } catch (thrown) {
      error = thrown as Error;
    }
    expect(error).toMatchObject({ name: 'AssertionError', expected: expect.anything() });
    expect(error?.message).toContain(message);
  });
});

test('asks for one side of the traffic, and for a stack with constructs', () => {
  expect(() => expectAccess(stack).toAllow({ port: 443 })).toThrow(
    'exactly one of `from` and `to` must be given',
  );
  expect(() => expectAccess(new TerraformStack(testingApp(), 'empty'))).toThrow(
    'the stack must hold constructs of cdktf-secure-connectivity, got: none',
  );
});

const LISTED = { from: '10.30.1.0/24', port: 443 };

describe('reads what Terraform opens', () => {
  test('two rules together allow what neither allows alone', () => {
    const access = overridden(['10.30.0.0/17', '10.30.128.0/17'], () => undefined);
    access.toAllow({ from: '10.30.0.0/16', port: 443 });
  });

  test('one listed address does not excuse the others of its network', () => {
    const access = overridden(['10.30.0.0/16'], () => undefined);
    expect(() => access.toAllowOnly({ from: '10.30.0.0', port: 443 })).toThrow(
      'open is tcp 443 from 10.30.0.1 to service',
    );
  });

  test('an override opens what no access rule states', () => {
    const access = overridden(['10.30.1.0/24'], (group) =>
      group.addOverride('ingress_permissions.0.cidr_ip', '0.0.0.0/0'),
    );
    expect(() => access.toDenyAll({ from: '8.8.8.8' })).toThrow('open is tcp 443 from 8.8.8.8');
    expect(() => access.toAllowOnly(LISTED)).toThrow('open is tcp 443 from 0.0.0.0 to');
  });

  test('so does an aspect', () => {
    const access = overridden(['10.30.1.0/24'], (group) =>
      Aspects.of(group).add({
        visit: (node) =>
          (node as TerraformResource).addOverride('ingress_permissions.0.port_start', 1),
      }),
    );
    expect(() => access.toAllowOnly(LISTED)).toThrow('open is tcp 1 from 10.30.1.0');
  });

  test('so does an aspect of the app', () => {
    const access = () =>
      overridden(['10.30.1.0/24'], (group) => {
        const visit = (node: object) => {
          if (node === group) group.addOverride('egress_permissions', null);
        };
        Aspects.of(group.node.root).add({ visit });
      });
    expect(() => access().toAllowOnly(LISTED)).toThrow('open is tcp 0 from service to 0.0.0.0');
  });

  test.each<[path: string, value: unknown]>([
    ['module.more', { source: './more' }],
    ['terraform.required_providers.volcenginecc', { source: 'others/volcenginecc' }],
    ['terraform.required_providers.null', { source: 'registry.example.com/hashicorp/null' }],
    ['resource.restapi_object.more', { path: '/', data: '{}' }],
    ['data.http.more', { url: 'https://example.com', method: 'POST' }],
    ['check.more', { data: { external: { run: { program: ['./open.sh'] } } } }],
  ])('%s can open and close anything, so that nothing is shown', (path, value) => {
    const access = overridden(['10.30.1.0/24'], (group) =>
      group.cdktfStack.addOverride(path, value),
    );
    const got = `that cannot be shown: ${path.replace(/^resource\./, '')}`;
    expect(() => access.toAllowOnly(LISTED)).toThrow(got);
    expect(() => access.toDenyAll({ from: '8.8.8.8' })).toThrow(got);
    expect(() => access.toAllow(LISTED)).toThrow(got);
  });

  test('a resource that is not modelled is no reason to say that nothing is open', () => {
    const access = overridden(['10.30.1.0/24'], (group) => {
      new TerraformResource(group.cdktfStack, 'more', {
        terraformResourceType: 'volcenginecc_vpc_route_table',
      });
    });
    expect(() => access.toAllowOnly(LISTED)).toThrow(
      'that cannot be shown: volcenginecc_vpc_route_table.more',
    );
  });

  test('a program of somebody else may open anything, and our own check does not', () => {
    const run = (program: object) =>
      overridden(['10.30.1.0/24'], (group) => {
        const other = new TerraformResource(group.cdktfStack, 'more', {
          terraformResourceType: 'terraform_data',
        });
        other.addOverride('provisioner', [{ 'local-exec': program }]);
      });
    const got = 'that cannot be shown: terraform_data.more: it runs a program';
    expect(() => run({ command: './open.sh' }).toAllowOnly(LISTED)).toThrow(got);
    const destroy = { interpreter: ['secure-connectivity', 'destroy', '--auto-approve'] };
    expect(() => run(destroy).toDenyAll({ from: '8.8.8.8' })).toThrow(got);
    const verify = { interpreter: ['secure-connectivity', 'verify', '--title'] };
    run(verify).toAllowOnly(LISTED);
    const environment = { SECURE_CONNECTIVITY_LINKS: 'x' };
    run({ ...verify, environment }).toAllowOnly(LISTED);
    for (const name of ['NODE_OPTIONS', 'PATH']) {
      const more = { ...verify, environment: { ...environment, [name]: './open' } };
      expect(() => run(more).toAllowOnly(LISTED)).toThrow(got);
    }
    expect(() => run({ ...verify, working_dir: './open' }).toAllow(LISTED)).toThrow(got);
  });

  test.each([
    true,
    'true',
    '${var.accept}',
  ])('an endpoint service that accepts by itself (%s) lets in endpoints that nobody listed', (accept) => {
    const own = new TerraformStack(testingApp(), 'test');
    const plugin = new PluginEndpointService(own, 'plugin', {
      ...{ name: 'orders', backend: 'orders', serviceAccountId: '2100000001', payer: 'Endpoint' },
      loadBalancer: { loadBalancerId: 'clb-1', port: 443 },
      acceptedEndpointIds: ['ep-1'],
    });
    const listed = [
      { from: { account: '2100000001' }, port: 443 },
      { from: { endpoint: 'ep-1' }, port: 443 },
    ];
    expectAccess(own).toAllowOnly(...listed);
    for (const node of plugin.node.findAll().filter(TerraformResource.isTerraformResource)) {
      if (node.terraformResourceType.endsWith('_endpoint_service')) {
        node.addOverride('auto_accept_enabled', accept);
      }
    }
    expect(() => expectAccess(own).toAllowOnly(...listed)).toThrow('from endpoint * to orders');
    expect(() => expectAccess(own).toDenyAll({ from: { endpoint: 'ep-9' } })).toThrow(
      'from endpoint * to orders',
    );
  });

  test.each<[who: string, path: string, value: unknown, other: Flow['from'] & object]>([
    ['account *', 'permit_account_ids', ['*'], { account: '2100000002' }],
    ['endpoint *', 'auto_accept_enabled', true, { endpoint: 'ep-9' }],
  ])('one that is listed does not excuse %s', (who, path, value, other) => {
    const own = new TerraformStack(testingApp(), 'test');
    const plugin = new PluginEndpointService(own, 'plugin', {
      ...{ name: 'orders', backend: 'orders', serviceAccountId: '2100000001', payer: 'Endpoint' },
      loadBalancer: {
        network: PrivateNetwork.fromAttributes(own, 'network', {
          vpcId: 'vpc-1',
          cidrs: ['10.40.0.0/16'],
          subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '10.40.1.0/24' } },
        }),
        ...{ protocol: 'TCP', port: 80 },
        servers: [{ type: 'ip', ip: '10.40.1.10', port: 8080 }],
      },
      acceptedEndpointIds: ['ep-1'],
    });
    const listed = [
      ...[80, 8080].map((port) => ({ from: '100.64.0.0/10', port })),
      { from: { account: '2100000001' }, port: 80 },
      { from: { endpoint: 'ep-1' }, port: 80 },
    ];
    expectAccess(own).toAllowOnly(...listed);
    // Of every account and every endpoint, those are some that the stack lets in.
    const everyone = who.startsWith('account') ? { account: '*' } : { endpoint: '*' };
    expect(() => expectAccess(own).toDenyAll({ from: everyone })).toThrow('open is tcp 80 from');
    for (const node of plugin.node.findAll().filter(TerraformResource.isTerraformResource)) {
      if (node.terraformResourceType.endsWith('_endpoint_service')) node.addOverride(path, value);
    }
    expect(() => expectAccess(own).toAllowOnly(...listed)).toThrow(`open is tcp 80 from ${who} to`);
    expect(() => expectAccess(own).toDenyAll({ from: other })).toThrow(`from ${who} to orders`);
  });

  test.each<[what: string, path: string, value: unknown, got: string]>([
    ['a block that nobody reads', 'dynamic', { ingress_permissions: [] }, 'dynamic: the argument'],
    [
      'values that Terraform ignores',
      'lifecycle.ignore_changes',
      ['ingress_permissions'],
      'other values',
    ],
  ])('%s may open anything', (_, path, value, got) => {
    const access = overridden(['10.30.1.0/24'], (group) => group.addOverride(path, value));
    expect(() => access.toDenyAll({ from: '8.8.8.8' })).toThrow(got);
  });

  test('an address of a variable is not shown, for a deploy can set it to another than its default', () => {
    const access = overridden(['10.30.1.0/24'], (group) => {
      new TerraformVariable(group.cdktfStack, 'clients', { default: '10.30.1.0/24' });
      group.addOverride('ingress_permissions.0.cidr_ip', '${var.clients}');
    });
    expect(() => access.toAllowOnly(LISTED)).toThrow('no rule allows');
    expect(() => access.toDenyAll({ from: '8.8.8.8' })).toThrow('var.clients');
    expect(() => access.toAllow(LISTED)).toThrow('no rule allows');
  });

  test('a group made elsewhere decides instead of the one that the endpoint no longer has', () => {
    const access = overridden(['10.30.1.0/24'], (group) => {
      const [endpoint] = group.cdktfStack.node
        .findAll()
        .filter(TerraformResource.isTerraformResource)
        .filter(({ terraformResourceType: type }) => type.endsWith('vpc_endpoint'));
      endpoint?.addOverride('security_group_ids', ['sg-elsewhere']);
    });
    const doubt = 'which depends on: What do the rules of the group sg-elsewhere say?';
    expect(() => access.toDenyAll({ from: '8.8.8.8' })).toThrow(doubt);
    expect(() => access.toAllow({ ...LISTED, subject: 'service' })).toThrow('no rule allows');
  });

  test('two endpoints that let in the same clients keep their names', () => {
    const own = new TerraformStack(testingApp(), 'test');
    const shared = PrivateNetwork.fromAttributes(own, 'network', {
      vpcId: 'vpc-1',
      cidrs: ['10.30.0.0/16'],
      subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '10.30.1.0/24' } },
    });
    for (const name of ['service', 'service2']) {
      new ServiceEndpoint(own, name, {
        ...{ network: shared, name, serviceName: 'com.example.epsvc-1a2b', scheme: 'https' },
        ...{ apiHost: 'api.example.com', allowedNetworks: ['10.30.1.0/24'] },
      });
    }
    for (const subject of ['service', 'service2']) {
      expectAccess(own).toAllow({ ...LISTED, subject });
    }
  });

  test('a stack with mistakes is refused', () => {
    expect(() => overridden(['0.0.0.0/0'], () => undefined)).toThrow();
  });
});

test.each<[assertion: (access: AccessAssertions) => unknown]>([
  [(access) => access.toAllow({ ...LISTED, subject: 'servise' })],
  [(access) => access.toDenyAll({ from: '10.20.0.0/16', subject: 'servise' })],
  [(access) => access.toAllowOnly({ ...LISTED, subject: 'servise' })],
])('a subject that nothing has is an error with the nearest one, and no pass: %s', (assertion) => {
  expect(() => assertion(expectAccess(stack))).toThrow(
    '`subject` must be one of api, orders, service, got: "servise"; did you mean "service"?',
  );
});

test.each([
  [{ prefixList: {} }, 'what uses the prefix list api'],
  [{ enforcedElsewhere: 'the firewall of the office' }, 'the firewall of the office'],
])('what is only stated is not open, and not shown to be closed: %j', (targets, elsewhere) => {
  const own = new TerraformStack(testingApp(), 'test');
  new FixedIpEgress(own, 'egress', {
    ...{ name: 'api', baseUrl: 'https://static-api.example.com', apiHost: 'api.example.com' },
    ...targets,
  });
  const stated = { to: '36.110.186.29', port: 443, subject: 'api' };
  expect(() => expectAccess(own).toAllow(stated)).toThrow(
    'no rule allows tcp 443 from api to 36.110.186.29',
  );
  expect(() => expectAccess(own).toDenyAll(stated)).toThrow(
    `which depends on: Does ${elsewhere} enforce what the access rules state?`,
  );
  expectAccess(own).toDenyAll({ to: '8.8.8.8', subject: 'api' });
});
