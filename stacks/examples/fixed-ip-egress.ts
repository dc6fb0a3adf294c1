import type { TerraformStack } from 'cdktf';
import { FixedIpEgress } from 'cdktf-secure-connectivity';

export function example(stack: TerraformStack): void {
  const egress = new FixedIpEgress(stack, 'fixed-ip-egress', {
    name: 'agent-service-api',
    baseUrl: 'https://static-api.example.com',
    apiHost: 'api.example.com',
    securityGroup: { vpcId: 'vpc-1a2b' },
  });
  egress.allowDns('10.40.0.2/32');
}
