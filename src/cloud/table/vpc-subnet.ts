import { computed, optional, required, TAGS } from './attribute.js';
import type { Row } from './row.js';

export const vpcSubnet = {
  kind: 'resource',
  type: 'volcenginecc_vpc_subnet',
  version: 1,
  cloudType: 'Volcengine::VPC::Subnet',
  importId: ['SubnetId'],
  permissions: {
    create: ['vpc:CreateSubnet', 'vpc:DescribeSubnetAttributes'],
    read: ['vpc:DescribeSubnetAttributes'],
    update: [
      'vpc:ModifySubnetAttributes',
      'vpc:UntagResources',
      'vpc:TagResources',
      'vpc:DescribeSubnetAttributes',
    ],
    delete: ['vpc:DeleteSubnet', 'vpc:DescribeSubnets'],
    list: ['vpc:DescribeSubnets'],
  },
  attributes: {
    cidr_block: required('string', { text: 'cidr', replaces: true }),
    vpc_id: required('string', { replaces: true }),
    zone_id: required('string', { replaces: true }),
    description: optional('string', { text: 'description', length: [0, 255] }),
    enable_ipv_6: optional('bool', { writeOnly: true }),
    ipv_6_cidr_block: optional('string', { writeOnly: true, length: [0, 255] }),
    subnet_name: optional('string', { text: 'name', length: [1, 128] }),
    tags: TAGS,
    account_id: computed('string'),
    available_ip_address_count: computed('number'),
    created_time: computed('string'),
    id: computed('string'),
    is_default: computed('bool'),
    network_acl_id: computed('string'),
    project_name: computed('string'),
    read_ipv_6_cidr_block: computed('string'),
    route_table: computed('object', {
      of: {
        route_table_id: computed('string'),
        route_table_type: computed('string'),
      },
    }),
    status: computed('string'),
    subnet_id: computed('string'),
    total_ipv_4_count: computed('number'),
    updated_time: computed('string'),
  },
} as const satisfies Row;
