import { computed, required } from './attribute.js';
import type { Row } from './row.js';
import { TAGS_READ } from './tags.js';

export const privatelinkEndpointServiceData = {
  kind: 'data',
  type: 'volcenginecc_privatelink_endpoint_service',
  version: 0,
  cloudType: 'Volcengine::PrivateLink::EndpointService',
  importId: ['ServiceId'],
  permissions: {
    create: [],
    read: [
      'privatelink:DescribeVpcEndpointServiceAttributes',
      'privatelink:DescribeVpcEndpointServicePermissions',
      'privatelink:DescribeVpcEndpointServiceResources',
    ],
    update: [],
    delete: [],
  },
  attributes: {
    id: required('string'),
    auto_accept_enabled: computed('bool'),
    billing_type: computed('number'),
    business_status: computed('string'),
    create_time: computed('string'),
    description: computed('string'),
    enable_verify_private_dns: computed('bool', { cloudName: 'EnableVerifyPrivateDNS' }),
    ip_address_versions: computed('set(string)'),
    payer: computed('string'),
    permit_account_ids: computed('set(string)'),
    private_dns_enabled: computed('bool', { cloudName: 'PrivateDNSEnabled' }),
    private_dns_name: computed('string', { cloudName: 'PrivateDNSName' }),
    private_dns_name_configuration: computed('object', {
      of: {
        name: computed('string'),
        status: computed('string'),
        type: computed('string'),
        value: computed('string'),
      },
      cloudName: 'PrivateDNSNameConfiguration',
    }),
    private_dns_type: computed('string', { cloudName: 'PrivateDNSType' }),
    project_name: computed('string'),
    resources: computed('set(object)', {
      of: {
        resource_id: computed('string'),
        resource_type: computed('string'),
        zone_ids: computed('list(string)'),
      },
    }),
    service_domain: computed('string'),
    service_id: computed('string'),
    service_name: computed('string'),
    service_name_managed: computed('string'),
    service_name_suffix: computed('string'),
    service_owner: computed('string'),
    service_resource_type: computed('string'),
    service_type: computed('string'),
    status: computed('string'),
    tags: TAGS_READ,
    update_time: computed('string'),
    wildcard_domain_enabled: computed('bool'),
    zone_ids: computed('set(string)'),
  },
} as const satisfies Row;
