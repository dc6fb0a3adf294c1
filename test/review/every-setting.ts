import type { Decision } from '../../src/review/report-schema.js';

/** Settings as a file holds them. */
export type Settings = Record<string, unknown>;

const EXCEPTION = { reason: 'a partner', owner: 'platform', expires: '2040-01-01' };
const list = () => ({
  version: '2030-01-01',
  shrinkException: EXCEPTION,
  entries: Array.from({ length: 24 }, (_, i) => ({
    address: `36.1.1.${i + 1}`,
    firstSeen: '2030-01-01',
    source: 'mail of the vendor',
  })),
});
const COMMON = {
  region: 'cn-beijing',
  apiHost: 'api.example.com',
  assumeRole: { trn: 'trn:iam::1:role/deploy', durationSeconds: 900 },
  keyPairs: [{ kid: 'first', keyFile: 'keys/first.pem' }],
};
const ZONES = { 'cn-beijing-a': '10.20.1.0/24', 'cn-beijing-b': '10.20.2.0/24' };
const SHOP = { 'cn-beijing-a': '10.40.1.0/24', 'cn-beijing-b': '10.40.2.0/24' };
const subnets = (net: string) => ({
  'cn-beijing-a': { subnetId: 'subnet-1', cidr: `${net}.1.0/24` },
});
const ENDPOINT = {
  name: 'agent-service',
  serviceName: 'com.volces.privatelink.cn-beijing.epsvc-example',
  scheme: 'https',
};
const PLUGIN = {
  name: 'orders',
  backend: 'orders',
  serviceAccountId: '2100000001',
  payer: 'Endpoint',
  acceptedEndpointIds: ['ep-1'],
};
const EGRESS = { name: 'fixed', baseUrl: 'https://static-api.example.com', addresses: list() };
const INGRESS = { name: 'callers', backend: 'tickets', addresses: list(), ports: [8443] };

/** Everything made by the stacks, what they make in things that exist, and what others do. */
export const BASES = {
  made: {
    ...COMMON,
    network: { name: 'agents', cidr: '10.20.0.0/16', subnets: ZONES },
    serviceEndpoint: {
      ...{ ...ENDPOINT, port: 8443, zones: ['cn-beijing-a'] },
      addresses: { 'cn-beijing-a': '10.20.1.200' },
      allowedNetworks: [{ cidr: '10.20.1.0/24', reason: 'agents' }],
    },
    fixedIpEgress: {
      ...{ ...EGRESS, ports: [443, 8443] },
      securityGroup: { vpcId: 'vpc-3' },
      prefixList: { vpcId: 'vpc-3' },
      cloudFirewall: { own: ['47.1.1.1/32'], close: false },
    },
    pluginEndpointService: {
      ...PLUGIN,
      loadBalancer: {
        network: { name: 'shop', cidr: '10.40.0.0/16', subnets: SHOP },
        protocol: 'HTTP',
        port: 80,
        servers: [
          { type: 'ip', ip: '10.40.1.5', port: 8080 },
          { type: 'ip', ip: '10.40.1.6', port: 8080 },
        ],
      },
    },
    fixedIpIngress: {
      ...INGRESS,
      securityGroup: { vpcId: 'vpc-4' },
      prefixList: { vpcId: 'vpc-4' },
      cloudFirewall: { own: ['47.1.1.2/32'], close: true },
    },
    userIdHeader: { backend: 'orders', trustedProxies: ['10.40.9.0/24'] },
    state: { backend: 'local', folder: 'states' },
  },
  existing: {
    ...COMMON,
    network: { vpcId: 'vpc-1', cidrs: ['10.20.0.0/16'], subnets: subnets('10.20') },
    serviceEndpoint: {
      ...ENDPOINT,
      allowedNetworks: ['10.20.1.0/24'],
      privateZone: { zoneId: 7, zoneName: 'example.com' },
    },
    pluginEndpointService: { ...PLUGIN, loadBalancer: { loadBalancerId: 'clb-1', port: 443 } },
    state: { backend: 'consul', config: { path: 'states' } },
  },
  others: {
    ...COMMON,
    network: { name: 'agents', cidr: '10.20.0.0/16', subnets: ZONES },
    serviceEndpoint: {
      ...{ ...ENDPOINT, zones: ['cn-beijing-a'], addresses: { 'cn-beijing-a': '10.20.1.200' } },
      privateZone: { managedBy: 'the people of DNS' },
    },
    fixedIpEgress: { ...EGRESS, enforcedElsewhere: 'our proxy', dnsServers: ['10.0.0.2/32'] },
    fixedIpIngress: { ...INGRESS, enforcedElsewhere: 'our gateway' },
    userIdHeader: {
      backend: 'tickets',
      guard: { description: 'the gateway', callerNetworks: ['10.8.0.0/24'] },
    },
  },
  partner: {
    ...COMMON,
    pluginEndpointService: {
      ...PLUGIN,
      permittedAccountIds: ['2100000003'],
      permittedAccountsException: EXCEPTION,
      loadBalancer: {
        network: { vpcId: 'vpc-5', cidrs: ['10.40.0.0/16'], subnets: subnets('10.40') },
        protocol: 'TCP',
        port: 443,
        servers: [{ type: 'ecs', instanceId: 'i-1', ip: '10.40.1.5', port: 8443 }],
      },
    },
  },
  zone: {
    ...COMMON,
    network: { name: 'agents', cidr: '10.20.0.0/16', subnets: ZONES },
    serviceEndpoint: {
      ...{ ...ENDPOINT, privateZone: true, allowedNetworks: ['10.20.0.0/16'] },
      privateZoneNetworks: [{ vpcId: 'vpc-9', cidrs: ['10.20.0.0/17'] }],
    },
  },
} as const satisfies Record<string, Settings>;

/** What a review must come to where a setting of a base gets another value; without more it needs approval. */
type Row = readonly [
  path: string,
  base: keyof typeof BASES,
  value: unknown,
  decision?: Decision | undefined,
];

const SAME = 'no-change';
const FEWER = 'narrower';
const BALANCER = 'pluginEndpointService.loadBalancer';

/** One of them closes already. */
const closing = (option: string) => (option === 'fixedIpEgress' ? FEWER : undefined);

export const SETTINGS: readonly Row[] = [
  // For editors; a region has no other value.
  ['$schema', 'made', 'settings.schema.json', SAME],
  ['region', 'made', 'cn-beijing', SAME],
  ['project', 'existing', 'agents'],
  ['assumeRole.trn', 'made', 'trn:iam::1:role/other'],
  ['assumeRole.durationSeconds', 'made', 1800],
  ['tags', 'made', { owner: 'platform' }, SAME],
  ['apiHost', 'made', 'api2.example.com'],
  ['keyPairs.0.kid', 'made', 'second'],
  ['keyPairs.0.keyFile', 'made', 'keys/second.pem'],
  // A label.
  ['network.name', 'made', 'others', SAME],
  ['network.cidr', 'made', '10.20.0.0/15'],
  ['network.subnets.cn-beijing-a', 'zone', '10.20.3.0/24', SAME],
  ['network.vpcId', 'existing', 'vpc-2'],
  // What the VPC is said to have counts where who may call follows from it.
  ['network.cidrs', 'existing', ['10.20.0.0/16', '10.21.0.0/16'], SAME],
  ['network.subnets.cn-beijing-a.subnetId', 'existing', 'subnet-2'],
  ['network.subnets.cn-beijing-a.cidr', 'existing', '10.20.2.0/24'],
  ['serviceEndpoint.name', 'made', 'others', SAME],
  ['serviceEndpoint.serviceName', 'made', 'com.volces.privatelink.cn-beijing.epsvc-other'],
  ['serviceEndpoint.serviceId', 'made', 'epsvc-example', SAME],
  ['serviceEndpoint.scheme', 'made', 'http'],
  ['serviceEndpoint.port', 'made', 9443],
  // Clients keep calling the domain, which leads to the addresses that there are.
  ['serviceEndpoint.zones', 'made', ['cn-beijing-a', 'cn-beijing-b'], SAME],
  ['serviceEndpoint.addresses.cn-beijing-a', 'made', '10.20.1.201', SAME],
  ['serviceEndpoint.zones', 'others', ['cn-beijing-a', 'cn-beijing-b']],
  ['serviceEndpoint.addresses.cn-beijing-a', 'others', '10.20.1.201'],
  ['serviceEndpoint.allowedNetworks', 'existing', ['10.20.1.0/25'], FEWER],
  ['serviceEndpoint.allowedNetworks.0.cidr', 'made', '10.20.1.0/25', FEWER],
  ['serviceEndpoint.allowedNetworks.0.reason', 'made', 'others', SAME],
  ['serviceEndpoint.tlsServerName', 'made', 'tls.example.com'],
  ['serviceEndpoint.securityGroupIds', 'made', ['sg-1']],
  ['serviceEndpoint.privateZone', 'existing', false],
  ['serviceEndpoint.privateZone.zoneId', 'existing', 8],
  ['serviceEndpoint.privateZone.zoneName', 'existing', 'api.example.com'],
  ['serviceEndpoint.privateZone.managedBy', 'others', 'other people'],
  ['serviceEndpoint.privateZoneNetworks.0.vpcId', 'zone', 'vpc-8'],
  // They are held against who may call.
  ['serviceEndpoint.privateZoneNetworks.0.cidrs', 'zone', ['10.20.0.0/18'], SAME],
  ['serviceEndpoint.preventDestroy', 'made', false],
  ...(['fixedIpEgress', 'fixedIpIngress'] as const).flatMap((option): Row[] => [
    [`${option}.name`, 'made', 'other-names', SAME],
    [`${option}.addresses.version`, 'made', '2030-02-01', SAME],
    [`${option}.addresses.entries.23.address`, 'made', '36.1.2.9'],
    [`${option}.addresses.entries.23.address`, 'others', '36.1.2.9'],
    [`${option}.addresses.entries.23.state`, 'made', 'removed', FEWER],
    [`${option}.addresses.entries.23.state`, 'others', 'removed', FEWER],
    [`${option}.addresses.entries.23.firstSeen`, 'made', '2030-02-01', SAME],
    [`${option}.addresses.entries.23.source`, 'made', 'another mail', SAME],
    [`${option}.addresses.shrinkException.reason`, 'made', 'another', SAME],
    [`${option}.addresses.shrinkException.owner`, 'made', 'others', SAME],
    [`${option}.addresses.shrinkException.expires`, 'made', '2041-01-01', SAME],
    [`${option}.securityGroup.vpcId`, 'made', 'vpc-5'],
    [`${option}.prefixList.vpcId`, 'made', 'vpc-5'],
    [`${option}.prefixList.headroom`, 'made', 9, SAME],
    [`${option}.cloudFirewall.own`, 'made', ['47.1.1.9/32']],
    [`${option}.cloudFirewall.close`, 'made', option === 'fixedIpEgress', closing(option)],
    [`${option}.cloudFirewall.firewallId`, 'made', 'fw-2'],
    // Where policies are put when they are made.
    [`${option}.cloudFirewall.priority`, 'made', 7, SAME],
    [`${option}.enforcedElsewhere`, 'others', 'another one'],
    [`${option}.ports`, 'made', option === 'fixedIpEgress' ? [443, 9443] : [9443]],
    [`${option}.ports`, 'others', option === 'fixedIpEgress' ? [443, 9443] : [9443]],
  ]),
  ['fixedIpEgress.baseUrl', 'made', 'https://other-api.example.com'],
  ['fixedIpEgress.dnsServers', 'others', ['10.0.0.3/32']],
  ['fixedIpIngress.backend', 'others', 'others'],
  ['pluginEndpointService.name', 'made', 'others', SAME],
  // A word of the settings' own.
  ['pluginEndpointService.backend', 'existing', 'others', SAME],
  ['pluginEndpointService.serviceAccountId', 'existing', '2100000009'],
  ['pluginEndpointService.permittedAccountIds', 'partner', ['2100000004']],
  ['pluginEndpointService.permittedAccountsException.reason', 'partner', 'another'],
  ['pluginEndpointService.permittedAccountsException.owner', 'partner', 'others'],
  ['pluginEndpointService.permittedAccountsException.expires', 'partner', '2041-01-01'],
  ['pluginEndpointService.payer', 'existing', 'EndpointService'],
  ['pluginEndpointService.acceptedEndpointIds', 'existing', ['ep-2']],
  // How fast calls are, and not whether they arrive.
  ['pluginEndpointService.bandwidthMbps', 'existing', 200, SAME],
  ['pluginEndpointService.preventDestroy', 'existing', false],
  [`${BALANCER}.loadBalancerId`, 'existing', 'clb-2'],
  [`${BALANCER}.port`, 'existing', 8443],
  [`${BALANCER}.port`, 'made', 8080],
  [`${BALANCER}.network.name`, 'made', 'others', SAME],
  [`${BALANCER}.network.cidr`, 'made', '10.40.0.0/15'],
  [`${BALANCER}.network.subnets.cn-beijing-a`, 'made', '10.40.1.0/25'],
  [`${BALANCER}.network.vpcId`, 'partner', 'vpc-6'],
  [`${BALANCER}.network.cidrs`, 'partner', ['10.40.0.0/15']],
  [`${BALANCER}.network.subnets.cn-beijing-a.subnetId`, 'partner', 'subnet-2'],
  [`${BALANCER}.network.subnets.cn-beijing-a.cidr`, 'partner', '10.40.1.0/25', SAME],
  [`${BALANCER}.zone`, 'made', 'cn-beijing-b'],
  [`${BALANCER}.protocol`, 'made', 'TCP'],
  [`${BALANCER}.healthCheckPath`, 'made', '/health'],
  [`${BALANCER}.spec`, 'made', 'small_2', SAME],
  [`${BALANCER}.servers.0.type`, 'partner', 'eni'],
  [`${BALANCER}.servers.0.instanceId`, 'partner', 'i-2'],
  [`${BALANCER}.servers.0.ip`, 'made', '10.40.1.7'],
  [`${BALANCER}.servers.0.port`, 'made', 8081],
  [`${BALANCER}.servers.0.weight`, 'made', 50, SAME],
  ['userIdHeader.backend', 'made', 'tickets'],
  ['userIdHeader.trustedProxies', 'made', undefined, FEWER],
  ['userIdHeader.guard', 'others', undefined, FEWER],
  // Words alone.
  ['userIdHeader.guard.description', 'others', 'a gateway', SAME],
  ['userIdHeader.guard.callerNetworks', 'others', ['10.8.1.0/24']],
  ['state.folder', 'made', 'other-states'],
  ['state.backend', 'existing', 'pg'],
  ['state.config.path', 'existing', 'other-states'],
  ['check.mode', 'made', 'report'],
  ['check.runOn', 'made', 'every-deploy', SAME],
  ['check.wait', 'made', 100, SAME],
  ['check.program', 'made', 'secure-connectivity'],
  ['check.runVia', 'made', ['ssh bastion']],
];
