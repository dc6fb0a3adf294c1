import type { TerraformStack } from 'cdktf';
import { UserIdHeader } from 'cdktf-secure-connectivity';

export function example(stack: TerraformStack): void {
  new UserIdHeader(stack, 'user-id-header', {
    backend: 'orders',
    guards: [
      {
        backend: 'orders',
        callerNetworks: ['10.40.1.9/32'],
        description: 'the API gateway lets only calls with the key of the plugin through',
      },
    ],
  });
}
