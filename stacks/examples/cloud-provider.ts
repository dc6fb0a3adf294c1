import type { TerraformStack } from 'cdktf';
import { CloudProvider } from 'cdktf-secure-connectivity';

export function example(stack: TerraformStack): void {
  new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
}
