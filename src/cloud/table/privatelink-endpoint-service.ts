import { computed, optional, written } from './attribute.js';
import type { Row } from './row.js';
import { TAGS } from './tags.js';

export const privatelinkEndpointService = {
  kind: 'resource',
  type: 'volcenginecc_privatelink_endpoint_service',
  version: 1,
  cloudType: 'Volcengine::PrivateLink::EndpointService',
  importId: ['ServiceId'],
  permissions: {
    create: [
      'privatelink:CreateVpcEndpointService',
      'privatelink:AddPermissionToVpcEndpointService',
      'privatelink:DescribeVpcEndpointServiceAttributes',
      'privatelink:DescribeVpcEndpointServicePermissions',
      'privatelink:DescribeVpcEndpointServiceResources',
      'privatelink:VerifyVpcEndpointServicePrivateDNS',
    ],
    read: [
      'privatelink:DescribeVpcEndpointServiceAttributes',
      'privatelink:DescribeVpcEndpointServicePermissions',
      'privatelink:DescribeVpcEndpointServiceResources',
    ],
    update: [
      'privatelink:ModifyVpcEndpointServiceAttributes',
      'privatelink:UntagResources',
      'privatelink:TagResources',
      'privatelink:RemovePermissionFromVpcEndpointService',
      'privatelink:AddPermissionToVpcEndpointService',
      'privatelink:AttachResourceToVpcEndpointService',
      'privatelink:DetachResourceFromVpcEndpointService',
      'privatelink:ModifyVpcEndpointServiceResourceAttributes',
      'privatelink:VerifyVpcEndpointServicePrivateDNS',
      'privatelink:DescribeVpcEndpointServiceAttributes',
      'privatelink:DescribeVpcEndpointServicePermissions',
      'privatelink:DescribeVpcEndpointServiceResources',
    ],
    delete: [
      'privatelink:DeleteVpcEndpointService',
      'privatelink:DescribeVpcEndpointServiceAttributes',
      'privatelink:DescribeVpcEndpointServicePermissions',
      'privatelink:DescribeVpcEndpointServiceResources',
    ],
  },
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
