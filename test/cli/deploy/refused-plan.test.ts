import { expect, test } from 'vitest';
import { refuseKeptResources } from '../../../src/cli/deploy/approval/plan-checks.js';

const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint.service-endpoint';
const SERVICE = 'volcenginecc_privatelink_endpoint_service.order-lookup';

const facts = {
  backend: '',
  backendType: 'local',
  reads: [],
  hasImports: false,
  checks: [],
  kept: [ENDPOINT, SERVICE],
  outputs: undefined,
};

const refused = (address: string) => `
│ Error: Instance cannot be destroyed
│
│   on cdk.tf.json line 12, in resource:
│
│ Resource ${address} has
│ lifecycle.prevent_destroy set, but the plan calls for this resource to be
│ destroyed.
`;

test.each([
  [ENDPOINT, 'serviceEndpoint.preventDestroy'],
  [SERVICE, 'pluginEndpointService.preventDestroy'],
])('the refusal for %s names it alone, and its setting', (address, setting) => {
  const refuse = () => refuseKeptResources('deploy', { name: 'api' }, facts, refused(address));
  expect(refuse).toThrow(
    `${address} of api must not be destroyed or replaced while \`preventDestroy\` is true, got: a plan that does so; nothing was changed. To allow it, set \`${setting}\` to false in the settings, and run this again`,
  );
});

test('another failure is left to Terraform', () => {
  expect(() => refuseKeptResources('destroy', { name: 'api' }, facts, 'Error: no')).not.toThrow();
});
