import { list, object, text } from '../read/json-values.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { LOAD_BALANCER_MODELS } from './load-balancer-models.js';
import {
  guard,
  LABEL,
  LABELS,
  OTHER_BACKEND,
  OTHER_NETWORK,
  PACE,
  PLACE,
  type TypeModel,
  to,
} from './type-model.js';

const OTHER_SERVICE = to('calls, with their JWTs and tokens, go to another service');
const OTHER_NAME = to('the name that the service calls the backend by changes');
const RESOLVES = to('names resolve to something else, so calls with their tokens go elsewhere');
const WHEN = guard('the policy holds at other times');
const CHOOSES = to('addresses come and go by themselves');

/** A subnet that this tree makes; any other expression could name another's. */
const OWN_SUBNET = /^\$\{volcenginecc_vpc_subnet\.[\w-]+\.subnet_id\}$/;

/** Whether an attribute is known to decide nothing about who reaches whom. */
export function isHarmless({ kind, type }: TerraformResource, attribute: string): boolean {
  const name = kind === 'data' ? `data.${type}` : type;
  const model = Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
  return model !== undefined && Object.values(model.harmless).flat().includes(attribute);
}

/** By type. What is not here is unread. */
export const MODELS: Readonly<Record<string, TypeModel>> = {
  volcenginecc_vpc_security_group: {
    access: ['ingress_permissions', 'egress_permissions'],
    facts: { vpc_id: OTHER_NETWORK },
    harmless: { [LABEL]: [...LABELS, 'security_group_name'] },
  },
  volcenginecc_vpc_prefix_list: {
    access: ['prefix_list_entries'],
    facts: { ip_version: to('the list is of another family') },
    harmless: { [LABEL]: [...LABELS, 'prefix_list_name'], 'room to grow': ['max_entries'] },
  },
  volcenginecc_privatelink_vpc_endpoint: {
    access: ['security_group_ids'],
    facts: {
      service_id: OTHER_SERVICE,
      service_name: OTHER_SERVICE,
      vpc_id: OTHER_NETWORK,
      zones: {
        ...to('the endpoint is in a subnet that this tree does not describe', 'added'),
        members: (zones) =>
          list(zones)
            .map((zone) => text(object(zone).subnet_id))
            .filter((id) => !OWN_SUBNET.test(id)),
      },
      private_dns_enabled: RESOLVES,
      ip_address_versions: to('the endpoint answers in another family', 'added'),
    },
    harmless: { [LABEL]: [...LABELS, 'endpoint_name'] },
  },
  volcenginecc_privatelink_endpoint_service: {
    access: ['permit_account_ids'],
    facts: {
      auto_accept_enabled: guard('connections are accepted by themselves'),
      resources: {
        ...OTHER_BACKEND,
        members: (resources) => list(resources).map((one) => text(object(one).resource_id)),
      },
      service_resource_type: OTHER_BACKEND,
      service_type: OTHER_BACKEND,
      ip_address_versions: to('the service answers in another family', 'added'),
      private_dns_enabled: OTHER_NAME,
      private_dns_name: OTHER_NAME,
      private_dns_type: OTHER_NAME,
      wildcard_domain_enabled: OTHER_NAME,
      enable_verify_private_dns: guard('who owns the name is verified otherwise'),
      service_owner: { ...to('the service belongs to someone else'), kind: 'control' },
      service_name_managed: OTHER_NAME,
      service_name_suffix: OTHER_NAME,
    },
    harmless: { [LABEL]: LABELS, 'decides who pays': ['payer'] },
  },
  volcenginecc_privatelink_vpc_endpoint_connection: {
    access: ['endpoint_id', 'service_id'],
    facts: { resources_allocate: OTHER_BACKEND, zone_id: OTHER_BACKEND },
    harmless: { [PACE]: ['bps'] },
  },
  ...LOAD_BALANCER_MODELS,
  volcenginecc_fwcenter_control_policy: {
    access: [
      ...['action', 'direction', 'source', 'source_type', 'destination', 'destination_type'],
      ...['proto', 'dest_port', 'dest_port_type', 'ip_type', 'prio', 'status'],
    ],
    facts: {
      internet_firewall_id: to('another firewall decides'),
      repeat_type: {
        ...WHEN,
        members: (type) =>
          list(type)
            .map(text)
            .filter((one) => one !== 'Permanent'),
      },
      start_time: WHEN,
      end_time: WHEN,
      repeat_days: WHEN,
      repeat_start_time: WHEN,
      repeat_end_time: WHEN,
    },
    harmless: { [LABEL]: ['description'] },
  },
  volcenginecc_fwcenter_address_book: {
    access: ['address_list', 'address_detail_list', 'group_type', 'auto_update_type'],
    facts: {
      cloud_firewall_id: to('another firewall decides'),
      tags: CHOOSES,
      tag_relation: CHOOSES,
      resource_type: CHOOSES,
      instance_type_list: CHOOSES,
    },
    harmless: { [LABEL]: ['group_name', 'description'] },
  },
  volcenginecc_privatezone_private_zone: {
    access: [],
    facts: {
      zone_name: { ...RESOLVES, isLasting: true },
      vpcs: { ...RESOLVES, isLasting: true },
      recursion_mode: RESOLVES,
      line_mode: RESOLVES,
    },
    harmless: { [LABEL]: ['project_name', 'tags', 'remark'] },
  },
  volcenginecc_vpc_vpc: {
    access: [],
    facts: {
      dns_servers: RESOLVES,
      secondary_cidr_blocks: to('the network has other addresses', 'added'),
      user_cidr_blocks: to('the network has other addresses', 'added'),
      enable_ipv_6: to('the network speaks IPv6', 'added'),
      ipv_6_cidr_block: to('the network speaks IPv6', 'added'),
    },
    harmless: { [LABEL]: [...LABELS, 'vpc_name'], [PLACE]: ['cidr_block'] },
  },
  volcenginecc_vpc_subnet: {
    access: [],
    facts: {
      vpc_id: OTHER_NETWORK,
      enable_ipv_6: to('the subnet speaks IPv6', 'added'),
      ipv_6_cidr_block: to('the subnet speaks IPv6', 'added'),
    },
    harmless: { [LABEL]: [...LABELS, 'subnet_name'], [PLACE]: ['cidr_block', 'zone_id'] },
  },
  'data.volcenginecc_privatelink_vpc_endpoint_connection': {
    access: [],
    facts: { id: guard('the owner of another connection is looked at', 'any') },
    harmless: {},
  },
};
