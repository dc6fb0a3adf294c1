import { expect, it } from 'vitest';
import { cliConfiguration } from '../../../src/sandbox/terraform/prepare-terraform.js';

it.each(['/mirror', '/%{name}', '/50% {off}'])('names the mirror %s as it is', (folder) => {
  expect(cliConfiguration(folder)).toContain(`    path = "${folder}"\n`);
});

it('knows no provider without a mirror', () => {
  expect(cliConfiguration()).toContain('provider_installation {}');
});
