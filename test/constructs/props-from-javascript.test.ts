import { TerraformStack, Testing, Token } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { CloudProvider } from '../../src/cloud/cloud-provider.js';
import { FixedIpEgress } from '../../src/constructs/fixed-ip/fixed-ip-egress.js';
import { FixedIpIngress } from '../../src/constructs/fixed-ip/fixed-ip-ingress.js';
import { PluginEndpointService } from '../../src/constructs/plugin-endpoint-service/plugin-endpoint-service.js';
import { PostDeployCheck } from '../../src/constructs/post-deploy-check/post-deploy-check.js';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { ServiceEndpoint } from '../../src/constructs/service-endpoint/service-endpoint.js';
import { UserIdHeader } from '../../src/constructs/user-id-header.js';
import { testingApp } from '../support/testing-app.js';

/** Props as JavaScript gives them: nothing is checked before. */
type Props = Record<string, unknown>;
type Make = (stack: TerraformStack, props: unknown) => unknown;

const NETWORK = {
  name: 'agents',
  cidr: '10.20.0.0/16',
  subnets: { 'cn-beijing-a': '10.20.1.0/24' },
};

const ENDPOINT = {
  name: 'agents',
  serviceName: 'com.example.epsvc-1a2b',
  apiHost: 'api.example',
  scheme: 'https',
};

const LIST = {
  version: '1',
  entries: [
    { address: '198.51.100.7', state: 'active', firstSeen: '2026-05-04', source: 'their page' },
  ],
};

const network = (stack: TerraformStack) =>
  new PrivateNetwork(stack, 'network', { network: NETWORK });

/** Each construct, with props that are right and use most of what there is. */
const CONSTRUCTS: Readonly<Record<string, readonly [Make, (stack: TerraformStack) => Props]>> = {
  CloudProvider: [
    (stack, props) => new CloudProvider(stack, 'it', props as never),
    () => ({ region: 'cn-beijing', alias: 'other', assumeRole: { trn: 'trn:iam::1:role/r' } }),
  ],
  PrivateNetwork: [
    (stack, props) => new PrivateNetwork(stack, 'it', props as never),
    () => ({ network: NETWORK, projectName: 'p', tags: { team: 'a' }, provider: undefined }),
  ],
  'PrivateNetwork.fromAttributes': [
    (stack, props) => PrivateNetwork.fromAttributes(stack, 'it', props as never),
    () => ({
      vpcId: 'vpc-1',
      cidrs: ['10.20.0.0/16'],
      subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '10.20.1.0/24' } },
    }),
  ],
  ServiceEndpoint: [
    (stack, props) => new ServiceEndpoint(stack, 'it', props as never),
    (stack) => ({
      ...ENDPOINT,
      network: network(stack),
      serviceId: 'epsvc-1a2b',
      port: 443,
      zones: ['cn-beijing-a'],
      addresses: { 'cn-beijing-a': '10.20.1.77' },
      allowedNetworks: ['10.20.0.0/16'],
      tlsServerName: 'api.example',
      securityGroupIds: ['sg-1'],
      privateZone: true,
      privateZoneNetworks: [{ vpcId: 'vpc-2', cidrs: ['10.20.0.0/16'] }],
      preventDestroy: false,
    }),
  ],
  FixedIpEgress: [
    (stack, props) => new FixedIpEgress(stack, 'it', props as never),
    () => ({
      name: 'api',
      baseUrl: 'https://static-api.example',
      apiHost: 'api.example',
      addresses: { ...LIST, shrinkException: { reason: 'r', owner: 'o', expires: '2999-01-01' } },
      ports: [443],
      dnsServers: ['10.20.0.2/32'],
      securityGroup: { vpcId: 'vpc-1' },
      prefixList: { vpcId: 'vpc-1', headroom: 6 },
      cloudFirewall: { own: ['203.0.113.7/32'], close: false, priority: 1 },
      enforcedElsewhere: '',
    }),
  ],
  FixedIpIngress: [
    (stack, props) => new FixedIpIngress(stack, 'it', props as never),
    () => ({
      name: 'orders',
      backend: 'orders',
      addresses: LIST,
      ports: [443],
      securityGroup: { vpcId: 'vpc-1' },
      prefixList: { vpcId: 'vpc-1', headroom: 6 },
      cloudFirewall: { own: ['203.0.113.7/32'], close: false, priority: 1 },
      enforcedElsewhere: '',
    }),
  ],
  'PluginEndpointService (new load balancer)': [
    (stack, props) => new PluginEndpointService(stack, 'it', props as never),
    (stack) => ({
      name: 'orders',
      backend: 'orders',
      serviceAccountId: '2100000001',
      permittedAccountIds: ['2100000001', '2100000002'],
      permittedAccountsException: { reason: 'r', owner: 'o', expires: '2999-01-01' },
      payer: 'Endpoint',
      acceptedEndpointIds: ['ep-1'],
      bandwidthMbps: 100,
      preventDestroy: false,
      loadBalancer: {
        network: network(stack),
        zone: 'cn-beijing-a',
        protocol: 'HTTP',
        port: 443,
        servers: [{ type: 'ip', ip: '10.20.1.9', port: 8080, weight: 50 }],
        healthCheckPath: '/health',
        spec: 'small_1',
      },
    }),
  ],
  'PluginEndpointService (existing load balancer)': [
    (stack, props) => new PluginEndpointService(stack, 'it', props as never),
    () => ({
      name: 'orders',
      backend: 'orders',
      serviceAccountId: '2100000001',
      payer: 'Endpoint',
      loadBalancer: { loadBalancerId: 'clb-1', port: 443 },
    }),
  ],
  UserIdHeader: [
    (stack, props) => new UserIdHeader(stack, 'it', props as never),
    () => ({
      backend: 'orders',
      guards: [{ backend: 'orders', callerNetworks: ['10.40.1.9/32'], description: 'the gateway' }],
      trustedProxies: ['10.40.1.8/32'],
    }),
  ],
  PostDeployCheck: [
    (stack, props) => new PostDeployCheck(stack, 'it', props as never),
    (stack) => ({
      links: [
        new ServiceEndpoint(stack, 'endpoint', {
          ...ENDPOINT,
          scheme: 'https',
          network: network(stack),
        }),
      ],
      connected: [],
      keyPairs: [{ kid: 'k', keyFile: 'key.pem' }],
      mode: 'report',
      runOn: 'change',
      waitSeconds: 1,
      runVia: 'ssh bastion',
      program: 'secure-connectivity',
    }),
  ],
};

const NAMES = Object.keys(CONSTRUCTS);

/** The problems of a stack with one construct, each under the path of what has it; none where it is right. */
function problemsOf(name: string, change: (props: Props) => unknown): readonly string[] {
  const stack = new TerraformStack(testingApp(), 'test');
  if (name !== 'CloudProvider') new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
  const [make, right] = CONSTRUCTS[name] ?? [];
  try {
    make?.(stack, change(right?.(stack) ?? {}));
    Testing.synth(stack, true);
    return [];
  } catch (error) {
    const { name: kind, message } = error as Error;
    if (kind === 'TypeError') throw error;
    return message.split('\n').filter((line) => line.includes('`') || line.includes('props'));
  }
}

/** Tells whether a path of a sentence is the prop's own or inside of it. */
const isOf = (prop: string) => (line: string) =>
  new RegExp(`^ *\\[test/it\\] \`${prop}[\`.[]`).test(line.trimEnd());

const ANYTHING: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 7],
  ['not a number', Number.NaN],
  ['a text', 'HTTPS'],
  ['an empty text', ''],
  ['true', true],
  ['a list', [{}]],
  ['a list of nothing', [undefined]],
  ['an object', { wrong: 1 }],
  ['an object without a prototype', Object.create(null)],
  ['a function', () => 1],
  ['a token', Token.asAny({ resolve: () => 'late' })],
];

describe.each(NAMES)('%s', (name) => {
  test('takes props that are right', () => {
    expect(problemsOf(name, (props) => props)).toEqual([]);
  });

  test('names every prop that is missing, if it is given none', () => {
    const needed = Object.keys(CONSTRUCTS[name]?.[1](new TerraformStack(testingApp(), 'x')) ?? {});
    for (const nothing of [undefined, {}, null]) {
      const problems = problemsOf(name, () => nothing);
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) {
        expect(problem).toMatch(/\[test\/it\] `\w+` is required; give /);
        expect(needed).toContain(/`(\w+)`/.exec(problem)?.[1]);
      }
    }
  });

  test('refuses props that are no object', () => {
    for (const wrong of ['text', 7, [], () => 1]) {
      expect(problemsOf(name, () => wrong).join()).toMatch(
        /\[test\/it\] the props must be an object, got: /,
      );
    }
  });

  test('names a prop that there is not, beside all other mistakes', () => {
    const [problem, ...others] = problemsOf(name, (props) => ({ ...props, extra: 1 }));
    expect(others).toEqual([]);
    expect(problem).toMatch(/\[test\/it\] `extra` is not a prop; remove it, or choose one of: /);
  });

  test('answers each prop of a wrong form by a sentence about that prop, and never by a TypeError', () => {
    const stack = new TerraformStack(testingApp(), 'x');
    const props = Object.keys(CONSTRUCTS[name]?.[1](stack) ?? {});
    const silent: string[] = [];
    for (const prop of props) {
      for (const [what, value] of ANYTHING) {
        const problems = problemsOf(name, (right) => ({ ...right, [prop]: value }));
        if (!problems.some(isOf(prop))) silent.push(`${prop}: ${what}: ${problems.join(' / ')}`);
      }
    }
    expect(silent.filter((each) => !isAllowed(each))).toEqual([]);
  });
});

/** Props that several constructs share, and one of them shows. */
const COMMON = ['projectName', 'tags', 'provider'];

test.each([
  ...new Set(NAMES.map((name) => name.replace(/ \(.*/, ''))),
])('each prop of %s is given above', (construct) => {
  const variants = NAMES.filter((name) => name.replace(/ \(.*/, '') === construct);
  const given = variants.flatMap((name) =>
    Object.keys(CONSTRUCTS[name]?.[1](new TerraformStack(testingApp(), 'x')) ?? {}),
  );
  const [problem = ''] = problemsOf(variants[0] ?? '', (props) => ({ ...props, extra: 1 }));
  const known = /choose one of: (.*)$/.exec(problem)?.[1]?.split(', ') ?? [];
  expect(known.length).toBeGreaterThan(1);
  expect(known.filter((prop) => ![...given, ...COMMON].includes(prop))).toEqual([]);
});

/** Forms that a prop may have, or whose problem is one of another prop. */
function isAllowed(found: string): boolean {
  return ALLOWED.some((pattern) => pattern.test(found));
}

const ALLOWED: readonly RegExp[] = [
  // Names of the cloud's or of one's own.
  /^(name|vpcId|projectName|alias|backend|serviceName|enforcedElsewhere|runVia): a text: /,
  /^enforcedElsewhere: an empty text: /,
  // Numbers of the right size.
  /^(waitSeconds: a number: $|port: a number: .*`privateZone` needs port 443)/,
  // Flags.
  /^(preventDestroy|privateZone): true: /,
  // An object that may have any keys, or none.
  /^(tags|addresses|subnets|prefixList): an object without a prototype: /,
];

describe('each mistake of a first hour', () => {
  const cases: readonly (readonly [string, string, (props: Props) => unknown, string])[] = [
    [
      'a scheme in capitals',
      'ServiceEndpoint',
      (props) => ({ ...props, scheme: 'HTTPS' }),
      '`scheme` must be "https" or "http", got: "HTTPS"; write "https"',
    ],
    [
      'a mode in capitals',
      'PostDeployCheck',
      (props) => ({ ...props, mode: 'Required' }),
      '`mode` must be "required", "report" or "off", got: "Required"; write "required"',
    ],
    [
      'one link where a list of them belongs',
      'PostDeployCheck',
      ({ links, ...props }) => ({ ...props, links: (links as unknown[])[0] }),
      '`links` must be a list of constructs with links, got: a ServiceEndpoint; write it in brackets: [ ]',
    ],
    [
      'no network',
      'ServiceEndpoint',
      ({ network: _, ...props }) => props,
      '`network` is required; give a network: a PrivateNetwork, or PrivateNetwork.fromAttributes of an existing one',
    ],
    [
      'the props of a network for the network',
      'ServiceEndpoint',
      (props) => ({ ...props, network: NETWORK }),
      '`network` must be a network: a PrivateNetwork, or PrivateNetwork.fromAttributes of an existing one, got: an object with name, cidr, subnets',
    ],
    [
      'a slip of the pen',
      'ServiceEndpoint',
      (props) => ({ ...props, allowedNetwork: ['10.0.0.0/8'] }),
      '`allowedNetwork` is not a prop; did you mean `allowedNetworks`?',
    ],
    [
      'a private key for its file, which it does not repeat',
      'PostDeployCheck',
      (props) => ({ ...props, keyPairs: '-----BEGIN PRIVATE KEY-----' }),
      '`keyPairs` must be a list of key pairs, got: a private key, which is not shown; write it in brackets: [ ]',
    ],
  ];

  test.each(cases)('%s', (_, name, change, sentence) => {
    expect(problemsOf(name, change)).toEqual([expect.stringContaining(`[test/it] ${sentence}`)]);
  });

  test('several at once are all named', () => {
    const problems = problemsOf('ServiceEndpoint', ({ network: _, ...props }) => ({
      ...props,
      scheme: 'HTTPS',
      apiHost: 'https://api.example',
      ports: [443],
    }));
    expect(problems).toHaveLength(4);
  });

  test('a stack without a provider says so once, with what to add', () => {
    const stack = new TerraformStack(testingApp(), 'test');
    network(stack);
    expect(() => Testing.synth(stack, true)).toThrow(
      "[test/network/Default] `provider` is missing: the stack must have a CloudProvider without an alias, got: none; add new CloudProvider(stack, 'cloud', { region: 'cn-beijing' })",
    );
  });

  test('a provider with an alias serves only what names it', () => {
    const stack = new TerraformStack(testingApp(), 'test');
    const provider = new CloudProvider(stack, 'cloud', { region: 'cn-beijing', alias: 'second' });
    const made = new PrivateNetwork(stack, 'network', { network: NETWORK, provider });
    expect(made.vpcId).not.toBe('');
    Testing.synth(stack, true);
    new PrivateNetwork(stack, 'other', { network: { ...NETWORK, name: 'other' } });
    expect(() => Testing.synth(stack, true)).toThrow('got: only second; add');
  });
});

test('methods that JavaScript calls with anything answer by a sentence, too', () => {
  const stack = new TerraformStack(testingApp(), 'test');
  new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
  const place = network(stack);
  const endpoint = new ServiceEndpoint(stack, 'endpoint', {
    ...ENDPOINT,
    scheme: 'https',
    network: place,
    privateZone: true,
  });
  const egress = new FixedIpEgress(stack, 'egress', {
    name: 'api',
    baseUrl: 'https://static-api.example',
    apiHost: 'api.example',
    securityGroup: { vpcId: 'vpc-1' },
  });
  const plugin = new PluginEndpointService(stack, 'plugin', {
    name: 'orders',
    backend: 'orders',
    serviceAccountId: '2100000001',
    payer: 'Endpoint',
    loadBalancer: { loadBalancerId: 'clb-1', port: 443 },
  });
  for (const wrong of [undefined, null, 7, {}, []] as never[]) {
    endpoint.allowFrom(wrong);
    endpoint.bindPrivateZone(wrong);
    egress.allowDns(wrong);
    plugin.acceptConnection(wrong);
  }
  endpoint.allowFrom('10.20.2.0/24', 7 as never);
  const problems = (() => {
    try {
      return String(Testing.synth(stack, true));
    } catch (error) {
      return (error as Error).message;
    }
  })();
  for (const method of ['allowFrom', 'bindPrivateZone', 'allowDns', 'acceptConnection']) {
    expect(problems).toMatch(new RegExp(`\\[test/\\w+\\] \`${method}\` must be .*got: undefined`));
  }
  expect(problems).toContain('`allowFrom.reason` must be text, got: 7');
  expect(problems).not.toContain('Cannot read');
});
