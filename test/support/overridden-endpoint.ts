import { TerraformResource, TerraformStack } from 'cdktf';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { ServiceEndpoint } from '../../src/constructs/service-endpoint/service-endpoint.js';
import { expectAccess } from '../../src/testing/index.js';
import { testingApp } from './testing-app.js';

/** A stack whose endpoint lets in other networks than its access rules say. */
export function overridden(
  networks: readonly string[],
  override: (group: TerraformResource) => void,
) {
  const own = new TerraformStack(testingApp(), 'test');
  new ServiceEndpoint(own, 'endpoint', {
    network: PrivateNetwork.fromAttributes(own, 'network', {
      vpcId: 'vpc-1',
      cidrs: ['10.30.0.0/16'],
      subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '10.30.1.0/24' } },
    }),
    name: 'service',
    serviceName: 'com.example.epsvc-1a2b',
    apiHost: 'api.example.com',
    scheme: 'https',
    allowedNetworks: networks,
  });
  for (const group of own.node.findAll().filter(isGroup)) override(group);
  return expectAccess(own);
}

function isGroup(node: object): node is TerraformResource {
  return (
    TerraformResource.isTerraformResource(node) &&
    node.terraformResourceType === 'volcenginecc_vpc_security_group'
  );
}
