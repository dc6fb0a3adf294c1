import { expect, test } from 'vitest';
import { asTerraform, type CloudObjects } from '../../src/reach/read/cloud-state.js';
import { connectPlugin } from '../../src/sandbox/plugin/connections.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import {
  BALANCER,
  emptyCloud,
  GROUP,
  PREFIX_LIST,
  rule,
  SERVICE,
  SERVICE_ACCOUNT,
  SUBNET,
  subnetInput,
  VPC,
} from '../sandbox/support.js';

function bodiesOf(state: CloudObjects) {
  return new Map(asTerraform(state).map(({ address, body }) => [address, body]));
}

test('names a resource by its identifier, and refers to others by it', () => {
  const cloud = emptyCloud();
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const list = cloud.create(PREFIX_LIST, {
    MaxEntries: 2,
    PrefixListEntries: [{ Cidr: '192.0.2.0/24' }],
  });
  const { CidrIp: _, ...listed } = rule({ PrefixListId: list });
  const group = cloud.create(GROUP, { VpcId: vpc, IngressPermissions: [listed] });
  const bodies = bodiesOf(cloud.state);
  expect(bodies.get(`volcenginecc_vpc_security_group.${group}`)).toMatchObject({
    vpc_id: `\${volcenginecc_vpc_vpc.${vpc}.id}`,
    ingress_permissions: [
      { prefix_list_id: `\${volcenginecc_vpc_prefix_list.${list}.id}`, port_start: 443 },
    ],
  });
  expect(bodies.get(`volcenginecc_vpc_prefix_list.${list}`)).toMatchObject({
    prefix_list_entries: [{ cidr: '192.0.2.0/24' }],
  });
});

test('has what only the cloud gives, and no connections that are not accepted', () => {
  const cloud = emptyCloud();
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const subnet = cloud.create(SUBNET, subnetInput(vpc));
  const balancer = cloud.create(BALANCER, { Type: 'private', SubnetId: subnet });
  const service = cloud.create(SERVICE, {
    PermitAccountIds: [SERVICE_ACCOUNT],
    Resources: [{ ResourceId: balancer }],
  });
  connectPlugin(
    cloud,
    () => ({ cloud: cloud.state, faults: new Set(), service: SANDBOX_SERVICE }),
    service,
  );
  const bodies = bodiesOf(cloud.state);
  expect(bodies.get(`volcenginecc_vpc_vpc.${vpc}`)).toMatchObject({ status: 'Available' });
  const types = asTerraform(cloud.state).map(({ type }) => type);
  expect(types).not.toContain('volcenginecc_privatelink_vpc_endpoint_connection');
});
