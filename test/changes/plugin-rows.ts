import { rowsOf, type Settings, type SettingsChange } from './row.js';
import { addressList } from './settings.js';

const plugin = (settings: Settings) => settings.pluginEndpointService as Settings;
const balancer = (settings: Settings) => plugin(settings).loadBalancer as Settings;
const setPlugin =
  (change: Settings): SettingsChange =>
  (settings) =>
    Object.assign(plugin(settings), change);
const setBalancer =
  (change: Settings): SettingsChange =>
  (settings) =>
    Object.assign(balancer(settings), change);
const all =
  (...changes: readonly SettingsChange[]): SettingsChange =>
  (settings, facts) => {
    for (const change of changes) change(settings, facts);
  };

const existingBalancer: SettingsChange = (settings, { existing }) =>
  Object.assign(plugin(settings), {
    loadBalancer: { loadBalancerId: existing.loadBalancerId, port: 80 },
  });

const protectedService = {
  refusedAt: 'plan',
  message: /Instance cannot be destroyed.*plugin-endpoint-service/,
} as const;

/** A connection cannot go over to another balancer. */
const keptBalancer = {
  refusedAt: 'plan',
  message: /replaces the load balancer that serves the connection of ep-\w+\. First take/,
} as const;

const ip = (last: number, more: Settings = {}) => ({
  type: 'ip',
  ip: `10.40.1.${last}`,
  port: 8080,
  ...more,
});
const machine = (type: string) => ({ type, instanceId: 'i-1a2b', ip: '10.40.1.10', port: 8080 });
const servers = (...all: readonly Settings[]) => setBalancer({ servers: all });

const cut = (from: string, until: string) => [{ way: 'plugin-endpoint-service', from, until }];

export const BALANCER = rowsOf('plugin-access', [
  {
    name: 'the balancer in another zone, before a connection',
    head: setBalancer({ zone: 'cn-beijing-b' }),
  },
  {
    name: 'the balancer in another zone',
    isConnected: true,
    head: setBalancer({ zone: 'cn-beijing-b' }),
    outcome: keptBalancer,
  },
  {
    name: 'an existing balancer in place of the new one, before a connection',
    head: existingBalancer,
  },
  {
    name: 'an existing balancer in place of the new one',
    isConnected: true,
    head: existingBalancer,
    outcome: keptBalancer,
  },
  {
    name: 'a new balancer in place of an existing one',
    base: existingBalancer,
    head: (settings) => Object.assign(plugin(settings), structuredClone(NEW)),
  },
  { name: 'a server added', isConnected: true, head: servers(ip(10), ip(11)) },
  {
    name: 'a server removed',
    isConnected: true,
    base: servers(ip(10), ip(11)),
    head: servers(ip(11)),
  },
  {
    name: 'servers in another order',
    base: servers(ip(10), ip(11)),
    head: servers(ip(11), ip(10)),
    isNoOp: true,
  },
  {
    name: 'the weight of a server',
    isConnected: true,
    base: servers(ip(10), ip(11)),
    head: servers(ip(10, { weight: 20 }), ip(11)),
  },
  {
    name: 'the port of a server',
    isConnected: true,
    head: servers(ip(10, { port: 8081 })),
    // Two updates, and in between the servers' group lets in calls to the other port.
    cut: cut('update CLB::ServerGroup', 'update VPC::SecurityGroup'),
    isCutEitherWay: true,
  },
  { name: 'instances in place of addresses', isConnected: true, head: servers(machine('ecs')) },
  {
    name: 'an interface in place of an instance',
    isConnected: true,
    base: servers(machine('ecs')),
    head: servers(machine('eni')),
  },
  {
    name: "the listener's port",
    isConnected: true,
    head: setBalancer({ port: 81 }),
    cut: cut('delete CLB::Listener', 'create CLB::Listener'),
  },
  {
    name: "the listener's protocol",
    isConnected: true,
    head: (settings) => {
      delete balancer(settings).healthCheckPath;
      Object.assign(balancer(settings), { protocol: 'TCP' });
    },
    cut: cut('delete CLB::Listener', 'create CLB::Listener'),
  },
  {
    name: 'the path of the health check',
    isConnected: true,
    head: setBalancer({ healthCheckPath: '/ready' }),
  },
  {
    name: 'the path of the health check removed',
    isConnected: true,
    head: (settings) => {
      delete balancer(settings).healthCheckPath;
    },
  },
  { name: 'the size of the balancer', isConnected: true, head: setBalancer({ spec: 'small_2' }) },
  {
    name: "the plugin's network renamed",
    isConnected: true,
    head: (settings) => Object.assign(balancer(settings).network as Settings, { name: 'backends' }),
  },
  {
    name: 'a zone without the balancer removed',
    isConnected: true,
    head: (settings) => {
      delete ((balancer(settings).network as Settings).subnets as Settings)['cn-beijing-b'];
    },
  },
  {
    name: 'the subnet of the balancer moved',
    head: (settings) =>
      Object.assign((balancer(settings).network as Settings).subnets as Settings, {
        'cn-beijing-a': '10.40.11.0/24',
      }),
  },
]);

const NEW = {
  loadBalancer: {
    network: { name: 'plugins', cidr: '10.40.0.0/16', subnets: { 'cn-beijing-a': '10.40.1.0/24' } },
    protocol: 'TCP',
    port: 80,
    servers: [ip(10)],
  },
};

const EXCEPTION = { reason: 'sister company', owner: 'platform', expires: '2099-12-31' };

export const CONNECTION = rowsOf('plugin-access', [
  { name: 'the plugin renamed', isConnected: true, head: setPlugin({ name: 'order-search' }) },
  { name: 'the backend renamed', isConnected: true, head: setPlugin({ backend: 'order-api' }) },
  {
    name: 'another payer of a protected service',
    head: setPlugin({ payer: 'Endpoint' }),
    outcome: protectedService,
  },
  {
    name: 'another payer',
    base: setPlugin({ preventDestroy: false }),
    head: setPlugin({ payer: 'Endpoint' }),
  },
  {
    name: 'another payer while connected',
    isConnected: true,
    base: setPlugin({ preventDestroy: false }),
    head: setPlugin({ payer: 'Endpoint' }),
    outcome: {
      refusedAt: 'plan',
      message: /replaces the endpoint service that ep-\w+ is connected to\. First take/,
    },
  },
  {
    name: 'a project given to a protected service',
    head: (settings) => (settings.project = 'agents'),
    outcome: protectedService,
  },
  {
    name: 'a project given',
    base: setPlugin({ preventDestroy: false }),
    head: (settings) => (settings.project = 'agents'),
  },
  { name: 'all tags removed', head: (settings) => (settings.tags = {}) },
  { name: 'another account of the service', head: setPlugin({ serviceAccountId: '2100000009' }) },
  {
    name: 'another account of the service while connected',
    isConnected: true,
    head: setPlugin({ serviceAccountId: '2100000009' }),
    outcome: {
      refusedAt: 'plan',
      message: /was accepted for account 2100000001, not for 2100000009\. First take/,
    },
  },
  {
    name: 'one more account permitted',
    head: setPlugin({
      permittedAccountIds: ['2100000001', '2100000002'],
      permittedAccountsException: EXCEPTION,
    }),
  },
  {
    name: 'an account no longer permitted',
    base: setPlugin({
      permittedAccountIds: ['2100000001', '2100000002'],
      permittedAccountsException: EXCEPTION,
    }),
    head: (settings) => {
      delete plugin(settings).permittedAccountIds;
      delete plugin(settings).permittedAccountsException;
    },
  },
  {
    name: 'permitted accounts in another order',
    base: setPlugin({
      permittedAccountIds: ['2100000001', '2100000002'],
      permittedAccountsException: EXCEPTION,
    }),
    head: setPlugin({ permittedAccountIds: ['2100000002', '2100000001'] }),
    isNoOp: true,
  },
  {
    name: 'a connection no longer accepted',
    isConnected: true,
    head: setPlugin({ acceptedEndpointIds: [] }),
    cut: cut('delete PrivateLink::VpcEndpointConnection', 'never'),
  },
  { name: 'a bandwidth given', isConnected: true, head: setPlugin({ bandwidthMbps: 500 }) },
  { name: 'the protection lifted', head: setPlugin({ preventDestroy: false }), isNoOp: true },
  {
    name: 'a user ID header added',
    head: (settings) => (settings.userIdHeader = { backend: 'orders' }),
    isNoOp: false,
  },
  {
    name: 'the plugin removed',
    head: (settings) => {
      delete settings.pluginEndpointService;
      settings.fixedIpIngress = CALLERS;
    },
  },
]);

const CALLERS = {
  name: 'callers',
  backend: 'tickets',
  addresses: addressList('198.51.100.11', '198.51.100.12'),
  ports: [8443],
  cloudFirewall: { own: ['47.1.2.3/32'], close: true },
};
const callers =
  (change: Settings = {}): SettingsChange =>
  (settings, { existing }) => {
    settings.fixedIpIngress = {
      ...structuredClone(CALLERS),
      securityGroup: { vpcId: existing.vpcId },
      ...change,
    };
  };

export const FIXED_IP_PLUGIN = rowsOf('plugin-access', [
  { name: 'fixed-IP calls added', head: callers() },
  {
    name: 'fixed-IP calls removed',
    base: callers(),
    head: (settings) => {
      delete settings.fixedIpIngress;
    },
  },
  {
    name: 'an address added',
    base: callers(),
    head: callers({ addresses: addressList('198.51.100.11', '198.51.100.12', '198.51.100.13') }),
  },
  {
    name: 'an address removed',
    base: callers(),
    head: callers({ addresses: addressList('198.51.100.12') }),
  },
  {
    name: 'addresses in another order',
    base: callers(),
    head: callers({ addresses: addressList('198.51.100.12', '198.51.100.11') }),
    isNoOp: true,
  },
  {
    name: 'another version of the list',
    base: callers(),
    head: callers({
      addresses: { ...addressList('198.51.100.11', '198.51.100.12'), version: '2031-01-01' },
    }),
  },
  { name: "the backend's port", base: callers(), head: callers({ ports: [9443] }) },
  { name: 'one more port of the backend', base: callers(), head: callers({ ports: [8443, 9443] }) },
  {
    name: 'a prefix list in place of a group',
    base: callers(),
    head: all(callers(), (settings, { existing }) => {
      const given = settings.fixedIpIngress as Settings;
      delete given.securityGroup;
      given.prefixList = { vpcId: existing.vpcId };
    }),
  },
  {
    name: 'the plugin of the fixed-IP calls renamed',
    base: callers(),
    head: callers({ name: 'calls' }),
  },
]);
