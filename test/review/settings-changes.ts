const list = (version: string, ...last: readonly number[]) => ({
  version,
  entries: [...Array.from({ length: 21 }, (_, i) => i + 1), ...last].map((i) => ({
    address: `36.1.${i}.7`,
    firstSeen: '2030-01-01',
    source: 'mail of the vendor',
  })),
});

/** Every option in use. */
export const BASE = {
  region: 'cn-beijing',
  apiHost: 'api.example.com',
  tags: { owner: 'platform', ticket: 'NET-1' },
  keyPairs: [{ kid: 'first', keyFile: 'keys/first.pem' }],
  network: { name: 'agents', cidr: '10.20.0.0/16', subnets: { 'cn-beijing-a': '10.20.1.0/24' } },
  serviceEndpoint: {
    name: 'agent-service',
    serviceName: 'com.volces.privatelink.cn-beijing.epsvc-example',
    scheme: 'https',
    allowedNetworks: ['10.20.0.0/23'],
    privateZone: true,
  },
  fixedIpEgress: {
    name: 'fixed',
    baseUrl: 'https://static-api.example.com',
    addresses: list('2030-01-01'),
    prefixList: { vpcId: 'vpc-1' },
  },
  pluginEndpointService: {
    name: 'orders',
    backend: 'orders',
    serviceAccountId: '2100000001',
    payer: 'Endpoint',
    acceptedEndpointIds: ['ep-1', 'ep-2'],
    loadBalancer: {
      network: { name: 'shop', cidr: '10.40.0.0/16', subnets: { 'cn-beijing-a': '10.40.1.0/24' } },
      protocol: 'TCP',
      port: 443,
      servers: [
        { type: 'ip', ip: '10.40.1.5', port: 8080 },
        { type: 'ip', ip: '10.40.1.6', port: 8080 },
      ],
    },
  },
  fixedIpIngress: {
    name: 'callers',
    backend: 'tickets',
    addresses: list('2030-01-01'),
    ports: [8443],
    cloudFirewall: { own: ['47.1.2.3/32', '47.1.2.9/32'], close: true },
  },
  check: { mode: 'required', runOn: 'every-deploy', wait: 300 },
};

type Settings = Record<string, unknown>;

const endpoint = (change: Settings) => ({
  ...BASE,
  serviceEndpoint: { ...BASE.serviceEndpoint, ...change },
});
const access = (change: Settings) => ({
  ...BASE,
  fixedIpEgress: { ...BASE.fixedIpEgress, ...change },
});
const plugin = (change: Settings) => ({
  ...BASE,
  pluginEndpointService: { ...BASE.pluginEndpointService, ...change },
});
const balancer = (change: Settings) =>
  plugin({ loadBalancer: { ...BASE.pluginEndpointService.loadBalancer, ...change } });
const callers = (change: Settings) => ({
  ...BASE,
  fixedIpIngress: { ...BASE.fixedIpIngress, ...change },
});
const without = (name: keyof typeof BASE): Settings =>
  Object.fromEntries(Object.entries(BASE).filter(([key]) => key !== name));
const [first] = BASE.pluginEndpointService.loadBalancer.servers;

/** The settings after a change, and what a review must come to: the exit status. */
export const CHANGES: Readonly<Record<string, readonly [settings: Settings, exit: 0 | 3 | 4]>> = {
  nothing: [BASE, 0],
  tags: [{ ...BASE, tags: { owner: 'others', ticket: 'NET-2' } }, 0],
  'another wait': [{ ...BASE, check: { ...BASE.check, wait: 600 } }, 0],
  'a network split in two': [endpoint({ allowedNetworks: ['10.20.1.0/24', '10.20.0.0/24'] }), 0],
  'a narrower network': [endpoint({ allowedNetworks: ['10.20.0.0/24'] }), 0],
  'a wider network': [endpoint({ allowedNetworks: ['10.20.0.0/22'] }), 3],
  'another port': [endpoint({ port: 8443, privateZone: false }), 3],
  'plain http': [endpoint({ scheme: 'http', privateZone: false }), 3],
  'another service': [
    endpoint({ serviceName: 'com.volces.privatelink.cn-beijing.epsvc-other' }),
    3,
  ],
  'no private zone': [endpoint({ privateZone: false }), 3],
  'the private zone in one more network': [
    endpoint({ privateZoneNetworks: [{ vpcId: 'vpc-9', cidrs: ['10.20.0.0/17'] }] }),
    3,
  ],
  'a foreign group': [endpoint({ securityGroupIds: ['sg-1'] }), 3],
  'another address': [access({ addresses: list('2030-06-01', 40) }), 3],
  'another version of the same list': [access({ addresses: list('2030-06-01') }), 0],
  'more room in a list': [access({ prefixList: { vpcId: 'vpc-1', headroom: 9 } }), 0],
  'a group beside the list': [access({ securityGroup: { vpcId: 'vpc-1' } }), 3],
  'another fixed base URL': [access({ baseUrl: 'https://other-api.example.com' }), 3],
  'one connection less': [plugin({ acceptedEndpointIds: ['ep-1'] }), 0],
  'one connection more': [plugin({ acceptedEndpointIds: ['ep-1', 'ep-2', 'ep-3'] }), 3],
  'another account': [plugin({ serviceAccountId: '2100000002' }), 3],
  'one server more': [
    balancer({
      servers: [...BASE.pluginEndpointService.loadBalancer.servers, { ...first, ip: '10.40.1.7' }],
    }),
    3,
  ],
  'one server less': [balancer({ servers: [first] }), 0],
  'another listener port': [balancer({ port: 8443 }), 3],
  'another listener port and account': [
    plugin({
      serviceAccountId: '2100000002',
      loadBalancer: { ...BASE.pluginEndpointService.loadBalancer, port: 8443 },
    }),
    3,
  ],
  'one caller less': [
    callers({ addresses: { ...list('2030-01-01'), entries: list('').entries.slice(1) } }),
    0,
  ],
  // Nothing denies calls to it any more.
  'an own address less': [callers({ cloudFirewall: { own: ['47.1.2.3/32'], close: true } }), 3],
  'a firewall that is not closed': [
    callers({ cloudFirewall: { ...BASE.fixedIpIngress.cloudFirewall, close: false } }),
    3,
  ],
  'another key pair': [{ ...BASE, keyPairs: [{ kid: 'second', keyFile: 'keys/second.pem' }] }, 3],
  'a check that only reports': [{ ...BASE, check: { ...BASE.check, mode: 'report' } }, 3],
  'no check': [{ ...BASE, check: { ...BASE.check, mode: 'off' } }, 3],
  'a check after changes only': [{ ...BASE, check: { ...BASE.check, runOn: 'change' } }, 3],
  'another role': [{ ...BASE, assumeRole: { trn: 'trn:iam::1:role/other' } }, 3],
  'state elsewhere': [{ ...BASE, state: { backend: 'local', folder: 'other-state' } }, 3],
  'an option less': [without('fixedIpEgress'), 3],
};
