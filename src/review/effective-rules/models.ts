import { list, object, text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import type { Fact } from './reading.js';

/** How a review reads a type: every attribute is in one of the three, or it is unread. */
interface TypeModel {
  /** Read packet by packet, by a reader of its own. */
  readonly access: readonly string[];
  /** Compared as values. */
  readonly facts: Readonly<Record<string, FactModel>>;
  /** Cannot change who reaches whom; by the reason. */
  readonly harmless: Readonly<Record<string, readonly string[]>>;
}

interface FactModel extends Pick<Fact, 'kind' | 'guards' | 'consequence' | 'isLasting'> {
  /** What of the attribute counts. @default - all of it */
  readonly members?: (value: unknown) => readonly string[];
}

const to = (consequence: string, guards: Fact['guards'] = 'any'): FactModel => ({
  kind: 'destination',
  guards,
  consequence,
});
const guard = (consequence: string, guards: Fact['guards'] = 'any'): FactModel => ({
  kind: 'safeguard',
  guards,
  consequence,
});

const LABEL = 'a label for people and bills';
const PACE = 'decides how fast and how steadily, not who';
const PLACE = 'where something is placed; another place replaces it, which is shown as such';

const LABELS = ['project_name', 'tags', 'description'];

const OTHER_NETWORK = to('it belongs to another network');
const OTHER_BACKEND = to('calls go to another backend', 'added');

const OTHER_PLACE = to('it is placed elsewhere');
const TLS = guard('the TLS peer, or who may connect to it, is different');

/** The types of a load balancer, by name. */
const LOAD_BALANCER_MODELS: Readonly<Record<string, TypeModel>> = {
  volcenginecc_clb_clb: {
    access: ['type', 'address_ip_version'],
    facts: {
      eip: { ...to('the load balancer has a public address'), isLasting: true },
      vpc_id: OTHER_NETWORK,
      subnet_id: OTHER_PLACE,
      allowed_ports: guard('other ports are let through'),
      bypass_security_group_enabled: guard('the groups of the backend are bypassed'),
      modification_protection_status: guard('anyone may change it in the console'),
    },
    harmless: {
      [LABEL]: [...LABELS, 'load_balancer_name', 'modification_protection_reason'],
      [PACE]: ['load_balancer_spec', 'eni_address_num', 'access_log'],
      'decides who pays': ['load_balancer_billing_type', 'period', 'period_unit', 'auto_renewal'],
      [PLACE]: ['master_zone_id', 'slave_zone_id', 'zone_type'],
    },
  },
  volcenginecc_clb_listener: {
    access: [
      ...['load_balancer_id', 'port', 'protocol', 'enabled'],
      ...['acl_ids', 'acl_status', 'acl_type', 'start_port', 'end_port'],
    ],
    facts: {
      server_group_id: OTHER_BACKEND,
      ca_enabled: TLS,
      ca_certificate_id: TLS,
      certificate_id: TLS,
      certificate_source: TLS,
      cert_center_certificate_id: TLS,
      security_policy_id: TLS,
      domain_extensions: TLS,
      proxy_protocol_type: guard('the backend sees another address of its callers'),
    },
    harmless: {
      [LABEL]: [...LABELS, 'listener_name'],
      [PACE]: [
        ...['bandwidth', 'cps', 'max_connections', 'scheduler', 'health_check', 'http_2_enabled'],
        ...['persistence_type', 'persistence_timeout', 'cookie', 'established_timeout'],
        ...['client_body_timeout', 'client_header_timeout', 'keepalive_timeout', 'send_timeout'],
        ...['proxy_connect_timeout', 'proxy_read_timeout', 'proxy_send_timeout'],
        ...['connection_drain_enabled', 'connection_drain_timeout'],
      ],
    },
  },
  volcenginecc_clb_acl: {
    access: ['acl_entries'],
    facts: {},
    harmless: { [LABEL]: [...LABELS, 'acl_name'] },
  },
  volcenginecc_clb_server_group: {
    access: [],
    facts: {
      load_balancer_id: OTHER_BACKEND,
      servers: {
        ...OTHER_BACKEND,
        // A weight of 0 gets no calls; another weight only shares them out otherwise.
        members: (servers) =>
          list(servers)
            .map(object)
            .filter(({ weight }) => weight !== 0 && weight !== '0')
            .map(({ type, instance_id, ip, port }) =>
              [type, ip === instance_id ? '' : instance_id, `${text(ip)}:${text(port)}`]
                .map(text)
                .filter((part) => part !== '')
                .join(' '),
            ),
      },
      type: OTHER_BACKEND,
      address_ip_version: OTHER_BACKEND,
      any_port_enabled: to('calls reach every port of the servers'),
    },
    harmless: { [LABEL]: [...LABELS, 'server_group_name'] },
  },
};

const OTHER_SERVICE = to('calls, with their JWTs and tokens, go to another service');
const OTHER_NAME = to('the name that the service calls the backend by changes');
const RESOLVES = to('names resolve to something else, so calls with their tokens go elsewhere');
const WHEN = guard('the policy applies at other times');
const CHOOSES = to('addresses change by themselves');

/** A subnet that this tree makes; any other expression could name another's. */
const OWN_SUBNET = /^\$\{volcenginecc_vpc_subnet\.[\w-]+\.subnet_id\}$/;

/** How a type is read; undefined where all of it is unread. */
export function findModel({ kind, type }: TerraformResource): TypeModel | undefined {
  const name = kind === 'data' ? `data.${type}` : type;
  return Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
}

/** Whether an attribute is known to decide nothing about who reaches whom. */
export function isHarmless(resource: TerraformResource, attribute: string): boolean {
  return Object.values(findModel(resource)?.harmless ?? {})
    .flat()
    .includes(attribute);
}

const MODELS: Readonly<Record<string, TypeModel>> = {
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
      ip_address_versions: to('the endpoint answers with another IP family', 'added'),
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
      ip_address_versions: to('the service answers with another IP family', 'added'),
      private_dns_enabled: OTHER_NAME,
      private_dns_name: OTHER_NAME,
      private_dns_type: OTHER_NAME,
      wildcard_domain_enabled: OTHER_NAME,
      enable_verify_private_dns: guard('ownership of the name is verified differently'),
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
      enable_ipv_6: to('the network uses IPv6', 'added'),
      ipv_6_cidr_block: to('the network uses IPv6', 'added'),
    },
    harmless: { [LABEL]: [...LABELS, 'vpc_name'], [PLACE]: ['cidr_block'] },
  },
  volcenginecc_vpc_subnet: {
    access: [],
    facts: {
      vpc_id: OTHER_NETWORK,
      enable_ipv_6: to('the subnet uses IPv6', 'added'),
      ipv_6_cidr_block: to('the subnet uses IPv6', 'added'),
    },
    harmless: { [LABEL]: [...LABELS, 'subnet_name'], [PLACE]: ['cidr_block', 'zone_id'] },
  },
  'data.volcenginecc_privatelink_vpc_endpoint_connection': {
    access: [],
    facts: { id: guard('the owner of another connection is looked at', 'any') },
    harmless: {},
  },
};
