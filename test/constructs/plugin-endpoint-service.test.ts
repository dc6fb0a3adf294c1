import { Token } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { PluginEndpointService } from '../../src/constructs/plugin-endpoint-service/plugin-endpoint-service.js';
import type { PluginEndpointServiceProps } from '../../src/constructs/plugin-endpoint-service/plugin-endpoint-service-props.js';
import type { NewLoadBalancer } from '../../src/constructs/plugin-endpoint-service/private-load-balancer.js';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { onlyResource, resources, synth } from '../support/synth.js';
import { warningsOf } from '../support/warnings.js';

const ACCOUNT = '2100000000';

const existing = { loadBalancerId: 'clb-1', port: 443 };

const balancer: NewLoadBalancer = {
  protocol: 'HTTP',
  port: 80,
  servers: [{ type: 'ip', ip: '10.0.1.10', port: 8080 }],
};

type Props = Omit<Partial<PluginEndpointServiceProps>, 'loadBalancer'> & {
  readonly loadBalancer?: NewLoadBalancer | typeof existing;
};

function build({ loadBalancer = existing, ...props }: Props = {}) {
  let plugin: PluginEndpointService | undefined;
  let warnings: string[] = [];
  const made = synth((stack) => {
    const isNew = 'servers' in loadBalancer;
    plugin = new PluginEndpointService(stack, 'plugin', {
      name: 'orders',
      backend: 'orders',
      serviceAccountId: ACCOUNT,
      payer: 'EndpointService',
      loadBalancer: isNew
        ? {
            ...loadBalancer,
            network: new PrivateNetwork(stack, 'network', {
              network: {
                name: 'n',
                cidr: '10.0.0.0/16',
                subnets: { 'cn-beijing-a': '10.0.1.0/24', 'cn-beijing-b': '10.0.2.0/24' },
              },
            }),
          }
        : loadBalancer,
      ...props,
    });
    warnings = warningsOf(stack);
  });
  return { made, plugin, warnings };
}

test('puts an endpoint service in front of a load balancer that exists, and touches nothing of it', () => {
  const { made, plugin } = build();
  expect(Object.keys(made.json.resource)).toEqual(['volcenginecc_privatelink_endpoint_service']);
  expect(onlyResource(made, 'volcenginecc_privatelink_endpoint_service')).toMatchObject({
    service_type: 'Interface',
    service_resource_type: 'CLB',
    resources: [{ resource_id: 'clb-1' }],
    auto_accept_enabled: false,
    permit_account_ids: [ACCOUNT],
    payer: 'EndpointService',
    lifecycle: { prevent_destroy: true },
  });
  expect(made.rules).toEqual([
    {
      via: 'plugin-endpoint-service',
      direction: 'ingress',
      subject: 'orders',
      peer: { kind: 'account', account: ACCOUNT },
      protocol: 'tcp',
      ports: { first: 443, last: 443 },
      reason: 'the account that may connect to the endpoint service',
      carriers: ['volcenginecc_privatelink_endpoint_service.plugin'],
    },
  ]);
  expect(plugin).toMatchObject({ backend: 'orders', callerNetworks: ['100.64.0.0/10'] });
});

describe('with a load balancer of its own', () => {
  test('makes it private, with listener, server group and health check', () => {
    const { made } = build({ loadBalancer: { ...balancer, healthCheckPath: '/health' } });
    const clb = onlyResource(made, 'volcenginecc_clb_clb');
    expect(clb).toMatchObject({ type: 'private', master_zone_id: 'cn-beijing-a' });
    expect(clb).not.toHaveProperty('eip');
    expect(onlyResource(made, 'volcenginecc_clb_server_group')).toMatchObject({
      type: 'ip',
      servers: [{ type: 'ip', ip: '10.0.1.10', instance_id: '10.0.1.10', port: 8080, weight: 100 }],
    });
    expect(onlyResource(made, 'volcenginecc_clb_listener')).toMatchObject({
      protocol: 'HTTP',
      port: 80,
      acl_status: 'on',
      acl_type: 'white',
      health_check: { enabled: 'on', uri: '/health' },
    });
  });

  test('lets 100.64.0.0/10 in and nothing wider, to listener and servers', () => {
    const { made, plugin } = build({ loadBalancer: balancer });
    expect(onlyResource(made, 'volcenginecc_clb_acl').acl_entries).toEqual([
      { entry: '100.64.0.0/10', description: 'calls over the private link' },
    ]);
    expect(onlyResource(made, 'volcenginecc_vpc_security_group')).toMatchObject({
      ingress_permissions: [{ cidr_ip: '100.64.0.0/10', port_start: 8080, policy: 'accept' }],
      egress_permissions: [{ policy: 'drop' }, { policy: 'drop' }],
    });
    expect(made.rules.map(({ subject, peer, ports }) => [subject, peer.kind, ports.first])).toEqual(
      [
        ['orders', 'account', 80],
        ['orders', 'cidr', 8080],
        ['orders-listener', 'cidr', 80],
      ],
    );
    expect(plugin?.backendSecurityGroupId).toBeDefined();
  });

  test('checks a TCP listener by a connection', () => {
    const { made } = build({
      loadBalancer: {
        protocol: 'TCP',
        port: 443,
        zone: 'cn-beijing-b',
        servers: [{ type: 'ecs', instanceId: 'i-1', ip: '10.0.2.10', port: 8443, weight: 50 }],
      },
    });
    const listener = onlyResource(made, 'volcenginecc_clb_listener');
    expect(listener.health_check).not.toHaveProperty('uri');
    expect(onlyResource(made, 'volcenginecc_clb_server_group')).toMatchObject({
      type: 'instance',
      servers: [{ type: 'ecs', instance_id: 'i-1', weight: 50 }],
    });
    expect(onlyResource(made, 'volcenginecc_clb_clb').master_zone_id).toBe('cn-beijing-b');
  });
});

describe('the first deploy', () => {
  test('accepts nothing and says what a person does next', () => {
    const { made, plugin } = build();
    expect(plugin?.connections).toEqual([]);
    const steps = made.json.output['plugin-next-steps']?.value ?? '';
    expect(steps).toContain('add a private connection and paste the endpoint service id ${');
    expect(steps).toContain(`that account ${ACCOUNT} owns`);
    expect(steps).toContain('acceptedEndpointIds');
    expect(made.json.output['plugin-id']).toBeDefined();
  });
});

test('sends calls to a server only once the group of the servers lets them in', () => {
  const { made } = build({ loadBalancer: balancer });
  const servers = onlyResource(made, 'volcenginecc_clb_server_group');
  const [group] = Object.keys(resources(made, 'volcenginecc_vpc_security_group'));
  expect(servers.depends_on).toEqual([`volcenginecc_vpc_security_group.${group}`]);
  const listener = onlyResource(made, 'volcenginecc_clb_listener');
  expect(String(listener.server_group_id)).toContain('volcenginecc_clb_server_group.');
});

describe('the second deploy', () => {
  const { made, plugin } = build({ acceptedEndpointIds: ['ep-1', 'ep-2'], bandwidthMbps: 200 });
  const data = JSON.parse(made.text).data.volcenginecc_privatelink_vpc_endpoint_connection;
  const connections = resources(made, 'volcenginecc_privatelink_vpc_endpoint_connection');

  test('accepts each named endpoint', () => {
    expect(Object.values(connections).map(({ endpoint_id, bps }) => [endpoint_id, bps])).toEqual([
      ['ep-1', 200],
      ['ep-2', 200],
    ]);
    expect(
      made.rules.flatMap(({ peer }) => (peer.kind === 'endpoint' ? peer.endpoint : [])),
    ).toEqual(['ep-1', 'ep-2']);
  });

  test('but only after owner and state were asserted', () => {
    const [pending] = Object.values<Record<string, never>>(data);
    expect(pending?.id).toMatch(/service_id}\|ep-1$/);
    expect(JSON.stringify(pending?.lifecycle)).toContain(
      `self.endpoint_owner_account_id == \\"${ACCOUNT}\\"`,
    );
    expect(JSON.stringify(pending?.lifecycle)).toContain('!contains([\\"Rejected\\", \\"Failed\\"');
    const [first] = Object.values(connections);
    expect(String(first?.depends_on)).toContain('data.volcenginecc_privatelink_vpc_endpoint_conn');
  });

  test('and proves that it is connected', () => {
    const [first] = Object.values(connections);
    expect(JSON.stringify(first?.lifecycle)).toContain('self.connection_status == \\"Connected\\"');
  });

  test('says what comes next, and that removing an id cuts', () => {
    const steps = made.json.output['plugin-next-steps']?.value ?? '';
    expect(steps).toContain('As of this deploy: ep-1 is ${');
    expect(steps).toContain('choose that connection in its private connection setting');
    expect(steps).toContain('Removing an id from acceptedEndpointIds cuts its connection');
  });

  test('reports the connections as of the deploy', () => {
    expect(
      plugin?.connections.map(({ endpointId, ownerAccountId }) => [endpointId, ownerAccountId]),
    ).toEqual([
      ['ep-1', ACCOUNT],
      ['ep-2', ACCOUNT],
    ]);
  });
});

const exception = { reason: 'second tenant', owner: 'platform', expires: '2099-12-31' };

test('lets other accounts connect only by a named exception, which every report can print', () => {
  const { made } = build({
    permittedAccountIds: [ACCOUNT, '2100000009'],
    permittedAccountsException: exception,
  });
  expect(
    made.rules.map(({ peer, exception: of }) => [peer.kind === 'account' && peer.account, of]),
  ).toEqual([
    [ACCOUNT, undefined],
    ['2100000009', exception],
  ]);
});

test('warns of an expired exception, and still lets other things be deployed', () => {
  const { warnings } = build({
    permittedAccountIds: ['*'],
    permittedAccountsException: { ...exception, expires: '2020-01-31' },
  });
  expect(warnings.join()).toContain('expired on 2020-01-31');
});

test('warns of a network that overlaps the one that private links call from', () => {
  let warnings: string[] = [];
  synth((stack) => {
    const network = PrivateNetwork.fromAttributes(stack, 'network', {
      vpcId: 'vpc-1',
      cidrs: ['100.64.0.0/16'],
      subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '100.64.1.0/24' } },
    });
    new PluginEndpointService(stack, 'plugin', {
      name: 'orders',
      backend: 'orders',
      serviceAccountId: ACCOUNT,
      payer: 'Endpoint',
      loadBalancer: {
        ...balancer,
        network,
        servers: [{ type: 'ip', ip: '100.64.1.10', port: 8080 }],
      },
    });
    warnings = warningsOf(stack);
  });
  expect(warnings).toEqual([
    'the network 100.64.0.0/16 overlaps 100.64.0.0/10, which private links call from',
  ]);
});

test('accepts one more connection after its construction', () => {
  let plugin: PluginEndpointService | undefined;
  const made = synth((stack) => {
    plugin = new PluginEndpointService(stack, 'plugin', {
      ...{
        name: 'orders',
        backend: 'orders',
        serviceAccountId: ACCOUNT,
        payer: 'Endpoint' as const,
      },
      loadBalancer: existing,
      acceptedEndpointIds: ['ep-1'],
    });
    plugin.acceptConnection('ep-2');
  });
  expect(
    Object.values(resources(made, 'volcenginecc_privatelink_vpc_endpoint_connection')).map(
      ({ endpoint_id }) => endpoint_id,
    ),
  ).toEqual(['ep-1', 'ep-2']);
  expect(
    made.rules.flatMap(({ peer }) => (peer.kind === 'endpoint' ? [peer.endpoint] : [])),
  ).toEqual(['ep-1', 'ep-2']);
  expect(plugin?.connections).toHaveLength(2);
  expect(made.json.output['plugin-next-steps']?.value).toContain('ep-2');
});

test('accepts no connection twice, and none that is not known yet', () => {
  const accept = (...ids: string[]) =>
    synth((stack) => {
      const plugin = new PluginEndpointService(stack, 'plugin', {
        ...{
          name: 'orders',
          backend: 'orders',
          serviceAccountId: ACCOUNT,
          payer: 'Endpoint' as const,
        },
        loadBalancer: existing,
      });
      for (const id of ids) plugin.acceptConnection(id);
    });
  expect(() => accept('ep-1', 'ep-1')).toThrow(
    '`acceptConnection` must name each endpoint once, got: ep-1 again',
  );
  expect(() => accept(Token.asString({ resolve: () => '${var.id}' }))).toThrow(
    '`acceptConnection` must be a literal: access rules are reviewed before the deploy; got: a token',
  );
});

test('can be destroyed where the settings say so', () => {
  const { made } = build({ preventDestroy: false, payer: 'Endpoint' });
  expect(onlyResource(made, 'volcenginecc_privatelink_endpoint_service')).toMatchObject({
    payer: 'Endpoint',
    lifecycle: { prevent_destroy: false },
  });
});

describe('refuses', () => {
  const servers = (...list: NewLoadBalancer['servers']) => ({
    loadBalancer: { ...balancer, servers: list },
  });
  const server = { type: 'ip', ip: '10.0.1.10', port: 8080 } as const;
  test.each<[string, Props, string]>([
    [
      'a wildcard account',
      { permittedAccountIds: ['*'] },
      "`permittedAccountIds` must be exactly the service's account, got: *; if this is intended, add a `permittedAccountsException` with reason, owner and expiry",
    ],
    [
      'several accounts',
      { permittedAccountIds: [ACCOUNT, '2100000009'] },
      `must be exactly the service's account, got: ${ACCOUNT}, 2100000009; if this is intended`,
    ],
    [
      'another account',
      { permittedAccountIds: ['2100000009'] },
      "must be exactly the service's account, got: 2100000009; if this is intended",
    ],
    [
      'an exception for nothing',
      { permittedAccountsException: exception },
      '`permittedAccountsException` has nothing to allow: only the service may connect; leave it out',
    ],
    [
      'an exception without a reason',
      {
        permittedAccountIds: ['*'],
        permittedAccountsException: { ...exception, reason: '' },
      },
      '`permittedAccountsException.reason` must say why, got: ""',
    ],
    [
      'what is no account id',
      { serviceAccountId: 'service' },
      '`serviceAccountId` must be the digits of an account id, got: "service"',
    ],
    [
      'what is no endpoint id',
      { acceptedEndpointIds: ['epsvc-1'] },
      '`acceptedEndpointIds` must be endpoint ids such as ep-1a2b, got: "epsvc-1"',
    ],
    [
      'an endpoint twice',
      { acceptedEndpointIds: ['ep-1', 'ep-1'] },
      '`acceptedEndpointIds` must name each endpoint once, got: ep-1, ep-1',
    ],
    [
      'too little bandwidth',
      { bandwidthMbps: 99 },
      '`bandwidthMbps` must be 100 to 20000, got: 99',
    ],
    [
      'a listener port out of range',
      { loadBalancer: { loadBalancerId: 'clb-1', port: 0 } },
      '`loadBalancer.port` must be 1 to 65535, got: 0',
    ],
    [
      'a zone without a subnet',
      { loadBalancer: { ...balancer, zone: 'cn-beijing-c' } },
      '`loadBalancer.zone` must be a zone of the network (cn-beijing-a, cn-beijing-b), got: "cn-beijing-c"',
    ],
    ['no server', servers(), '`loadBalancer.servers` must name at least one server'],
    [
      'addresses beside instances',
      servers(server, { type: 'ecs', instanceId: 'i-1', ip: '10.0.1.11', port: 8080 }),
      '`loadBalancer.servers` must all be addresses (ip) or all be instances and interfaces (ecs, eni)',
    ],
    [
      'an instance without an id',
      servers({ type: 'ecs', ip: '10.0.1.11', port: 8080 }),
      '`loadBalancer.servers[0].instanceId` is required for type ecs',
    ],
    [
      'a server elsewhere',
      servers({ ...server, ip: '10.9.1.10' }),
      '`loadBalancer.servers[0].ip` must lie in the network 10.0.0.0/16, got: "10.9.1.10"',
    ],
    [
      'a server without an address',
      servers({ ...server, ip: 'orders' }),
      '`loadBalancer.servers[0].ip` is not an IPv4 or IPv6 address, got: "orders"',
    ],
    [
      'a weight out of range',
      servers({ ...server, weight: 101 }),
      '`loadBalancer.servers[0].weight` must be 0 to 100, got: 101',
    ],
    [
      'a server port out of range',
      servers({ ...server, port: 65536 }),
      '`loadBalancer.servers[0].port` must be 1 to 65535, got: 65536',
    ],
    [
      'a path for a check without HTTP',
      { loadBalancer: { ...balancer, protocol: 'TCP', healthCheckPath: '/health' } },
      '`loadBalancer.healthCheckPath` has a meaning only with protocol HTTP; leave it out',
    ],
    [
      'a path that no request can carry',
      { loadBalancer: { ...balancer, healthCheckPath: '/he alth' } },
      '`loadBalancer.healthCheckPath` must start with / and have only printable ASCII without blanks, got: "/he alth"',
    ],
  ])('%s', (_, props, message) => {
    expect(() => build(props)).toThrow(message);
  });
});
