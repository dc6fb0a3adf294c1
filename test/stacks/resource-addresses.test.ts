import { expect, test } from 'vitest';
import { synthesized } from './every-option.js';

// Construct ids are part of the API: a renamed address destroys what users have deployed.

test('the addresses of api-access stay', () => {
  expect(addresses('api-access')).toEqual([
    'null_resource.check',
    'null_resource.check_preflight_1079DCB5',
    'terraform_data.network_10-30-1-0-24-of_A2464827',
    'terraform_data.network_10-30-2-0-24-of_F38EDBE1',
    'terraform_data.network_cn-beijing-a-in-10-30-0-0-20_7FFFA33D',
    'terraform_data.network_cn-beijing-b-in-10-30-0-0-20_1FCF48A8',
    'volcenginecc_fwcenter_address_book.fixed-ip-egress_firewall_own-addresses_3517026E',
    'volcenginecc_fwcenter_address_book.fixed-ip-egress_firewall_service-addresses_79CC479D',
    'volcenginecc_fwcenter_control_policy.fixed-ip-egress_firewall_accept-tcp-443_9DDD866B',
    'volcenginecc_fwcenter_control_policy.fixed-ip-egress_firewall_close_C0B1A78B',
    'volcenginecc_privatelink_vpc_endpoint.service-endpoint',
    'volcenginecc_privatezone_private_zone.service-endpoint_private-zone_D27EB879',
    'volcenginecc_privatezone_record.service-endpoint_private-zone_cn-beijing-a_9AB54359',
    'volcenginecc_privatezone_record.service-endpoint_private-zone_cn-beijing-b_45744535',
    'volcenginecc_vpc_prefix_list.fixed-ip-egress_prefix-list_5D156D49',
    'volcenginecc_vpc_security_group.fixed-ip-egress_listed-security-group_C0EFA6C6',
    'volcenginecc_vpc_security_group.fixed-ip-egress_security-group_357FD367',
    'volcenginecc_vpc_security_group.service-endpoint_security-group_3A2AA974',
    'volcenginecc_vpc_subnet.network_cn-beijing-a_37911D04',
    'volcenginecc_vpc_subnet.network_cn-beijing-b_8A7E5EA4',
    'volcenginecc_vpc_vpc.network',
  ]);
});

test('the addresses of plugin-access stay', () => {
  expect(addresses('plugin-access')).toEqual([
    'data.volcenginecc_privatelink_vpc_endpoint_connection.plugin-endpoint-service_ep-1a2b_pending_6BB29528',
    'null_resource.check',
    'terraform_data.network_10-40-1-0-24-of_A809287C',
    'terraform_data.network_cn-beijing-a-in-10-40-0-0-20_953F79F2',
    'terraform_data.plugin-endpoint-service_ep-1a2b_accepted_4FE3BDC5',
    'volcenginecc_clb_acl.plugin-endpoint-service_load-balancer_acl_E65538A6',
    'volcenginecc_clb_clb.plugin-endpoint-service_load-balancer_EA0D5AB6',
    'volcenginecc_clb_listener.plugin-endpoint-service_load-balancer_listener_40361276',
    'volcenginecc_clb_server_group.plugin-endpoint-service_load-balancer_servers_31C97C99',
    'volcenginecc_fwcenter_address_book.fixed-ip-ingress_firewall_own-addresses_4B997D5F',
    'volcenginecc_fwcenter_address_book.fixed-ip-ingress_firewall_service-addresses_E7308968',
    'volcenginecc_fwcenter_control_policy.fixed-ip-ingress_firewall_accept-tcp-443_914A9546',
    'volcenginecc_fwcenter_control_policy.fixed-ip-ingress_firewall_close-tcp-443_A6592199',
    'volcenginecc_privatelink_endpoint_service.plugin-endpoint-service',
    'volcenginecc_privatelink_vpc_endpoint_connection.plugin-endpoint-service_ep-1a2b_E9A74043',
    'volcenginecc_vpc_prefix_list.fixed-ip-ingress_prefix-list_798F3719',
    'volcenginecc_vpc_security_group.fixed-ip-ingress_security-group_EED57DB8',
    'volcenginecc_vpc_security_group.plugin-endpoint-service_backend-security-group_721C7ACA',
    'volcenginecc_vpc_subnet.network_cn-beijing-a_37911D04',
    'volcenginecc_vpc_vpc.network',
  ]);
});

test('the outputs stay', () => {
  expect(outputs('api-access')).toEqual([
    'connectivity',
    'fixed-ip-egress-base-url',
    'fixed-ip-egress-listed-security-group-id',
    'fixed-ip-egress-prefix-list-id',
    'fixed-ip-egress-security-group-id',
    'reviewed-files',
    'rules-digest',
    'service-endpoint-base-url',
    'service-endpoint-domain',
    'service-endpoint-id',
  ]);
  expect(outputs('plugin-access')).toEqual([
    'connections',
    'fixed-ip-ingress-prefix-list-id',
    'fixed-ip-ingress-security-group-id',
    'plugin-endpoint-service-backend-security-group-id',
    'plugin-endpoint-service-domain',
    'plugin-endpoint-service-id',
    'plugin-endpoint-service-load-balancer-id',
    'plugin-endpoint-service-name',
    'plugin-endpoint-service-next-steps',
    'reviewed-files',
    'rules-digest',
    'user-id-header-options',
  ]);
});

function addresses(stack: Parameters<typeof synthesized>[0]): string[] {
  const { json } = synthesized(stack);
  return (['resource', 'data'] as const)
    .flatMap((kind) =>
      Object.entries(json[kind] ?? {}).flatMap(([type, named]) =>
        Object.keys(named).map((name) => `${kind === 'data' ? 'data.' : ''}${type}.${name}`),
      ),
    )
    .sort();
}

function outputs(stack: Parameters<typeof synthesized>[0]): string[] {
  return Object.keys(synthesized(stack).json.output ?? {}).sort();
}
