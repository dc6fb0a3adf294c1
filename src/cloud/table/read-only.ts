import { actionsOf, optional, type ResourceRow, resource } from './row.js';

const text = optional('string');
const texts = optional('set(string)');

const ENTRY = { cidr_ip: text, description: text, policy: text, port: text, protocol: text };
const ENTRIES = optional('set(object)', { of: ENTRY });
const DEFAULT_ENTRIES = optional('set(object)', { of: { ...ENTRY, priority: optional('number') } });

export const vpcEni = resource({
  type: 'volcenginecc_vpc_eni',
  cloudType: 'Volcengine::VPC::ENI',
  importId: ['NetworkInterfaceId'],
  actions: actionsOf('vpc', {
    deploy: ['DescribeNetworkInterfaceAttributes'],
    list: ['DescribeNetworkInterfaces'],
  }),
  attributes: {
    primary_ip_address: optional('object', { of: { private_ip_address: text } }),
    private_ip_sets: optional('set(object)', { of: { private_ip_address: text } }),
    security_group_ids: texts,
    subnet_id: text,
    vpc_id: text,
  },
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

export const privatezoneResolverRule = resource({
  type: 'volcenginecc_privatezone_resolver_rule',
  cloudType: 'Volcengine::PrivateZone::ResolverRule',
  importId: ['RuleID'],
  attributes: {
    enable: optional('bool'),
    forward_i_ps: optional('set(object)', {
      cloudName: 'ForwardIPs',
      of: { ip: optional('string', { cloudName: 'IP' }), port: optional('number') },
    }),
    name: text,
    type: text,
    vp_cs: optional('set(object)', {
      cloudName: 'VPCs',
      of: { region: text, vpc_id: optional('string', { cloudName: 'VpcID' }) },
    }),
    zone_name: text,
  },
});

export const privatezoneUserVpcAuthorization = resource({
  type: 'volcenginecc_privatezone_user_vpc_authorization',
  cloudType: 'Volcengine::PrivateZone::UserVPCAuthorization',
  importId: ['AccountID'],
  attributes: { account_id: optional('string', { cloudName: 'AccountID' }) },
});

export const natgatewayDnatentry = resource({
  type: 'volcenginecc_natgateway_dnatentry',
  cloudType: 'Volcengine::NatGateway::Dnatentry',
  importId: ['DnatEntryId'],
  attributes: {
    external_ip: text,
    external_port: text,
    internal_ip: text,
    internal_port: text,
    nat_gateway_id: text,
    protocol: text,
  },
});

export const fwcenterVpcFireWallAclRule = resource({
  type: 'volcenginecc_fwcenter_vpc_fire_wall_acl_rule',
  cloudType: 'Volcengine::FWCenter::VpcFirewallAclRule',
  importId: ['VpcFirewallId', 'RuleId'],
  actions: actionsOf('fw_center', {
    deploy: ['DescribeVpcFirewallAclRuleList'],
    list: ['DescribeVpcFirewallAclRuleList'],
  }),
  attributes: {
    action: text,
    dest_port: text,
    destination: text,
    destination_type: text,
    proto: text,
    source: text,
    source_type: text,
    status: optional('bool'),
    vpc_firewall_id: text,
  },
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
  privatezoneResolverRule,
  privatezoneUserVpcAuthorization,
  natgatewayDnatentry,
  fwcenterVpcFireWallAclRule,
];
