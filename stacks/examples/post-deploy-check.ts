import type { TerraformStack } from 'cdktf';
import { PostDeployCheck, PrivateNetwork, ServiceEndpoint } from 'cdktf-secure-connectivity';

export function example(stack: TerraformStack): void {
  const network = PrivateNetwork.fromAttributes(stack, 'network', {
    vpcId: 'vpc-1a2b',
    cidrs: ['10.40.0.0/16'],
    subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.40.1.0/24' } },
  });
  const endpoint = new ServiceEndpoint(stack, 'endpoint', {
    network,
    name: 'agent-service',
    serviceName: 'com.volces.privatelink.cn-beijing.epsvc-1a2b',
    apiHost: 'api.example.com',
    scheme: 'https',
    allowedNetworks: ['10.40.1.0/24'],
  });
  new PostDeployCheck(stack, 'check', { links: [endpoint], waitSeconds: 60 });
}
