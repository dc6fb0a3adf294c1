import type { TerraformStack } from 'cdktf';
import { FixedIpIngress } from 'cdktf-secure-connectivity';

export function example(stack: TerraformStack): void {
  new FixedIpIngress(stack, 'plugin', {
    name: 'tickets',
    backend: 'tickets',
    ports: [443],
    addresses: {
      version: '2026-05-04',
      entries: [
        {
          address: '198.51.100.7',
          state: 'active',
          firstSeen: '2026-05-04',
          source: 'mail of the business manager',
        },
      ],
    },
    securityGroup: { vpcId: 'vpc-1a2b' },
  });
}
