import fc from 'fast-check';

const upTo = <T>(most: number, one: fc.Arbitrary<T>, least = 1) =>
  fc.uniqueArray(one, { minLength: least, maxLength: most, selector: (x) => JSON.stringify(x) });

/** An absent setting, or one. */
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

const port = fc.integer({ min: 1, max: 65535 });
const ports = upTo(3, port);
const octet = fc.integer({ min: 0, max: 255 });
const privateCidr = octet.map((n) => `10.20.${n}.0/24`);

const publicAddress = fc
  .tuple(fc.constantFrom(36, 101, 111, 183), octet, octet, octet)
  .map((octets) => octets.join('.'));

const addresses = (least: number) =>
  fc.record({
    version: fc.constantFrom('2030-01-01', '2030-02-01'),
    entries: upTo(40, publicAddress, least).map((all) =>
      all.map((address, i) => ({
        address,
        state: ['announced', 'active', 'retiring'][i % 3],
        firstSeen: '2030-01-01',
        source: 'mail of the vendor',
      })),
    ),
  });

const zones = fc
  .subarray(['cn-beijing-b', 'cn-beijing-c'])
  .map((others) => ['cn-beijing-a', ...others]);

const network = fc.oneof(
  zones.map((all) => ({
    name: 'agents',
    cidr: '10.20.0.0/16',
    subnets: Object.fromEntries(all.map((zone, i) => [zone, `10.20.${i}.0/24`])),
  })),
  zones.map((all) => ({
    vpcId: 'vpc-1',
    cidrs: ['10.20.0.0/16', '10.30.0.0/16'],
    subnets: Object.fromEntries(
      all.map((zone, i) => [zone, { subnetId: `subnet-${i}`, cidr: `10.20.${i}.0/24` }]),
    ),
  })),
);

const serviceEndpoint = fc.record(
  {
    name: fc.constant('agent-service'),
    serviceName: fc.constant('com.volces.privatelink.cn-beijing.epsvc-example'),
    scheme: fc.constantFrom('https', 'http'),
    port,
    allowedNetworks: upTo(5, privateCidr),
    securityGroupIds: upTo(
      2,
      octet.map((n) => `sg-${n}`),
    ),
  },
  { requiredKeys: ['name', 'serviceName', 'scheme'] },
);

/** At least one target that opens what the rules state. */
const targets = fc
  .record({
    securityGroup: maybe(fc.constant({ vpcId: 'vpc-1' })),
    prefixList: maybe(fc.record({ vpcId: fc.constant('vpc-1'), headroom: fc.nat({ max: 9 }) })),
    cloudFirewall: maybe(
      fc.record({
        own: upTo(
          3,
          octet.map((n) => `47.1.2.${n}/32`),
        ),
        close: fc.boolean(),
      }),
    ),
  })
  .map((all) => ({
    ...all,
    ...(Object.values(all).every((one) => one === undefined) && {
      securityGroup: { vpcId: 'vpc-1' },
    }),
  }));

const fixedIpEgress = fc
  .tuple(
    targets,
    maybe(addresses(20)),
    fc.boolean(),
    fc.uniqueArray(fc.constantFrom(8443, 9443), { maxLength: 2 }),
  )
  .map(([target, list, hasDns, more]) => ({
    name: 'fixed',
    baseUrl: 'https://static-api.example.com',
    ...(list && { addresses: list }),
    ports: [443, ...more],
    ...(hasDns &&
      (target.securityGroup || target.prefixList) && {
        dnsServers: ['100.96.0.3/32', '100.96.0.2/32'],
      }),
    ...target,
  }));

const fixedIpIngress = fc
  .record({ addresses: addresses(1), ports, target: targets })
  .map(({ target, ...plugin }) => ({ name: 'callers', backend: 'tickets', ...plugin, ...target }));

const loadBalancer = fc.oneof(
  port.map((one) => ({ loadBalancerId: 'clb-1', port: one })),
  fc.record({
    network,
    protocol: fc.constantFrom('TCP', 'HTTP'),
    port,
    servers: upTo(
      3,
      fc.record({
        type: fc.constant('ip'),
        ip: octet.map((n) => `10.20.0.${n}`),
        port: fc.constantFrom(8080, 8081),
      }),
    ),
  }),
);

const pluginEndpointService = fc
  .record({
    loadBalancer,
    payer: fc.constantFrom('Endpoint', 'EndpointService'),
    acceptedEndpointIds: maybe(
      upTo(
        3,
        octet.map((n) => `ep-${n}`),
      ),
    ),
    isShared: fc.boolean(),
  })
  .map(({ isShared, ...plugin }) => ({
    name: 'tickets',
    backend: 'tickets',
    serviceAccountId: '2100000001',
    ...plugin,
    ...(isShared && {
      permittedAccountIds: ['2100000001', '2100000002'],
      permittedAccountsException: { reason: 'sister', owner: 'platform', expires: '2099-12-31' },
    }),
  }));

/** Settings of one environment, every option in or out. */
export const anySettings = fc
  .record({
    network,
    serviceEndpoint: maybe(serviceEndpoint),
    fixedIpEgress: maybe(fixedIpEgress),
    pluginEndpointService: maybe(pluginEndpointService),
    fixedIpIngress: maybe(fixedIpIngress),
    tags: fc.constant({ owner: 'platform', ticket: 'NET-1' }),
  })
  .map((settings) => ({
    region: 'cn-beijing',
    apiHost: 'api.example.com',
    ...settings,
  }));

/** The same settings with the members of objects and of lists in another order. */
export function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, shuffled(member)] as const)
      .reverse(),
  );
}
