import { TerraformStack } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { FixedIpEgress } from '../../src/constructs/fixed-ip/fixed-ip-egress.js';
import { PluginEndpointService } from '../../src/constructs/plugin-endpoint-service/plugin-endpoint-service.js';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { ServiceEndpoint } from '../../src/constructs/service-endpoint/service-endpoint.js';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';
import { type AccessAssertions, expectAccess } from '../../src/testing/index.js';
import { testingApp } from '../support/testing-app.js';

const stack = new TerraformStack(testingApp(), 'test');
const network = PrivateNetwork.fromAttributes(stack, 'network', {
  vpcId: 'vpc-1',
  cidrs: ['10.30.0.0/16'],
  subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '10.30.1.0/24' } },
});
new ServiceEndpoint(stack, 'endpoint', {
  network,
  name: 'service',
  serviceName: 'com.example.epsvc-1a2b',
  apiHost: 'api.example.com',
  scheme: 'https',
  allowedNetworks: ['10.30.1.0/24'],
});
new FixedIpEgress(stack, 'egress', {
  name: 'api',
  baseUrl: 'https://static-api.example.com',
  apiHost: 'api.example.com',
  securityGroup: { vpcId: 'vpc-1' },
});
new PluginEndpointService(stack, 'plugin', {
  name: 'orders',
  backend: 'orders',
  serviceAccountId: '2100000001',
  payer: 'Endpoint',
  loadBalancer: { loadBalancerId: 'clb-1', port: 443 },
  acceptedEndpointIds: ['ep-1'],
});

test('what is open is allowed, and what is not is denied', () => {
  expectAccess(stack)
    .toAllow({ from: '10.30.1.0/24', port: 443, subject: 'service' })
    .toAllow({ from: '10.30.1.7', port: 443 })
    .toAllow({ to: '36.110.186.29', port: 443 })
    .toAllow({ from: { account: '2100000001' }, port: 443 })
    .toAllow({ from: { endpoint: 'ep-1' }, port: 443 })
    .toDenyAll({ from: '10.30.2.0/24' })
    .toDenyAll({ from: '0.0.0.0/0', port: 80, protocol: 'any' })
    .toDenyAll({ to: '8.8.8.8' })
    .toDenyAll({ from: { account: '2100000002' } });
});

test('nothing but the listed traffic is allowed', () => {
  expectAccess(stack).toAllowOnly(
    { from: '10.30.1.0/24', port: 443 },
    { from: { account: '2100000001' }, port: 443 },
    { from: { endpoint: 'ep-1' }, port: 443 },
    ...FIXED_ADDRESSES.entries.map(({ address }) => ({ to: address, port: 443 })),
  );
});

describe('throws what test runners take for a failed assertion', () => {
  test.each<[string, (access: AccessAssertions) => unknown, string]>([
    [
      'where only a part is allowed',
      (access) => access.toAllow({ from: '10.30.0.0/16', port: 443 }),
      'the stack must allow from 10.30.0.0/16, tcp 443, and no rule does',
    ],
    [
      'where the port is another one',
      (access) => access.toAllow({ from: '10.30.1.0/24', port: 80 }),
      'the stack must allow from 10.30.1.0/24, tcp 80, and no rule does',
    ],
    [
      'where the direction is the other one',
      (access) => access.toAllow({ to: '10.30.1.0/24', port: 443 }),
      'the stack must allow to 10.30.1.0/24, tcp 443, and no rule does',
    ],
    [
      'where a part is open',
      (access) => access.toDenyAll({ from: '10.0.0.0/8' }),
      'the stack must deny from 10.0.0.0/8, tcp any port, got: service from 10.30.1.0/24, tcp 443',
    ],
    [
      'where more is open',
      (access) => access.toAllowOnly({ from: '10.30.1.0/24', port: 443 }),
      'the stack must allow nothing else, got: api to 36.110.186.29/32, tcp 443',
    ],
  ])('%s', (_, assertion, message) => {
    let error: Error | undefined;
    try {
      assertion(expectAccess(stack));
    } catch (thrown) {
      error = thrown as Error;
    }
    expect(error).toMatchObject({ name: 'AssertionError', expected: expect.anything() });
    expect(error?.message).toContain(message);
    expect(error?.message).toContain('it allows:\n');
  });
});

test('asks for one side of the traffic, and for a stack with constructs', () => {
  expect(() => expectAccess(stack).toAllow({ port: 443 })).toThrow(
    'exactly one of `from` and `to` must be given',
  );
  expect(() => expectAccess(new TerraformStack(testingApp(), 'empty'))).toThrow(
    'the stack must hold constructs of cdktf-secure-connectivity, got: none',
  );
});
