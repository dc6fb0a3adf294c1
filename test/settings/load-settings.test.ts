import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadSettings, parseSettings } from '../../src/settings/index.js';

const minimal = { region: 'cn-beijing', apiHost: 'api.example.com' };

const full = {
  ...minimal,
  project: 'p',
  tags: { owner: 'me' },
  network: { name: 'n', cidr: '10.0.0.0/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } },
  serviceEndpoint: { name: 'e', serviceName: 's', scheme: 'https' },
};

function parse(settings: object) {
  return parseSettings(JSON.stringify(settings), 'settings/x.json');
}

test('turns every option off until it is named', () => {
  const settings = parse(minimal);
  expect(settings.serviceEndpoint).toBeUndefined();
  expect(settings.check).toEqual({ mode: 'required', runOn: 'change', wait: 300 });
});

test('keeps what is safe by default', () => {
  expect(parse(full).serviceEndpoint?.preventDestroy).toBe(true);
});

test.each([
  ['500ms', 0.5],
  ['10s', 10],
  ['5m', 300],
  ['1.5h', 5400],
  ['20', 20],
  [7, 7],
])('reads the duration %j as %d seconds', (wait, seconds) => {
  expect(parse({ ...minimal, check: { wait } }).check.wait).toBe(seconds);
});

describe('a mistake', () => {
  test.each<[string, object, string]>([
    ['another region', { ...full, region: 'eu' }, '`region` must be "cn-beijing", got: "eu"'],
    ['a missing host', { region: 'cn-beijing' }, '`apiHost` is required'],
    [
      'a URL for a host',
      { ...full, apiHost: 'https://api.example.com' },
      '`apiHost` must be a host name in lower case, without scheme, port or path, got: "https://api.example.com"',
    ],
    [
      'a misspelled field',
      { ...full, serviceEndpoint: { ...full.serviceEndpoint, shceme: 'https' } },
      '`serviceEndpoint.shceme` is not a setting; did you mean `scheme`?',
    ],
    [
      'a misspelled field that is required, and nothing else',
      {
        ...full,
        serviceEndpoint: {
          ...full.serviceEndpoint,
          serviceName: undefined,
          serviceNmae: full.serviceEndpoint.serviceName,
        },
      },
      'x.json has a mistake:\n  `serviceEndpoint.serviceNmae` is not a setting; did you mean `serviceName`?',
    ],
    [
      'a misspelled option',
      { ...full, serviceEndpint: {} },
      '`serviceEndpint` is not a setting; did you mean `serviceEndpoint`?',
    ],
    [
      'a misspelled field of one of two forms',
      { ...full, network: { vpcID: 'vpc-1', cidrs: ['10.0.0.0/16'], subnets: {} } },
      '`network.vpcID` is not a setting; did you mean `vpcId`?',
    ],
    [
      'a field that resembles one of the other form',
      {
        ...full,
        network: { vpcId: 'vpc-1a', cidrs: ['10.0.0.0/16'], subnets: {}, nam: 'agents' },
      },
      '`network.nam` is not a setting; remove it or correct its name',
    ],
    [
      'a field that resembles none',
      { ...full, colour: 'red' },
      '`colour` is not a setting; remove it or correct its name',
    ],
    [
      'a wait that is no span of time',
      { ...full, check: { wait: 1e21 } },
      '`check.wait` must be at most a day, 24h, got: 1e+21',
    ],
    [
      'a state folder outside of the project',
      { ...full, state: { backend: 'local', folder: '../../elsewhere' } },
      '`state.folder` must be relative to the project, without `..`, got: "../../elsewhere"',
    ],
    [
      'a key file outside of the project',
      { ...full, keyPairs: [{ kid: 'k', keyFile: 'keys/../../k.pem' }] },
      '`keyPairs.0.keyFile` must be a file name relative to the project, without `..`, got: "keys/../../k.pem"',
    ],
    [
      'a missing scheme',
      { ...full, serviceEndpoint: { name: 'e', serviceName: 's' } },
      '`serviceEndpoint.scheme` is required',
    ],
    [
      'a scheme that does not exist',
      { ...full, serviceEndpoint: { ...full.serviceEndpoint, scheme: 'tls' } },
      '`serviceEndpoint.scheme` must be one of "https", "http", got: "tls"',
    ],
    [
      'host bits',
      { ...full, serviceEndpoint: { ...full.serviceEndpoint, allowedNetworks: ['10.0.0.1/8'] } },
      '`serviceEndpoint.allowedNetworks.0` has host bits set; the network is 10.0.0.0/8, got: "10.0.0.1/8"',
    ],
    [
      'an expression',
      { ...full, tags: { owner: '${file("/etc/passwd")}' } },
      '`tags.owner` must not hold ${ or %{',
    ],
    [
      'a subnet of a new network',
      { ...full, network: { ...full.network, subnets: { 'cn-beijing-a': '10.0.1.1/24' } } },
      '`network.subnets.cn-beijing-a` has host bits set; the network is 10.0.1.0/24, got: "10.0.1.1/24"',
    ],
    [
      'a zone elsewhere',
      { ...full, network: { ...full.network, subnets: { 'cn-shanghai-a': '10.0.1.0/24' } } },
      '`network.subnets.cn-shanghai-a` must be a zone of North China 2',
    ],
    [
      'an existing network without its CIDRs',
      { ...full, network: { vpcId: 'vpc-1', subnets: {} } },
      '`network.cidrs` is required',
    ],
    [
      'a credential in the state settings',
      { ...full, state: { backend: 's3', config: { secret_key: 'x' } } },
      '`state.config.secret_key` holds a credential, which the synthesized stack would reveal; pass it through the environment instead, in `AWS_SECRET_ACCESS_KEY`',
    ],
    [
      'an absolute state folder',
      { ...full, state: { backend: 'local', folder: '/tmp' } },
      'must be relative to the project',
    ],
  ])('is named: %s', (_, settings, message) => {
    expect(() => parse(settings)).toThrow(message);
  });

  test.each([
    ['serviceEndpoint', 'serviceEndpiont'],
    ['network', 'netwrok'],
    ['apiHost', 'apiHots'],
  ] as const)('%s, written %s, is one mistake: what only its name lacks is none', (name, wrong) => {
    const { [name]: value, ...rest } = full as Record<string, unknown>;
    expect(() => parse({ ...rest, [wrong]: value })).toThrow(/^settings\/x\.json has a mistake:\n/);
  });

  test("is reported together with the others, under the file's name", () => {
    expect(() => parse({ ...full, region: 'x', apiHost: 'X' })).toThrow(
      /^settings\/x\.json has 2 mistakes:\n {2}`region`.*\n {2}`apiHost`/,
    );
  });
});

describe('the environment', () => {
  test('has no default', () => {
    expect(() => loadSettings('stacks/settings', '')).toThrow(
      expect.objectContaining({
        code: 'usage.invalid',
        message: '`CONNECTIVITY_ENV` is not set; choose one of: production, sandbox',
      }),
    );
  });
  test('must exist', () => {
    expect(() => loadSettings('stacks/settings', 'prod')).toThrow('got: "prod"; choose one of');
  });
  test.each(
    readdirSync('stacks/settings').filter((file) => file.endsWith('.json')),
  )('is valid as shipped: %s', (file) => {
    expect(parseSettings(readFileSync(`stacks/settings/${file}`, 'utf8'), file).region).toBe(
      'cn-beijing',
    );
  });
});

test('no message shows a pattern or the words of a library', () => {
  const server = { type: 'ip', ip: '?', port: 0, instanceId: '' };
  const message = mistakesOf({
    project: '',
    region: '?',
    apiHost: '?',
    assumeRole: { trn: '?', durationSeconds: 1 },
    tags: { 'sys:?': '?' },
    keyPairs: [{ kid: '', keyFile: '\n' }],
    network: { name: '?', cidr: '?', subnets: { '?': '?' } },
    serviceEndpoint: { name: '?', serviceName: '', serviceId: '?', securityGroupIds: ['?'] },
    fixedIpEgress: {
      name: '?',
      baseUrl: '?',
      addresses: { version: '?', entries: [{ address: '', firstSeen: '?', source: '' }] },
      securityGroup: { vpcId: '?' },
    },
    pluginEndpointService: {
      permittedAccountIds: ['?'],
      acceptedEndpointIds: ['?'],
      loadBalancer: {
        network: {},
        protocol: 'TCP',
        port: 1,
        servers: [server],
        healthCheckPath: '?',
      },
    },
    check: { wait: '?' },
    state: { backend: 'local', folder: '/' },
  });
  expect(message.split('\n').length).toBeGreaterThan(25);
  expect(message).not.toMatch(/Invalid|pattern|\/\^|\(\?/);
});

function mistakesOf(settings: object): string {
  try {
    parse(settings);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the settings have no mistake');
}

test('a byte order mark at the beginning is no mistake', () => {
  expect(parseSettings(`\uFEFF${JSON.stringify(minimal)}`, 'x.json')).toEqual(parse(minimal));
});

test('settings that are nested too deep are refused in one line', () => {
  const text = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  expect(() => parseSettings(text, 'x.json')).toThrow(
    /x\.json must be nested at most 50 levels deep, got: more/,
  );
});

test('of a long value and of many mistakes only the first part is shown', () => {
  const jwt = `eyJhbGciOiJSUzI1NiJ9.eyJ${'a'.repeat(400)}.${'b'.repeat(300)}`;
  const text = messageOf({ ...minimal, apiHost: `https://${'x'.repeat(1_000_000)}` });
  expect(text.length).toBeLessThan(600);
  expect(text).toContain('… (1000010 characters)');
  const cidrs = Array.from({ length: 60_000 }, (_, i) => `10.0.0.${i}/x`);
  const many = messageOf({
    ...full,
    serviceEndpoint: { ...full.serviceEndpoint, allowedNetworks: cidrs },
  });
  expect(many).toContain('x.json has 60000 mistakes');
  expect(many.trimEnd().split('\n').at(-1)).toMatch(/^ {2}and 59950 more/);
  expect(messageOf({ ...minimal, apiHost: jwt })).not.toMatch(/eyJ|aaa|bbb/);
});

function messageOf(settings: object): string {
  try {
    parse(settings);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('no mistake was found');
}
