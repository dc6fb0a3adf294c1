import { type TerraformStack, Token } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { CloudProvider } from '../../src/cloud/cloud-provider.js';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { ServiceEndpoint } from '../../src/constructs/service-endpoint/service-endpoint.js';
import type { ServiceEndpointProps } from '../../src/constructs/service-endpoint/service-endpoint-props.js';
import { onlyResource, resources, synth } from '../support/synth.js';

const subnets = { 'cn-beijing-a': '10.0.1.0/24', 'cn-beijing-b': '10.0.2.0/24' };

const REQUIRED = {
  name: 'service',
  serviceName: 'com.example.epsvc-1a2b',
  apiHost: 'api.example',
  scheme: 'https',
} as const;

function build(
  props: Partial<ServiceEndpointProps> = {},
  zones: Record<string, string> = subnets,
  change: (endpoint: ServiceEndpoint, stack: TerraformStack) => void = () => {},
) {
  let endpoint: ServiceEndpoint | undefined;
  const made = synth((stack) => {
    const network = new PrivateNetwork(stack, 'network', {
      network: { name: 'n', cidr: '10.0.0.0/16', subnets: zones },
    });
    endpoint = new ServiceEndpoint(stack, 'endpoint', {
      network,
      ...REQUIRED,
      zones: Object.keys(zones),
      ...props,
    });
    change(endpoint, stack);
  });
  return { made, endpoint };
}

test('is in zone A alone unless others are named', () => {
  const made = synth((stack) => {
    const network = new PrivateNetwork(stack, 'network', {
      network: { name: 'n', cidr: '10.0.0.0/16', subnets },
    });
    new ServiceEndpoint(stack, 'endpoint', { network, ...REQUIRED });
  });
  expect(onlyResource(made, 'volcenginecc_privatelink_vpc_endpoint')).toMatchObject({
    zones: [{ zone_id: 'cn-beijing-a' }],
  });
});

test('is in the zones that are named, behind a group of its own', () => {
  const { made } = build();
  const endpoint = onlyResource(made, 'volcenginecc_privatelink_vpc_endpoint');
  expect(endpoint).toMatchObject({
    endpoint_name: expect.stringMatching(/^service-[0-9a-f]{6}$/),
    service_name: 'com.example.epsvc-1a2b',
    service_id: 'epsvc-1a2b',
    zones: [{ zone_id: 'cn-beijing-a' }, { zone_id: 'cn-beijing-b' }],
    lifecycle: { prevent_destroy: true },
  });
  expect(endpoint.security_group_ids).toHaveLength(1);
});

test('names the service by the id that is given where its name has none', () => {
  const { made } = build({ serviceName: 'com.example.service', serviceId: 'epsvc-1a2b' });
  expect(onlyResource(made, 'volcenginecc_privatelink_vpc_endpoint')).toMatchObject({
    service_name: 'com.example.service',
    service_id: 'epsvc-1a2b',
  });
});

const dropsOfEveryone = ['0.0.0.0/0', '::/0'].map((cidr_ip) => ({
  policy: 'drop',
  cidr_ip,
  protocol: 'all',
  port_start: -1,
  port_end: -1,
  priority: 100,
}));

test('lets only the network in, on one port, and nothing out', () => {
  const { made } = build();
  expect(onlyResource(made, 'volcenginecc_vpc_security_group')).toMatchObject({
    ingress_permissions: [
      {
        policy: 'accept',
        cidr_ip: '10.0.0.0/16',
        protocol: 'tcp',
        port_start: 443,
        port_end: 443,
        priority: 10,
      },
      ...dropsOfEveryone,
    ],
    egress_permissions: dropsOfEveryone,
  });
});

test('drops nothing inward where given groups stand beside its own, for theirs adds up', () => {
  const { made } = build({ securityGroupIds: ['sg-1'] });
  expect(onlyResource(made, 'volcenginecc_vpc_security_group')).toMatchObject({
    ingress_permissions: [{ policy: 'accept' }],
    egress_permissions: dropsOfEveryone,
  });
});

test('states the same as access rules', () => {
  const { made, endpoint } = build({ allowedNetworks: ['10.0.8.0/24', '10.0.9.0/24'] });
  expect(endpoint?.accessRules).toHaveLength(2);
  const carriers = [expect.stringMatching(/^volcenginecc_vpc_security_group\.endpoint_/)];
  expect(made.rules).toEqual(endpoint?.accessRules.map((rule) => ({ ...rule, carriers })));
  expect(
    (
      onlyResource(made, 'volcenginecc_vpc_security_group').ingress_permissions as {
        cidr_ip: string;
      }[]
    ).map(({ cidr_ip }) => cidr_ip),
  ).toEqual(['10.0.8.0/24', '10.0.9.0/24', '0.0.0.0/0', '::/0']);
  expect(made.json.output['rules-digest']?.value).toBe(made.digest);
});

test('follows the scheme with rule, base URL and port', () => {
  const { made, endpoint } = build({ scheme: 'http' });
  expect(onlyResource(made, 'volcenginecc_vpc_security_group')).toMatchObject({
    ingress_permissions: [{ port_start: 80, port_end: 80 }, ...dropsOfEveryone],
  });
  expect(endpoint?.baseUrl).toMatch(/^http:\/\/[^:]+$/);
  expect(build({ port: 8443 }).endpoint?.baseUrl).toMatch(/:8443$/);
});

test('can stand in some of the zones', () => {
  const { made } = build({ zones: ['cn-beijing-a'] });
  expect(onlyResource(made, 'volcenginecc_privatelink_vpc_endpoint').zones).toHaveLength(1);
});

test('can be destroyed where the settings say so', () => {
  const { made } = build({ preventDestroy: false });
  expect(onlyResource(made, 'volcenginecc_privatelink_vpc_endpoint')).toMatchObject({
    lifecycle: { prevent_destroy: false },
  });
});

test('attaches given groups beside its own, and edits none of them', () => {
  const { made } = build({ securityGroupIds: ['sg-1', 'sg-2'] });
  const endpoint = onlyResource(made, 'volcenginecc_privatelink_vpc_endpoint');
  expect(endpoint.security_group_ids).toHaveLength(3);
  expect(endpoint.security_group_ids).toEqual(expect.arrayContaining(['sg-1', 'sg-2']));
  onlyResource(made, 'volcenginecc_vpc_security_group');
});

describe('with a private zone', () => {
  const { made, endpoint } = build({ privateZone: true });

  test('lets exactly the API host resolve to the endpoint, one record a zone', () => {
    expect(onlyResource(made, 'volcenginecc_privatezone_private_zone')).toMatchObject({
      zone_name: 'api.example',
      vpcs: [{ region: 'cn-beijing' }],
      recursion_mode: true,
      depends_on: [expect.stringContaining('volcenginecc_privatelink_vpc_endpoint.')],
    });
    const records = Object.values(resources(made, 'volcenginecc_privatezone_record'));
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({ host: '@', type: 'A' });
    expect(records[0]?.value).toMatch(/one\(\[for zone in .*zone_id == "cn-beijing-a"\]\)/);
    expect(records[0]?.zid).toMatch(/^\$\{tonumber\(/);
  });

  test('gives a second link, over the API host', () => {
    expect(endpoint?.links[1]).toMatchObject({
      name: 'endpoint-api-host',
      via: 'service-endpoint',
      baseUrl: 'https://api.example',
      apiHost: 'api.example',
      privateZone: true,
    });
  });

  test('which there is none of otherwise', () => {
    expect(build().endpoint?.links).toHaveLength(1);
  });
});

describe('with a zone that exists', () => {
  const zoneOf = (zoneName: string) =>
    build({ apiHost: 'api.our.example', privateZone: { zoneId: 1001, zoneName } });

  test.each([
    ['api.our.example', '@'],
    ['our.example', 'api'],
  ])('gets one record a zone in %s, at %s, and no zone', (zoneName, host) => {
    const { made, endpoint } = zoneOf(zoneName);
    expect(resources(made, 'volcenginecc_privatezone_private_zone')).toEqual({});
    const records = Object.entries(resources(made, 'volcenginecc_privatezone_record'));
    expect(records.map(([name]) => name)).toEqual([
      expect.stringMatching(/^endpoint_zone-1001_cn-beijing-a_/),
      expect.stringMatching(/^endpoint_zone-1001_cn-beijing-b_/),
    ]);
    for (const [, record] of records) {
      expect(record).toMatchObject({ zid: 1001, host, type: 'A', ttl: 60 });
    }
    expect(endpoint?.links[1]).toMatchObject({ name: 'endpoint-api-host', privateZone: true });
    expect(endpoint?.links[1]).not.toHaveProperty('recordsElsewhere');
  });
});

describe('with records that others keep', () => {
  const { made, endpoint } = build({ privateZone: { managedBy: 'network team' } });

  test('makes neither zone nor record, and puts out the records', () => {
    expect(resources(made, 'volcenginecc_privatezone_private_zone')).toEqual({});
    expect(resources(made, 'volcenginecc_privatezone_record')).toEqual({});
    expect(made.json.output['endpoint-records']).toEqual({
      description: 'DNS records of the API host, to be entered by: network team',
      value:
        '${jsonencode([for address in sort([for zone in volcenginecc_privatelink_vpc_endpoint.endpoint.zones : zone.private_ip_address]) : { name = "api.example", type = "A", ttl = 60, value = address }])}',
    });
  });

  test('has the API host checked, and says who keeps it', () => {
    expect(endpoint?.links[1]).toMatchObject({
      name: 'endpoint-api-host',
      baseUrl: 'https://api.example',
      recordsElsewhere: 'network team',
    });
  });
});

test('uses the provider that it is given', () => {
  const made = synth((stack) => {
    const provider = new CloudProvider(stack, 'other', { region: 'cn-beijing', alias: 'other' });
    const network = new PrivateNetwork(stack, 'network', {
      network: { name: 'n', cidr: '10.0.0.0/16', subnets },
      provider,
    });
    new ServiceEndpoint(stack, 'endpoint', {
      network,
      name: 'service',
      serviceName: 'com.example.epsvc-1a2b',
      apiHost: 'api.example',
      scheme: 'https',
      provider,
    });
  });
  for (const type of ['vpc_vpc', 'vpc_security_group', 'privatelink_vpc_endpoint']) {
    expect(onlyResource(made, `volcenginecc_${type}`).provider).toBe('volcenginecc.other');
  }
});

describe('after its construction', () => {
  test('lets more clients call, in the group, the rules and the digest', () => {
    const { made, endpoint } = build({}, subnets, (one) => one.allowFrom('10.9.0.0/24', 'office'));
    const group = onlyResource(made, 'volcenginecc_vpc_security_group');
    const cidrs = (group.ingress_permissions as { cidr_ip: string }[]).map(
      ({ cidr_ip }) => cidr_ip,
    );
    expect(cidrs).toEqual(['10.0.0.0/16', '10.9.0.0/24', '0.0.0.0/0', '::/0']);
    expect(endpoint?.accessRules.at(-1)).toMatchObject({ reason: 'office' });
    expect(made.rules).toHaveLength(2);
    expect(made.json.output['rules-digest']?.value).toBe(made.digest);
  });

  test('can start with nobody', () => {
    const { made } = build({ allowedNetworks: [] }, subnets, (one) => one.allowFrom('10.0.1.0/24'));
    expect(made.rules).toHaveLength(1);
  });

  test('refuses every address, and one that is not known yet', () => {
    const token = Token.asString({ resolve: () => '${var.cidr}' });
    expect(() => build({}, subnets, (one) => one.allowFrom('0.0.0.0/0'))).toThrow(
      '`allowFrom` must not be every address, got: "0.0.0.0/0"; name your networks',
    );
    expect(() => build({}, subnets, (one) => one.allowFrom(token))).toThrow(
      '`allowFrom` must be a literal: access rules are reviewed before the deploy; got: a token',
    );
  });

  test('refuses calls that together let in every address', () => {
    const halves = (one: ServiceEndpoint) => {
      one.allowFrom('0.0.0.0/2');
      one.allowFrom('64.0.0.0/2');
    };
    expect(() => build({}, subnets, halves)).toThrow(
      '`allowedNetworks` must not be most of the internet, got: "10.0.0.0/16", "0.0.0.0/2", "64.0.0.0/2", which is 56 % of the public IPv4 addresses; name your networks',
    );
  });

  // In JavaScript, a token is easily given where a list belongs.
  test('refuses a token in the place of a list', () => {
    const list = Token.asString({ resolve: () => '${var.cidrs}' }) as unknown as string[];
    expect(() => build({ allowedNetworks: list }, subnets)).toThrow(
      '`allowedNetworks` must be a literal: access rules are reviewed before the deploy; got: a token',
    );
    const zone = { privateZone: true, privateZoneNetworks: [{ vpcId: 'vpc-2', cidrs: list }] };
    expect(() => build(zone, subnets)).toThrow('`privateZoneNetworks.cidrs` must be a literal');
  });
});

describe('several', () => {
  const props = {
    serviceName: 'com.example.epsvc-1a2b',
    apiHost: 'api.example',
    scheme: 'https',
  } as const;
  const other = {
    vpcId: 'vpc-2',
    cidrs: ['10.8.0.0/16'],
    subnets: { 'cn-beijing-a': { subnetId: 's-2', cidr: '10.8.1.0/24' } },
  };

  test('endpoints of one stack have names, addresses and outputs of their own', () => {
    const zones = Object.keys(subnets);
    const made = synth((stack) => {
      const network = new PrivateNetwork(stack, 'network', {
        network: { name: 'n', cidr: '10.0.0.0/16', subnets },
      });
      const [one, two] = ['one', 'two'].map(
        (name) => new ServiceEndpoint(stack, name, { ...props, zones, network, name }),
      );
      expect(one?.links[0]?.name).toBe('one');
      expect(two?.links[0]?.name).toBe('two');
    });
    expect(Object.keys(made.json.output)).toEqual(
      expect.arrayContaining(['one-domain', 'two-domain']),
    );
    const addresses = Object.values(
      resources(made, 'volcenginecc_privatelink_vpc_endpoint'),
    ).flatMap(({ zones }) =>
      (zones as { private_ip_address: string }[]).map((zone) => zone.private_ip_address),
    );
    expect(new Set(addresses).size).toBe(4);
  });

  test('endpoints with one address are refused', () => {
    expect(() =>
      synth((stack) => {
        const network = PrivateNetwork.fromAttributes(stack, 'network', other);
        const addresses = { 'cn-beijing-a': '10.8.1.9' };
        for (const name of ['one', 'two']) {
          new ServiceEndpoint(stack, name, { ...props, network, name, addresses });
        }
      }),
    ).toThrow(
      '[test/one] `addresses` must differ from those of test/two, got: "10.8.1.9"; choose a free one',
    );
  });

  test('networks are bound to one private zone', () => {
    const { made } = build({ privateZone: true }, subnets, (one, stack) => {
      one.allowFrom('10.8.0.0/16');
      one.bindPrivateZone(PrivateNetwork.fromAttributes(stack, 'other', other));
    });
    expect(onlyResource(made, 'volcenginecc_privatezone_private_zone').vpcs).toHaveLength(2);
  });

  const more = [{ vpcId: 'vpc-2', cidrs: ['10.8.0.0/16'] }];

  test('networks that the properties name are bound to one private zone', () => {
    const allowedNetworks = ['10.0.0.0/16', '10.8.0.0/16'];
    const { made } = build({ privateZone: true, privateZoneNetworks: more, allowedNetworks });
    expect(onlyResource(made, 'volcenginecc_privatezone_private_zone').vpcs).toEqual([
      { region: 'cn-beijing', vpc_id: '${volcenginecc_vpc_vpc.network.vpc_id}' },
      { region: 'cn-beijing', vpc_id: 'vpc-2' },
    ]);
  });

  test.each<[string, Partial<ServiceEndpointProps>, string]>([
    [
      'without a private zone',
      { privateZoneNetworks: more },
      '`privateZone` must be true to bind `privateZoneNetworks` to it, got: false',
    ],
    [
      'twice',
      { privateZone: true, privateZoneNetworks: [...more, ...more] },
      '`privateZoneNetworks` must name each VPC once, got: vpc-2, vpc-2',
    ],
    [
      'without CIDRs',
      { privateZone: true, privateZoneNetworks: [{ vpcId: 'vpc-2', cidrs: [] }] },
      '`privateZoneNetworks.cidrs` must name the CIDRs of vpc-2',
    ],
    [
      'of which no client is let in',
      { privateZone: true, privateZoneNetworks: more },
      '`privateZone` leads the clients of vpc-2 to the endpoint, which allows none of them; add their part of 10.8.0.0/16 to `allowedNetworks`, or call `allowFrom`',
    ],
  ])('a network is not bound %s', (_, props, message) => {
    expect(() => build(props)).toThrow(message);
  });

  test('networks are bound only where the endpoint lets their clients in', () => {
    expect(() =>
      build({ privateZone: true }, subnets, (one, stack) =>
        one.bindPrivateZone(PrivateNetwork.fromAttributes(stack, 'other', other)),
      ),
    ).toThrow(
      '`privateZone` leads the clients of test/other to the endpoint, which allows none of them; add their part of 10.8.0.0/16 to `allowedNetworks`, or call `allowFrom`',
    );
  });

  test('networks are bound by CIDRs that can be read, also later', () => {
    expect(() =>
      build({ privateZone: true }, subnets, (one) =>
        one.bindPrivateZone({ vpcId: 'vpc-2', cidrs: ['10.8.0.1/16'] }),
      ),
    ).toThrow('`bindPrivateZone.cidrs` has host bits set; the network is 10.8.0.0/16');
  });

  test('endpoints with a private zone in one network are refused', () => {
    expect(() =>
      synth((stack) => {
        const network = PrivateNetwork.fromAttributes(stack, 'network', other);
        for (const name of ['one', 'two']) {
          new ServiceEndpoint(stack, name, { ...props, network, name, privateZone: true });
        }
      }),
    ).toThrow(
      '`privateZone` must be on for only one endpoint in a network, got: api.example here and at test/two',
    );
  });
});

test('takes ids and names that are tokens, and writes their expression into the rules', () => {
  const token = (name: string) => Token.asString({ resolve: () => `\${var.${name}}` });
  const made = synth((stack) => {
    const network = PrivateNetwork.fromAttributes(stack, 'network', {
      vpcId: token('vpc'),
      cidrs: ['10.8.0.0/16'],
      subnets: { 'cn-beijing-a': { subnetId: token('subnet'), cidr: '10.8.1.0/24' } },
    });
    new ServiceEndpoint(stack, 'endpoint', {
      network,
      name: token('name'),
      serviceName: token('service'),
      serviceId: token('service_id'),
      securityGroupIds: [token('group')],
      apiHost: 'api.example',
      scheme: 'https',
    });
  });
  expect(onlyResource(made, 'volcenginecc_privatelink_vpc_endpoint')).toMatchObject({
    vpc_id: '${var.vpc}',
    service_id: '${var.service_id}',
    zones: [{ subnet_id: '${var.subnet}' }],
  });
  expect(made.rules[0]?.subject).toBe('${var.name}');
  expect(made.json.output['rules-digest']?.value).toBe(made.digest);
});

test('gives out what people look for', () => {
  const { output } = build().made.json;
  expect(Object.keys(output)).toEqual(
    expect.arrayContaining(['id', 'domain', 'base-url'].map((name) => `endpoint-${name}`)),
  );
  expect(output['endpoint-base-url']?.value).toMatch(/^https:\/\/\$\{.*endpoint_domain\}$/);
});

describe('refuses', () => {
  const unknown = Token.asString({ resolve: () => '${var.x}' });
  test.each<[string, Partial<ServiceEndpointProps>, string]>([
    [
      'to miss zone A',
      { zones: ['cn-beijing-b'] },
      '`zones` must include cn-beijing-a, where the service is available, got: cn-beijing-b',
    ],
    [
      'a zone without a subnet',
      { zones: ['cn-beijing-a', 'cn-beijing-c'] },
      '`zones` must be zones of the network (cn-beijing-a, cn-beijing-b), got: "cn-beijing-c"',
    ],
    [
      'a zone twice',
      { zones: ['cn-beijing-a', 'cn-beijing-a'] },
      '`zones` must name each zone once',
    ],
    [
      'every address',
      { allowedNetworks: ['0.0.0.0/0'] },
      '`allowedNetworks` must not be every address, got: "0.0.0.0/0"; name your networks',
    ],
    ['nobody', { allowedNetworks: [] }, '`allowedNetworks` must name at least one network'],
    [
      'a network with host bits',
      { allowedNetworks: ['10.0.0.1/8'] },
      '`allowedNetworks` has host bits set; the network is 10.0.0.0/8, got: "10.0.0.1/8"',
    ],
    [
      'a service without an id',
      { serviceName: 'com.example.service' },
      '`serviceId` is required where `serviceName` does not end in an id such as epsvc-1a2b, got: "com.example.service"',
    ],
    [
      'an id of another kind',
      { serviceId: 'ep-1a2b' },
      '`serviceId` must be an id such as epsvc-1a2b, got: "ep-1a2b"',
    ],
    [
      'the id of another service',
      { serviceId: 'epsvc-3c4d' },
      '`serviceId` must be the id in `serviceName`, epsvc-1a2b, got: "epsvc-3c4d"',
    ],
    [
      'a service of another region',
      { serviceName: 'com.volces.privatelink.cn-shanghai.epsvc-1a2b' },
      '`serviceName` must be of the endpoint\'s region, cn-beijing: an endpoint reaches no other, got: "com.volces.privatelink.cn-shanghai.epsvc-1a2b" of cn-shanghai',
    ],
    [
      'an API host given as URL',
      { apiHost: 'https://api.example' },
      '`apiHost` must be a host name in lower case, without scheme, port or path, got: "https://api.example"',
    ],
    [
      'networks that are not known yet',
      { allowedNetworks: [unknown] },
      '`allowedNetworks` must be a literal: access rules are reviewed before the deploy; got: a token',
    ],
    [
      'a list of networks that is not known yet',
      { allowedNetworks: Token.asList({ resolve: () => ['x'] }) },
      '`allowedNetworks` must be a literal',
    ],
    [
      'a port that is not known yet',
      { port: Token.asNumber({ resolve: () => 443 }) },
      '`port` must be a literal: access rules are reviewed before the deploy; got: a token',
    ],
    ['a port out of range', { port: 0 }, '`port` must be 1 to 65535, got: 0'],
    [
      'a TLS name without TLS',
      { scheme: 'http', tlsServerName: 'x.example' },
      '`tlsServerName` has no meaning with scheme http',
    ],
    [
      'more groups than an endpoint can have',
      { securityGroupIds: ['sg-1', 'sg-2', 'sg-3', 'sg-4', 'sg-5'] },
      "`securityGroupIds` must be at most 4, beside the endpoint's own, got: 5",
    ],
    [
      'a group twice',
      { securityGroupIds: ['sg-1', 'sg-1'] },
      '`securityGroupIds` must name each group once, got: sg-1, sg-1',
    ],
    [
      'a private zone with http',
      { privateZone: true, scheme: 'http' },
      '`privateZone` needs scheme https, got: http; https clients of the API host would break',
    ],
    [
      'a zone that cannot hold the API host',
      { privateZone: { zoneId: 1, zoneName: 'pi.example' } },
      '`privateZone.zoneName` must be api.example or a domain above it, got: "pi.example"',
    ],
    [
      'a zone without an id',
      { privateZone: { zoneId: 0, zoneName: 'api.example' } },
      '`privateZone.zoneId` must be 1 to',
    ],
    [
      'records that nobody keeps',
      { privateZone: { managedBy: ' ' } },
      '`privateZone.managedBy` must say who keeps the records',
    ],
    [
      'records of others with http',
      { privateZone: { managedBy: 'us' }, scheme: 'http' },
      '`privateZone` needs scheme https, got: http',
    ],
    [
      'a private zone on another port',
      { privateZone: true, port: 8443 },
      '`privateZone` needs port 443, which clients of the API host use, got: 8443',
    ],
  ])('%s', (_, props, message) => {
    expect(() => build(props)).toThrow(message);
  });

  test('http where a subnet is public', () => {
    expect(() =>
      synth((stack) => {
        const network = PrivateNetwork.fromAttributes(stack, 'network', {
          vpcId: 'vpc-1',
          cidrs: ['203.0.113.0/24'],
          subnets: { 'cn-beijing-a': { subnetId: 's', cidr: '203.0.113.0/25' } },
        });
        new ServiceEndpoint(stack, 'endpoint', {
          network,
          name: 'service',
          serviceName: 'com.example.epsvc-1a2b',
          apiHost: 'api.example',
          scheme: 'http',
        });
      }),
    ).toThrow(
      '`scheme` must be https where a subnet is not private: tokens would travel unencrypted',
    );
  });
});
