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
    'volcenginecc_fwcenter_address_book.fixed-ip-access_firewall_own-addresses_AD375722',
    'volcenginecc_fwcenter_address_book.fixed-ip-access_firewall_service-addresses_39A1655A',
    'volcenginecc_fwcenter_control_policy.fixed-ip-access_firewall_accept-tcp-443_1425B75C',
    'volcenginecc_fwcenter_control_policy.fixed-ip-access_firewall_close_CA0C4485',
    'volcenginecc_privatelink_vpc_endpoint.service-endpoint',
    'volcenginecc_privatezone_private_zone.service-endpoint_private-zone_D27EB879',
    'volcenginecc_privatezone_record.service-endpoint_private-zone_cn-beijing-a_9AB54359',
    'volcenginecc_privatezone_record.service-endpoint_private-zone_cn-beijing-b_45744535',
    'volcenginecc_vpc_prefix_list.fixed-ip-access_prefix-list_8EFCDBD3',
    'volcenginecc_vpc_security_group.fixed-ip-access_listed-security-group_BD41D138',
    'volcenginecc_vpc_security_group.fixed-ip-access_security-group_05BB6D5C',
    'volcenginecc_vpc_security_group.service-endpoint_security-group_3A2AA974',
    'volcenginecc_vpc_subnet.network_cn-beijing-a_37911D04',
    'volcenginecc_vpc_subnet.network_cn-beijing-b_8A7E5EA4',
    'volcenginecc_vpc_vpc.network',
  ]);
});

test('the addresses of plugin-access stay', () => {
  expect(addresses('plugin-access')).toEqual([
    'data.volcenginecc_privatelink_vpc_endpoint_connection.private-plugin_ep-1a2b_pending_436CB282',
    'null_resource.check',
    'terraform_data.network_10-40-1-0-24-of_A809287C',
    'terraform_data.network_cn-beijing-a-in-10-40-0-0-20_953F79F2',
    'terraform_data.private-plugin_ep-1a2b_accepted_B17094E1',
    'volcenginecc_clb_acl.private-plugin_load-balancer_acl_B4D1CC58',
    'volcenginecc_clb_clb.private-plugin_load-balancer_98E82137',
    'volcenginecc_clb_listener.private-plugin_load-balancer_listener_6B26031D',
    'volcenginecc_clb_server_group.private-plugin_load-balancer_servers_A640B3F5',
    'volcenginecc_fwcenter_address_book.fixed-ip-plugin_firewall_own-addresses_5CD4D5E4',
    'volcenginecc_fwcenter_address_book.fixed-ip-plugin_firewall_service-addresses_12FC0DB1',
    'volcenginecc_fwcenter_control_policy.fixed-ip-plugin_firewall_accept-tcp-443_C96711A2',
    'volcenginecc_fwcenter_control_policy.fixed-ip-plugin_firewall_close-tcp-443_949BB4A2',
    'volcenginecc_privatelink_endpoint_service.private-plugin',
    'volcenginecc_privatelink_vpc_endpoint_connection.private-plugin_ep-1a2b_C2036F20',
    'volcenginecc_vpc_prefix_list.fixed-ip-plugin_prefix-list_95E02812',
    'volcenginecc_vpc_security_group.fixed-ip-plugin_security-group_05F3D72A',
    'volcenginecc_vpc_security_group.private-plugin_backend-security-group_6E0E7E05',
    'volcenginecc_vpc_subnet.network_cn-beijing-a_37911D04',
    'volcenginecc_vpc_vpc.network',
  ]);
});

test('the outputs stay', () => {
  expect(outputs('api-access')).toEqual([
    'access-digest',
    'connectivity',
    'fixed-ip-access-base-url',
    'fixed-ip-access-listed-security-group-id',
    'fixed-ip-access-prefix-list-id',
    'fixed-ip-access-security-group-id',
    'service-endpoint-base-url',
    'service-endpoint-domain',
    'service-endpoint-id',
  ]);
  expect(outputs('plugin-access')).toEqual([
    'access-digest',
    'connections',
    'fixed-ip-plugin-prefix-list-id',
    'fixed-ip-plugin-security-group-id',
    'private-plugin-backend-security-group-id',
    'private-plugin-load-balancer-id',
    'private-plugin-next-steps',
    'private-plugin-service-domain',
    'private-plugin-service-id',
    'private-plugin-service-name',
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
