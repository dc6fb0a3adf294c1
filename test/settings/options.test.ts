import { describe, expect, test } from 'vitest';
import { duplicateKeys } from '../../src/files/json.js';
import { parseSettings } from '../../src/settings/index.js';

const minimal = { region: 'cn-beijing', apiHost: 'api.example.com' };
const network = { name: 'n', cidr: '10.0.0.0/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } };
const entry = { address: '192.0.2.1', firstSeen: '2026-05-04', source: 'letter' };
const access = { name: 'api', baseUrl: 'https://static-api.example.com' };
const plugin = {
  name: 'orders',
  backend: 'orders',
  serviceAccountId: '2100000000',
  payer: 'EndpointService',
  loadBalancer: { loadBalancerId: 'clb-1', port: 443 },
};
const exception = { reason: 'r', owner: 'o', expires: '2026-12-31' };

function parse(settings: object) {
  return parseSettings(JSON.stringify({ ...minimal, ...settings }), 'settings/x.json');
}

test('every option is off until it is named', () => {
  const {
    serviceEndpoint,
    fixedIpEgress,
    pluginEndpointService,
    fixedIpIngress,
    userIdHeader,
    keyPairs,
  } = parse({});
  expect([
    serviceEndpoint,
    fixedIpEgress,
    pluginEndpointService,
    fixedIpIngress,
    userIdHeader,
    keyPairs,
  ]).toEqual(Array(6).fill(undefined));
});

test('a named option is filled in with what is safe', () => {
  const { fixedIpEgress, pluginEndpointService } = parse({
    fixedIpEgress: access,
    pluginEndpointService: plugin,
  });
  expect(fixedIpEgress).toEqual({ ...access, ports: [443] });
  expect(pluginEndpointService).toEqual({ ...plugin, preventDestroy: true });
});

test('an entry of a list is active unless it says otherwise', () => {
  const { fixedIpIngress } = parse({
    fixedIpIngress: {
      name: 'tickets',
      backend: 'tickets',
      ports: [443],
      addresses: { version: '1', entries: [entry] },
    },
  });
  expect(fixedIpIngress?.addresses.entries).toEqual([{ ...entry, state: 'active' }]);
});

test.each([
  [true],
  [{ zoneId: 1001, zoneName: 'example.com' }],
  [{ managedBy: 'network team' }],
])('the API host is made private by %j', (privateZone) => {
  const serviceEndpoint = { name: 'e', serviceName: 's', scheme: 'https', privateZone };
  expect(parse({ network, serviceEndpoint }).serviceEndpoint?.privateZone).toEqual(privateZone);
});

describe('a mistake is named:', () => {
  const pair = { kid: 'k', keyFile: 'keys/private_key.pem' };
  test.each<[string, object, string]>([
    [
      'two halves of the internet',
      {
        network,
        serviceEndpoint: {
          name: 'e',
          serviceName: 's',
          scheme: 'https',
          allowedNetworks: ['0.0.0.0/1', '128.0.0.0/1'],
        },
      },
      '`serviceEndpoint.allowedNetworks` must not be every address; name your networks, got: ["0.0.0.0/1","128.0.0.0/1"]',
    ],
    [
      'an endpoint without a network',
      { serviceEndpoint: { name: 'e', serviceName: 's', scheme: 'https' } },
      '`network` is required with `serviceEndpoint`',
    ],
    [
      'an endpoint without a network, beside a group in its VPC',
      {
        serviceEndpoint: { name: 'e', serviceName: 's', scheme: 'https' },
        fixedIpEgress: { ...access, securityGroup: {} },
      },
      'a mistake:\n  `network` is required with `serviceEndpoint`',
    ],
    [
      'a network of a private zone without CIDRs',
      {
        network,
        serviceEndpoint: {
          name: 'e',
          serviceName: 's',
          scheme: 'https',
          privateZone: true,
          privateZoneNetworks: [{ vpcId: 'vpc-2' }],
        },
      },
      '`serviceEndpoint.privateZoneNetworks.0.cidrs` is required',
    ],
    [
      'an existing zone without its name',
      {
        network,
        serviceEndpoint: {
          name: 'e',
          serviceName: 's',
          scheme: 'https',
          privateZone: { zoneId: 1 },
        },
      },
      '`serviceEndpoint.privateZone.zoneName` is required',
    ],
    [
      'a private zone of another form',
      {
        network,
        serviceEndpoint: { name: 'e', serviceName: 's', scheme: 'https', privateZone: 'yes' },
      },
      '`serviceEndpoint.privateZone` must be true, false, an existing zone (zoneId, zoneName) or records of others (managedBy), got: "yes"',
    ],
    [
      'a group without a VPC',
      { fixedIpEgress: { ...access, securityGroup: {} } },
      '`fixedIpEgress.securityGroup.vpcId` is required where no `network` with a `serviceEndpoint` is given',
    ],
    [
      'plain http over the internet',
      { fixedIpEgress: { ...access, baseUrl: 'http://static-api.example.com' } },
      '`fixedIpEgress.baseUrl` must be an https URL, host and port only, got: "http://static-api.example.com"',
    ],
    [
      'a state that an address cannot have',
      {
        fixedIpEgress: {
          ...access,
          addresses: { version: '1', entries: [{ ...entry, state: 'gone' }] },
        },
      },
      '`fixedIpEgress.addresses.entries.0.state` must be one of "announced", "active", "retiring", "removed", got: "gone"',
    ],
    [
      'an exception without an end',
      {
        pluginEndpointService: {
          ...plugin,
          permittedAccountsException: { ...exception, expires: '31.12.2026' },
        },
      },
      '`pluginEndpointService.permittedAccountsException.expires` must be a day as YYYY-MM-DD, got: "31.12.2026"',
    ],
    [
      'a payer left open',
      { pluginEndpointService: { ...plugin, payer: undefined } },
      '`pluginEndpointService.payer` is required',
    ],
    [
      'a load balancer of neither kind',
      { pluginEndpointService: { ...plugin, loadBalancer: 'clb-1' } },
      '`pluginEndpointService.loadBalancer` must be a new load balancer (network, protocol, port, servers) or an existing one (loadBalancerId, port), got: "clb-1"',
    ],
    [
      'an account in words',
      { pluginEndpointService: { ...plugin, serviceAccountId: 'service' } },
      '`pluginEndpointService.serviceAccountId` must be the digits of an account id, got: "service"',
    ],
    [
      'an endpoint service for an endpoint',
      { pluginEndpointService: { ...plugin, acceptedEndpointIds: ['epsvc-1'] } },
      '`pluginEndpointService.acceptedEndpointIds.0` must be an id such as ep-1a2b, got: "epsvc-1"',
    ],
    [
      'a name that the cloud refuses',
      { pluginEndpointService: { ...plugin, name: 'orders/1' } },
      '`pluginEndpointService.name` must be 1 to 100 bytes of letters, digits, Chinese characters (3 bytes each), `.`, `_` or `-`, not starting with a sign, got: "orders/1"',
    ],
    [
      'a Chinese name of too many bytes',
      { pluginEndpointService: { ...plugin, name: '智'.repeat(43) } },
      '`pluginEndpointService.name` must be 1 to 100 bytes of letters, digits, Chinese characters (3 bytes each)',
    ],
    [
      'a Chinese tag key of too many bytes',
      { tags: { ['智'.repeat(43)]: 'x' } },
      'must be at most 128 bytes long, and a Chinese character has 3',
    ],
    [
      'a Chinese tag value of too many bytes',
      { tags: { team: '智'.repeat(86) } },
      '`tags.team` must be at most 256 bytes long, and a Chinese character has 3',
    ],
    [
      "a tag of the cloud's own",
      { tags: { 'sys:owner': 'me' } },
      '`tags.sys:owner` must be a tag key of 1 to 128 bytes without blanks at its ends',
    ],
    [
      'too many tags',
      { tags: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`t${i}`, 'x'])) },
      '`tags` must be at most 17 tags',
    ],
    [
      'a fourth key pair',
      { keyPairs: [pair, pair, pair, pair] },
      '`keyPairs` must have at most 3 members, got: [',
    ],
    [
      'a key in place of its file',
      { keyPairs: [{ ...pair, keyFile: '-----BEGIN PRIVATE KEY-----' }] },
      '`keyPairs.0.keyFile` must be a file name, never the key, got: a private key, which is not shown',
    ],
    [
      'no entry port',
      { fixedIpEgress: { ...access, ports: [] } },
      '`fixedIpEgress.ports` must have at least 1 members, got: []',
    ],
    [
      'a port out of range',
      { fixedIpEgress: { ...access, ports: [70000] } },
      '`fixedIpEgress.ports.0` must be at most 65535, got: 70000',
    ],
    [
      'a key file outside of the project',
      { keyPairs: [{ ...pair, keyFile: '/etc/key.pem' }] },
      '`keyPairs.0.keyFile` must be a file name relative to the project, got: "/etc/key.pem"',
    ],
  ])('%s', (_, settings, message) => {
    expect(() => parse(settings)).toThrow(message);
  });

  test('two subnets in one zone, of which a parser would keep one in silence', () => {
    const text = JSON.stringify({ ...minimal, network }).replace(
      '"cn-beijing-a":',
      '"cn-beijing-a":"10.0.9.0/24","cn-beijing-a":',
    );
    expect(() => parseSettings(text, 'settings/x.json')).toThrow(
      '`network.subnets.cn-beijing-a` is given twice; only the last would count, so remove one',
    );
  });
});

test.each([
  ['{"a":1,"b":{"a":2}}', []],
  ['{"a":1,"a":2}', ['a']],
  ['[{"a":1},{"a":2}]', []],
  ['{"x":[{"k":1},{"k":1,"k":2}]}', ['x.1.k']],
  ['{"a":"b\\":","c":{},"\\u0061":1}', ['a']],
])('keys given twice in %s: %j', (text, keys) => {
  expect(duplicateKeys(text)).toEqual(keys);
});
