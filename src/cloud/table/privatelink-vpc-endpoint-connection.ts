import { computed, optional, required, written } from './attribute.js';
import type { Row } from './row.js';

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
  permissions: {
    create: [
      'privatelink:EnableVpcEndpointConnection',
      'privatelink:DescribeVpcEndpointConnections',
      'privatelink:DescribeVpcEndpointAttributes',
    ],
    read: [
      'privatelink:DescribeVpcEndpointConnections',
      'privatelink:DescribeVpcEndpointAttributes',
    ],
    update: [
      'privatelink:ModifyVpcEndpointConnections',
      'privatelink:DescribeVpcEndpointConnections',
      'privatelink:DescribeVpcEndpointAttributes',
    ],
    delete: [
      'privatelink:DisableVpcEndpointConnection',
      'privatelink:DescribeVpcEndpointConnections',
    ],
    list: ['privatelink:DescribeVpcEndpointConnections'],
  },
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
  permissions: {
    create: [],
    read: [
      'privatelink:DescribeVpcEndpointConnections',
      'privatelink:DescribeVpcEndpointAttributes',
    ],
    update: [],
    delete: [],
  },
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
