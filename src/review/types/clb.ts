import { list, object, text } from '../../reach/read/json.js';
import {
  guard,
  LABEL,
  LABELS,
  OTHER_BACKEND,
  OTHER_NETWORK,
  PACE,
  PLACE,
  type TypesOf,
  to,
} from './reviewed-type.js';

const OTHER_PLACE = to('it is placed elsewhere');
/** Arguments of how often servers are looked after; the others decide whether they pass. */
const CHECK_PACE = ['interval', 'timeout', 'healthy_threshold', 'unhealthy_threshold'];
const TLS = guard('the TLS peer, or who may connect to it, is different');

export const CLB_TYPES: TypesOf<'clb'> = {
  volcenginecc_clb_clb: {
    name: 'the load balancer',
    effects: {
      cutsAll: true,
      removed: 'calls to the backend fail',
      replaced: 'calls to the backend fail until the new load balancer is connected',
    },
    model: {
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
  },
  volcenginecc_clb_listener: {
    name: 'the listener of the load balancer',
    effects: {
      cutsAll: true,
      removed: 'calls to the port fail',
      replaced: 'calls to the port fail until the new listener is there',
      changed: {
        server_group_id: 'calls go to another backend',
        enabled: 'the port opens or closes',
      },
    },
    model: {
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
        health_check: {
          ...to('calls stop where the servers do not pass the check'),
          members: (check) =>
            Object.entries(object(check))
              .filter(([name]) => !CHECK_PACE.includes(name))
              .map(([name, value]) => `${name} ${text(value)}`),
        },
        proxy_protocol_type: guard('the backend sees another address of its callers'),
      },
      harmless: {
        [LABEL]: [...LABELS, 'listener_name'],
        [PACE]: [
          ...['bandwidth', 'cps', 'max_connections', 'scheduler', 'http_2_enabled'],
          ...['persistence_type', 'persistence_timeout', 'cookie', 'established_timeout'],
          ...['client_body_timeout', 'client_header_timeout', 'keepalive_timeout', 'send_timeout'],
          ...['proxy_connect_timeout', 'proxy_read_timeout', 'proxy_send_timeout'],
          ...['connection_drain_enabled', 'connection_drain_timeout'],
        ],
      },
    },
  },
  volcenginecc_clb_acl: {
    name: 'the access list of the load balancer',
    effects: {
      removed: 'the listener no longer knows whom to allow',
      replaced: 'until the new list is used, the listener allows nobody',
    },
    model: { access: ['acl_entries'], facts: {}, harmless: { [LABEL]: [...LABELS, 'acl_name'] } },
  },
  volcenginecc_clb_server_group: {
    name: 'the servers of the load balancer',
    effects: {
      removed: 'calls to the backend fail',
      replaced: 'calls to the backend fail until the new group serves',
      changed: { servers: 'calls go to other servers' },
    },
    model: {
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
  },
};
