import { computed, mandatory, optional, required, TAGS, written } from './attribute.js';
import type { Row } from './row.js';

/**
 * Exactly one of `cidr_ip`, `prefix_list_id` and `source_group_id`: with several the cloud lets one
 * win silently. Priority 1 is looked at first; at equal priority `drop` wins.
 */
const RULES = optional('set(object)', {
  // 200 of each family.
  items: [0, 400],
  documented: true,
  spelledOut: true,
  of: {
    cidr_ip: optional('string', { text: 'cidr', unused: '' }),
    description: mandatory('string', { documented: true, text: 'description', length: [0, 255] }),
    direction: written('string', { documented: true, oneOf: ['ingress', 'egress'] }),
    policy: mandatory('string', { documented: true, oneOf: ['accept', 'drop'] }),
    port_end: mandatory('number', { documented: true, range: [-1, 65535] }),
    port_start: mandatory('number', { documented: true, range: [-1, 65535] }),
    prefix_list_id: optional('string', { unused: '' }),
    priority: mandatory('number', { documented: true, range: [1, 100] }),
    protocol: mandatory('string', {
      documented: true,
      oneOf: ['tcp', 'udp', 'icmp', 'icmpv6', 'all'],
    }),
    source_group_id: optional('string', { unused: '' }),
  },
});

export const vpcSecurityGroup = {
  kind: 'resource',
  type: 'volcenginecc_vpc_security_group',
  version: 1,
  cloudType: 'Volcengine::VPC::SecurityGroup',
  importId: ['SecurityGroupId'],
  permissions: {
    create: [
      'vpc:CreateSecurityGroup',
      'vpc:RevokeSecurityGroupIngress',
      'vpc:RevokeSecurityGroupEgress',
      'vpc:DescribeSecurityGroupAttributes',
    ],
    read: ['vpc:DescribeSecurityGroupAttributes'],
    update: [
      'vpc:ModifySecurityGroupAttributes',
      'vpc:RevokeSecurityGroupIngress',
      'vpc:RevokeSecurityGroupEgress',
      'vpc:AuthorizeSecurityGroupIngress',
      'vpc:AuthorizeSecurityGroupEgress',
      'vpc:UntagResources',
      'vpc:TagResources',
      'vpc:DescribeVpcAttributes',
      'vpc:DescribePrefixLists',
    ],
    delete: ['vpc:DescribeSecurityGroups', 'vpc:DescribeSecurityGroupAttributes'],
    list: ['vpc:DescribeSecurityGroups'],
  },
  attributes: {
    vpc_id: required('string', { replaces: true }),
    description: optional('string', { text: 'description', length: [0, 255] }),
    egress_permissions: RULES,
    ingress_permissions: RULES,
    project_name: optional('string', { replaces: true, default: 'default' }),
    security_group_name: optional('string', { text: 'name', length: [1, 128] }),
    tags: TAGS,
    creation_time: computed('string'),
    id: computed('string'),
    security_group_id: computed('string'),
    service_managed: computed('bool'),
    status: computed('string'),
    type: computed('string'),
  },
} as const satisfies Row;
