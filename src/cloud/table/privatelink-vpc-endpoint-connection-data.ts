import { computed, required } from './attribute.js';
import type { Row } from './row.js';

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
    connection_status: computed('string'),
    creation_time: computed('string'),
    endpoint_id: computed('string'),
    endpoint_owner_account_id: computed('string'),
    endpoint_vpc_id: computed('string'),
    replace_resource_id: computed('string'),
    replacing_resource: computed('string'),
    resources_allocate: computed('set(object)', {
      of: {
        resource_id: computed('string'),
        zone_id: computed('string'),
      },
    }),
    service_id: computed('string'),
    update_time: computed('string'),
    zone_id: computed('string'),
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
  },
} as const satisfies Row;
