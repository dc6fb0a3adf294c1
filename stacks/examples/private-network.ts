import type { TerraformStack } from 'cdktf';
import { PrivateNetwork } from 'cdktf-secure-connectivity';

export function example(stack: TerraformStack): void {
  new PrivateNetwork(stack, 'network', {
    network: {
      name: 'agents',
      cidr: '10.30.0.0/16',
      subnets: { 'cn-beijing-a': '10.30.1.0/24' },
    },
  });
  // One that exists; nothing in it is made or changed.
  PrivateNetwork.fromAttributes(stack, 'existing', {
    vpcId: 'vpc-1a2b',
    cidrs: ['10.40.0.0/16'],
    subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.40.1.0/24' } },
  });
}
