import { computed, optional, permissionsOf, type Row, required, TAGS, written } from './row.js';

const READ_SERVICE = [
  'DescribeVpcEndpointServiceAttributes',
  'DescribeVpcEndpointServicePermissions',
  'DescribeVpcEndpointServiceResources',
];

export const privatelinkEndpointService = {
  kind: 'resource',
  type: 'volcenginecc_privatelink_endpoint_service',
  version: 1,
  cloudType: 'Volcengine::PrivateLink::EndpointService',
  importId: ['ServiceId'],
  permissions: permissionsOf('privatelink', {
    create: [
      'CreateVpcEndpointService',
      'AddPermissionToVpcEndpointService',
      ...READ_SERVICE,
      'VerifyVpcEndpointServicePrivateDNS',
    ],
    read: READ_SERVICE,
    update: [
      'ModifyVpcEndpointServiceAttributes',
      'UntagResources',
      'TagResources',
      'RemovePermissionFromVpcEndpointService',
      'AddPermissionToVpcEndpointService',
      'AttachResourceToVpcEndpointService',
      'DetachResourceFromVpcEndpointService',
      'ModifyVpcEndpointServiceResourceAttributes',
      'VerifyVpcEndpointServicePrivateDNS',
      ...READ_SERVICE,
    ],
    delete: ['DeleteVpcEndpointService', ...READ_SERVICE],
    list: ['DescribeVpcEndpointServices'],
  }),
  attributes: {
    auto_accept_enabled: optional('bool'),
    description: optional('string', { documented: true, text: 'description', length: [0, 255] }),
    enable_verify_private_dns: optional('bool', {
      writeOnly: true,
      cloudName: 'EnableVerifyPrivateDNS',
    }),
    ip_address_versions: optional('set(string)', { documented: true, oneOf: ['ipv4', 'ipv6'] }),
    payer: optional('string', {
      documented: true,
      replaces: true,
      oneOf: ['Endpoint', 'EndpointService'],
    }),
    permit_account_ids: optional('set(string)'),
    private_dns_enabled: optional('bool', { cloudName: 'PrivateDNSEnabled' }),
    private_dns_name: optional('string', { cloudName: 'PrivateDNSName' }),
    private_dns_type: optional('string', {
      documented: true,
      oneOf: ['public'],
      cloudName: 'PrivateDNSType',
    }),
    project_name: optional('string', { replaces: true }),
    resources: optional('set(object)', {
      documented: true,
      items: [1, 20],
      partly:
        'the cloud knows the zones of a resource and reports them: an empty list would be planned for ever',
      of: {
        resource_id: written('string'),
        zone_ids: optional('list(string)'),
      },
    }),
    service_name_managed: optional('string', { replaces: true }),
    service_name_suffix: optional('string', { replaces: true, writeOnly: true }),
    service_owner: optional('string', { replaces: true }),
    service_resource_type: optional('string', {
      documented: true,
      replaces: true,
      oneOf: ['CLB', 'ALB', 'RDSMySQL'],
    }),
    service_type: optional('string', { documented: true, replaces: true, oneOf: ['Interface'] }),
    tags: TAGS,
    wildcard_domain_enabled: optional('bool', { replaces: true }),
    billing_type: computed('number'),
    business_status: computed('string'),
    create_time: computed('string'),
    id: computed('string'),
    private_dns_name_configuration: computed('object', {
      of: {
        name: computed('string'),
        status: computed('string'),
        type: computed('string'),
        value: computed('string'),
      },
      cloudName: 'PrivateDNSNameConfiguration',
    }),
    service_domain: computed('string'),
    service_id: computed('string'),
    service_name: computed('string'),
    status: computed('string'),
    update_time: computed('string'),
    zone_ids: computed('set(string)'),
  },
} as const satisfies Row;

const READ_ENDPOINT = [
  'DescribeVpcEndpointAttributes',
  'DescribeVpcEndpointZones',
  'DescribeVpcEndpointSecurityGroups',
];

export const privatelinkVpcEndpoint = {
  kind: 'resource',
  type: 'volcenginecc_privatelink_vpc_endpoint',
  version: 1,
  cloudType: 'Volcengine::PrivateLink::VpcEndpoint',
  importId: ['EndpointId'],
  permissions: permissionsOf('privatelink', {
    create: ['CreateVpcEndpoint', ...READ_ENDPOINT],
    read: READ_ENDPOINT,
    update: [
      'ModifyVpcEndpointAttributes',
      'UntagResources',
      'TagResources',
      'RemoveZoneFromVpcEndpoint',
      'AddZoneToVpcEndpoint',
      'DetachSecurityGroupFromVpcEndpoint',
      'AttachSecurityGroupToVpcEndpoint',
      ...READ_ENDPOINT,
    ],
    delete: ['DeleteVpcEndpoint', ...READ_ENDPOINT],
    list: ['DescribeVpcEndpoints'],
  }),
  attributes: {
    description: optional('string', { documented: true, text: 'description', length: [0, 255] }),
    endpoint_name: optional('string', { documented: true, text: 'name', length: [1, 128] }),
    ip_address_versions: optional('set(string)', { documented: true, oneOf: ['ipv4', 'ipv6'] }),
    private_dns_enabled: optional('bool', { cloudName: 'PrivateDNSEnabled' }),
    project_name: optional('string', { replaces: true }),
    security_group_ids: optional('set(string)', { documented: true, items: [1, 5] }),
    service_id: optional('string', { replaces: true }),
    service_managed: optional('bool', { replaces: true }),
    service_name: optional('string', { replaces: true }),
    tags: TAGS,
    vpc_id: optional('string', { replaces: true }),
    zones: optional('set(object)', {
      documented: true,
      items: [1, 10],
      partly:
        'an endpoint for IPv4 alone has no IPv6 address, and an empty one would be planned for ever',
      of: {
        private_ip_address: written('string', { text: 'address' }),
        private_ipv_6_address: optional('string'),
        subnet_id: written('string'),
        zone_id: written('string'),
      },
    }),
    bps: computed('number'),
    business_status: computed('string'),
    connection_status: computed('string'),
    creation_time: computed('string'),
    deleted_time: computed('string'),
    endpoint_domain: computed('string'),
    endpoint_id: computed('string'),
    endpoint_index: computed('number'),
    endpoint_type: computed('string'),
    id: computed('string'),
    payer: computed('string'),
    private_dns_name: computed('string', { cloudName: 'PrivateDNSName' }),
    status: computed('string'),
    update_time: computed('string'),
  },
} as const satisfies Row;

const READ_CONNECTION = ['DescribeVpcEndpointConnections', 'DescribeVpcEndpointAttributes'];

/** What is read of a connection, by the resource and the data source alike. */
const READ = {
  connection_status: computed('string'),
  creation_time: computed('string'),
  endpoint_owner_account_id: computed('string'),
  endpoint_vpc_id: computed('string'),
  replace_resource_id: computed('string'),
  replacing_resource: computed('string'),
  update_time: computed('string'),
  zones: computed('set(object)', {
    of: {
      network_interface_id: computed('string'),
      network_interface_ip: computed('string', { cloudName: 'NetworkInterfaceIP' }),
      network_interface_ipv_6: computed('string'),
      resource_id: computed('string'),
      service_status: computed('string'),
      subnet_id: computed('string'),
      zone_domain: computed('string'),
      zone_id: computed('string'),
      zone_status: computed('string'),
    },
  }),
} as const;

export const privatelinkVpcEndpointConnection = {
  kind: 'resource',
  type: 'volcenginecc_privatelink_vpc_endpoint_connection',
  version: 1,
  cloudType: 'Volcengine::PrivateLink::VpcEndpointConnection',
  importId: ['ServiceId', 'EndpointId'],
  permissions: permissionsOf('privatelink', {
    create: ['EnableVpcEndpointConnection', ...READ_CONNECTION],
    read: READ_CONNECTION,
    update: ['ModifyVpcEndpointConnections', ...READ_CONNECTION],
    delete: ['DisableVpcEndpointConnection', 'DescribeVpcEndpointConnections'],
    list: ['DescribeVpcEndpointConnections'],
  }),
  attributes: {
    endpoint_id: required('string', { replaces: true }),
    service_id: required('string', { replaces: true }),
    bps: optional('number', { range: [100, 20000] }),
    resources_allocate: optional('set(object)', {
      spelledOut: true,
      replaces: true,
      writeOnly: true,
      of: {
        resource_id: written('string'),
        zone_id: written('string'),
      },
    }),
    zone_id: optional('string', { replaces: true, writeOnly: true }),
    id: computed('string'),
    ...READ,
  },
} as const satisfies Row;

export const privatelinkVpcEndpointConnectionData = {
  kind: 'data',
  type: 'volcenginecc_privatelink_vpc_endpoint_connection',
  version: 0,
  cloudType: 'Volcengine::PrivateLink::VpcEndpointConnection',
  importId: ['ServiceId', 'EndpointId'],
  permissions: permissionsOf('privatelink', { read: READ_CONNECTION }),
  attributes: {
    id: required('string'),
    bps: computed('number'),
    endpoint_id: computed('string'),
    resources_allocate: computed('set(object)', {
      of: {
        resource_id: computed('string'),
        zone_id: computed('string'),
      },
    }),
    service_id: computed('string'),
    zone_id: computed('string'),
    ...READ,
  },
} as const satisfies Row;
