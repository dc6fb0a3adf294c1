import { actionsOf, optional, type ResourceRow, resource } from './row.js';

const text = optional('string');
const texts = optional('set(string)');

const ENTRIES = optional('set(object)', {
  of: { cidr_ip: text, description: text, policy: text, port: text, protocol: text },
});

const DEFAULT_ENTRIES = optional('set(object)', {
  of: {
    cidr_ip: text,
    description: text,
    policy: text,
    port: text,
    priority: optional('number'),
    protocol: text,
  },
});

export const vpcEni = resource({
  type: 'volcenginecc_vpc_eni',
  cloudType: 'Volcengine::VPC::ENI',
  importId: ['NetworkInterfaceId'],
  actions: actionsOf('vpc', {
    deploy: ['DescribeNetworkInterfaceAttributes'],
    list: ['DescribeNetworkInterfaces'],
  }),
  attributes: { security_group_ids: texts, subnet_id: text, vpc_id: text },
});

export const vpcNetworkAcl = resource({
  type: 'volcenginecc_vpc_network_acl',
  cloudType: 'Volcengine::VPC::NetworkAcl',
  importId: ['NetworkAclId'],
  actions: actionsOf('vpc', {
    deploy: ['DescribeNetworkAclAttributes'],
    list: ['DescribeNetworkAcls'],
  }),
  attributes: {
    default_egress_acl_entries: DEFAULT_ENTRIES,
    default_ingress_acl_entries: DEFAULT_ENTRIES,
    egress_acl_entries: ENTRIES,
    ingress_acl_entries: ENTRIES,
    resources: optional('set(object)', { of: { resource_id: text } }),
    vpc_id: text,
  },
});

export const vpcRouteTable = resource({
  type: 'volcenginecc_vpc_route_table',
  cloudType: 'Volcengine::VPC::RouteTable',
  importId: ['RouteTableId'],
  actions: actionsOf('vpc', {
    deploy: ['DescribeRouteEntryList', 'DescribeRouteTableList'],
    list: ['DescribeRouteTableList'],
  }),
  attributes: {
    custom_route_entries: optional('set(object)', {
      of: { destination_cidr_block: text, next_hop_id: text, next_hop_type: text },
    }),
    vpc_id: text,
  },
});

export const clbRule = resource({
  type: 'volcenginecc_clb_rule',
  cloudType: 'Volcengine::CLB::Rule',
  importId: ['ListenerId', 'RuleId'],
  actions: actionsOf('clb', { deploy: ['DescribeRules'], list: ['DescribeRules'] }),
  attributes: {
    action_type: text,
    domain: text,
    listener_id: text,
    server_group_id: text,
    url: text,
  },
});

export const ecsInstance = resource({
  type: 'volcenginecc_ecs_instance',
  cloudType: 'Volcengine::ECS::Instance',
  importId: ['InstanceId'],
  actions: actionsOf('ecs', {
    deploy: ['DescribeInstances', 'DescribeInstancesIamRoles', 'DescribeUserData'],
    list: ['DescribeInstances'],
  }),
  attributes: { vpc_id: text },
});

/**
 * Types that act on what a stack has, and that no stack of this package makes: they are read from the
 * cloud alone, with the attributes that decide something.
 */
export const READ_ONLY_ROWS: readonly ResourceRow[] = [
  vpcEni,
  vpcNetworkAcl,
  vpcRouteTable,
  clbRule,
  ecsInstance,
];
