const list = (...all: string[]) => ({
  version: '2030-01-01',
  entries: all.map((address) => ({ address, firstSeen: '2030-01-01', source: 'mail' })),
});

/** Settings of every option, each with every target that can carry its rules, and nothing given. */
export const CARRIED_OPTIONS = {
  region: 'cn-beijing',
  apiHost: 'api.example.com',
  network: { name: 'agents', cidr: '10.20.0.0/16', subnets: { 'cn-beijing-a': '10.20.1.0/24' } },
  serviceEndpoint: { name: 'agent-service', serviceName: 'com.example.epsvc-1', scheme: 'https' },
  fixedIpEgress: {
    name: 'fixed',
    baseUrl: 'https://static-api.example.com',
    dnsServers: ['10.20.0.2/32'],
    securityGroup: { vpcId: 'vpc-1' },
    prefixList: { vpcId: 'vpc-1' },
    cloudFirewall: { own: ['47.1.2.4/32'], close: true },
  },
  fixedIpIngress: {
    name: 'callers',
    backend: 'tickets',
    addresses: list('36.1.2.3', '36.1.2.9'),
    ports: [8443, 9443],
    securityGroup: { vpcId: 'vpc-2' },
    cloudFirewall: { own: ['47.1.2.3/32'], close: true },
  },
  pluginEndpointService: {
    name: 'order-lookup',
    backend: 'orders',
    serviceAccountId: '2100000001',
    payer: 'Endpoint',
    acceptedEndpointIds: ['ep-1'],
    loadBalancer: {
      network: { name: 'shop', cidr: '10.40.0.0/16', subnets: { 'cn-beijing-a': '10.40.1.0/24' } },
      protocol: 'TCP',
      port: 443,
      servers: [{ type: 'ip', ip: '10.40.1.5', port: 8080 }],
    },
  },
};
