import { TerraformStack, Testing } from 'cdktf';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CloudProvider } from '../../src/cloud/cloud-provider.js';
import { FixedIpEgress } from '../../src/constructs/fixed-ip/fixed-ip-egress.js';
import { PluginEndpointService } from '../../src/constructs/plugin-endpoint-service/plugin-endpoint-service.js';
import { PostDeployCheck } from '../../src/constructs/post-deploy-check/post-deploy-check.js';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { ServiceEndpoint } from '../../src/constructs/service-endpoint/service-endpoint.js';
import { UserIdHeader } from '../../src/constructs/user-id-header.js';
import { temporaryFolder } from '../support/cleanup.js';
import { testingApp } from '../support/testing-app.js';

/** One mistake in each construct. */
function mistaken(): TerraformStack {
  const stack = new TerraformStack(testingApp(), 'test');
  new CloudProvider(stack, 'cloud', { region: 'cn-shanghai' });
  const network = new PrivateNetwork(stack, 'network', {
    network: { name: 'n', cidr: '10.0.0.1/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } },
  });
  const endpoint = new ServiceEndpoint(stack, 'endpoint', {
    network,
    name: 'service',
    serviceName: 'com.example.epsvc-1a2b',
    apiHost: 'https://api.example',
    scheme: 'https',
  });
  const egress = new FixedIpEgress(stack, 'egress', {
    name: 'api',
    baseUrl: 'https://static-api.example',
    apiHost: 'api.example',
  });
  const plugin = new PluginEndpointService(stack, 'plugin', {
    name: 'orders',
    backend: 'orders',
    serviceAccountId: 'service',
    payer: 'Endpoint',
    loadBalancer: { protocol: 'TCP', port: 0, servers: [], network },
  });
  new UserIdHeader(stack, 'header', { backend: 'billing', guards: [plugin] });
  new PostDeployCheck(stack, 'check', { links: [endpoint, egress], waitSeconds: -1 });
  return stack;
}

const MISTAKES: readonly (readonly [path: string, text: string])[] = [
  ['test/network', '`cidr` has host bits set'],
  ['test/endpoint', '`apiHost` must be a host name'],
  ['test/egress', '`securityGroup`, `prefixList` or `cloudFirewall` must be given'],
  ['test/plugin', '`serviceAccountId` must be the digits of an account id'],
  ['test/header', '`backend` must be one that'],
  ['test/check', '`waitSeconds` must be 0 to 86400, got: -1'],
];

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

test('all mistakes of a stack are reported together, under the paths of their constructs', () => {
  const message = messageOf(() => Testing.synth(mistaken(), true));
  for (const [path, text] of MISTAKES) expect(message).toContain(`[${path}] ${text}`);
  expect(message).toContain('[test/cloud] `region` must be "cn-beijing"');
});

test('a synthesis says the same in the words of an error of this package', async () => {
  const stack = mistaken();
  // Where cdktf makes a folder for each, and leaves it behind.
  vi.stubEnv('TMPDIR', await temporaryFolder());
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(() => Testing.fullSynth(stack)).toThrow(
    expect.objectContaining({ name: 'ConnectivityError', code: 'usage.invalid' }),
  );
  const message = messageOf(() => Testing.fullSynth(stack));
  for (const [path, text] of MISTAKES) {
    const [, own = ''] = message.split(`${path} is not valid:\n`);
    expect(own.split(' is not valid:')[0]).toContain(`  ${text}`);
  }
});

test('a unit test without validations does not take a stack with mistakes for a right one', () => {
  const message = messageOf(() => Testing.synth(mistaken()));
  for (const [, text] of MISTAKES) expect(message).toContain(text);
  expect(message).not.toMatch(/Resolution error|creation stack/);
});

test('what follows from a mistake elsewhere is not reported', () => {
  const message = messageOf(() => Testing.synth(mistaken(), true));
  expect(message).not.toContain('`zones`');
  expect(message.match(/\[test\/endpoint\]/g)).toHaveLength(1);
});

test('what uses a construct with a mistake has none of its own', () => {
  const stack = new TerraformStack(testingApp(), 'test');
  new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
  const network = new PrivateNetwork(stack, 'network', {
    network: { name: 'n', cidr: '10.0.0.1/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } },
  });
  new FixedIpEgress(stack, 'egress', {
    name: 'api',
    baseUrl: 'https://static-api.example',
    apiHost: 'api.example',
    securityGroup: { vpcId: network.vpcId },
  });
  const text = messageOf(() => Testing.synth(stack, true));
  expect(text.match(/\[test.*/g)).toEqual([expect.stringContaining('[test/network] `cidr` has')]);
});

test('a network with a mistake has no subnets, zones or servers outside of it', () => {
  const stack = new TerraformStack(testingApp(), 'test');
  new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
  const network = new PrivateNetwork(stack, 'network', {
    network: { name: 'n', cidr: '10.40.0.0/30', subnets: { 'cn-beijing-a': '10.40.1.0/24' } },
  });
  const servers = [{ type: 'ip' as const, ip: '10.40.1.10', port: 8080 }];
  new PluginEndpointService(stack, 'plugin', {
    ...{ name: 'orders', backend: 'orders', serviceAccountId: '2100000001', payer: 'Endpoint' },
    loadBalancer: { protocol: 'TCP', port: 80, servers, network, zone: 'cn-beijing-a' },
  });
  const text = messageOf(() => Testing.synth(stack, true));
  expect(text.match(/\[test.*/g)).toEqual([
    expect.stringContaining('[test/network] `cidr` must lie in'),
  ]);
});
