import { expect, test } from 'vitest';
import { permissionsFor } from '../../scripts/permissions-reference.js';

test('joins what a deploy and a search need, each action once', () => {
  const [connection] = permissionsFor(['volcenginecc_privatelink_vpc_endpoint_connection']);
  expect(connection?.actions).toContain('privatelink:EnableVpcEndpointConnection');
  expect(connection?.actions).toContain('privatelink:DescribeVpcEndpointConnections');
  expect(connection?.actions).toEqual([...new Set(connection?.actions)].sort());
});

test('leaves out what the table does not know', () => {
  expect(permissionsFor(['null_resource', 'volcenginecc_vpc_vpc']).map(({ type }) => type)).toEqual(
    ['volcenginecc_vpc_vpc'],
  );
});
