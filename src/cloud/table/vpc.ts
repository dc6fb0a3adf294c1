import {
  actionsOf,
  computed,
  mandatory,
  optional,
  required,
  resource,
  TAGS,
  written,
} from './row.js';

export const vpcVpc = resource({
  type: 'volcenginecc_vpc_vpc',
  cloudType: 'Volcengine::VPC::VPC',
  importId: ['VpcId'],
  actions: actionsOf('vpc', {
    deploy: [
      'AssociateVpcCidrBlock',
      'AssociateVpcUserCidrBlock',
      'CreateVpc',
      'DeleteVpc',
      'DescribeVpcAttributes',
      'DisassociateVpcCidrBlock',
      'DisassociateVpcUserCidrBlock',
      'ModifyVpcAttributes',
      'TagResources',
      'UntagResources',
    ],
    list: ['DescribeVpcs'],
  }),
  attributes: {
    cidr_block: optional('string', { text: 'cidr', replaces: true }),
    description: optional('string', { text: 'description', length: [0, 255] }),
    dns_servers: optional('set(string)', { items: [0, 5] }),
    enable_ipv_6: optional('bool', { writeOnly: true }),
    ipv_4_gateway_id: optional('string', { replaces: true }),
    ipv_6_cidr_block: optional('string'),
    nat_gateway_ids: optional('set(string)'),
    project_name: optional('string', { replaces: true }),
    secondary_cidr_blocks: optional('set(string)'),
    subnet_ids: optional('set(string)'),
    support_ipv_4_gateway: optional('bool', { replaces: true }),
    tags: TAGS,
    user_cidr_blocks: optional('set(string)'),
    vpc_name: optional('string', { text: 'name', length: [1, 128] }),
    account_id: computed('string'),
    associate_cens: computed('set(object)', {
      of: {
        cen_id: computed('string'),
        cen_owner_id: computed('string'),
        cen_status: computed('string'),
      },
    }),
    creation_time: computed('string'),
    is_default: computed('bool'),
    network_acl_num: computed('string'),
    route_table_ids: computed('set(string)'),
    security_group_ids: computed('set(string)'),
    status: computed('string'),
    update_time: computed('string'),
    vpc_id: computed('string'),
  },
});

export const vpcSubnet = resource({
  type: 'volcenginecc_vpc_subnet',
  cloudType: 'Volcengine::VPC::Subnet',
  importId: ['SubnetId'],
  actions: actionsOf('vpc', {
    deploy: [
      'CreateSubnet',
      'DeleteSubnet',
      'DescribeSubnetAttributes',
      'DescribeSubnets',
      'ModifySubnetAttributes',
      'TagResources',
      'UntagResources',
    ],
    list: ['DescribeSubnets'],
  }),
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
});

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

export const vpcSecurityGroup = resource({
  type: 'volcenginecc_vpc_security_group',
  cloudType: 'Volcengine::VPC::SecurityGroup',
  importId: ['SecurityGroupId'],
  actions: actionsOf('vpc', {
    deploy: [
      'AuthorizeSecurityGroupEgress',
      'AuthorizeSecurityGroupIngress',
      'CreateSecurityGroup',
      'DescribePrefixLists',
      'DescribeSecurityGroupAttributes',
      'DescribeSecurityGroups',
      'DescribeVpcAttributes',
      'ModifySecurityGroupAttributes',
      'RevokeSecurityGroupEgress',
      'RevokeSecurityGroupIngress',
      'TagResources',
      'UntagResources',
    ],
    list: ['DescribeSecurityGroups'],
  }),
  attributes: {
    vpc_id: required('string', { replaces: true }),
    description: optional('string', { text: 'description', length: [0, 255] }),
    egress_permissions: RULES,
    ingress_permissions: RULES,
    project_name: optional('string', { replaces: true, default: 'default' }),
    security_group_name: optional('string', { text: 'name', length: [1, 128] }),
    tags: TAGS,
    creation_time: computed('string'),
    security_group_id: computed('string'),
    service_managed: computed('bool'),
    status: computed('string'),
    type: computed('string'),
  },
});

/** The users of a prefix list. */
const ASSOCIATIONS = computed('set(object)', {
  of: {
    resource_id: computed('string'),
    resource_type: computed('string'),
  },
});

export const vpcPrefixList = resource({
  type: 'volcenginecc_vpc_prefix_list',
  cloudType: 'Volcengine::VPC::PrefixList',
  importId: ['PrefixListId'],
  actions: actionsOf('vpc', {
    deploy: [
      'CreatePrefixList',
      'DeletePrefixList',
      'DescribePrefixListAssociations',
      'DescribePrefixListEntries',
      'DescribePrefixLists',
      'ModifyPrefixList',
      'TagResources',
      'UntagResources',
    ],
    list: ['DescribePrefixLists'],
  }),
  attributes: {
    max_entries: required('number', { range: [1, 200] }),
    description: optional('string', { text: 'description', length: [0, 255] }),
    ip_version: optional('string', {
      documented: true,
      replaces: true,
      oneOf: ['IPv4', 'IPv6'],
      default: 'IPv4',
    }),
    prefix_list_entries: optional('set(object)', {
      documented: true,
      spelledOut: true,
      items: [1, 200],
      of: {
        cidr: mandatory('string', { text: 'cidr' }),
        description: written('string', { text: 'description', length: [0, 255] }),
      },
    }),
    prefix_list_name: optional('string', { text: 'name', length: [1, 128] }),
    project_name: optional('string', { replaces: true, default: 'default' }),
    tags: TAGS,
    association_count: computed('number'),
    associations_route_tables: ASSOCIATIONS,
    associations_security_groups: ASSOCIATIONS,
    created_time: computed('string'),
    prefix_list_id: computed('string'),
    status: computed('string'),
    updated_time: computed('string'),
  },
});
