import type { TerraformStack } from 'cdktf';
import { PluginEndpointService } from 'cdktf-secure-connectivity';

export function example(stack: TerraformStack): void {
  const plugin = new PluginEndpointService(stack, 'plugin', {
    name: 'order-lookup',
    backend: 'orders',
    serviceAccountId: '2100000001',
    payer: 'EndpointService',
    loadBalancer: { loadBalancerId: 'clb-1a2b', port: 443 },
  });
  // After the private connection was added in the service's console.
  plugin.acceptConnection('ep-1a2b');
}
