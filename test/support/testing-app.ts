import { join } from 'node:path';
import { type App, type TerraformStack, Testing } from 'cdktf';
import { inject } from 'vitest';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { ServiceEndpoint } from '../../src/constructs/service-endpoint/service-endpoint.js';

/** An app for tests; its output folder goes when all tests are done. */
export function testingApp(): App {
  return Testing.app({ outdir: join(inject('appFolder'), `${process.pid}`) });
}

/** Adds an endpoint in an existing network that 10.30.1.0/24 alone may call. */
export function addEndpoint(
  stack: TerraformStack,
  name: string,
  securityGroupIds?: readonly string[],
) {
  const network = PrivateNetwork.fromAttributes(stack, 'network', {
    vpcId: 'vpc-1',
    cidrs: ['10.30.0.0/16'],
    subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '10.30.1.0/24' } },
  });
  new ServiceEndpoint(stack, 'endpoint', {
    network,
    name,
    serviceName: 'com.example.epsvc-1a2b',
    apiHost: 'api.example.com',
    scheme: 'https',
    allowedNetworks: ['10.30.1.0/24'],
    ...(securityGroupIds !== undefined && { securityGroupIds }),
  });
}
