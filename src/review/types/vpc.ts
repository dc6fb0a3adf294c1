import {
  LABEL,
  LABELS,
  OTHER_NETWORK,
  PLACE,
  RESOLVES,
  type TypesOf,
  to,
} from './reviewed-type.js';

const OTHER_ADDRESSES = {
  ...to('the network has other addresses', 'added'),
  areNetworks: true,
} as const;

export const VPC_TYPES: TypesOf<'vpc'> = {
  volcenginecc_vpc_security_group: {
    name: 'the security group',
    effects: {
      removed: 'what it allowed is closed',
      replaced: 'a new group takes its place; until it is attached, what it allowed is closed',
    },
    model: {
      access: ['ingress_permissions', 'egress_permissions'],
      facts: { vpc_id: OTHER_NETWORK },
      harmless: { [LABEL]: [...LABELS, 'security_group_name'] },
    },
  },
  volcenginecc_vpc_prefix_list: {
    name: 'the prefix list',
    effects: {
      removed: 'rules that used the list allow nothing',
      replaced: 'until the new list is used, its rules allow nothing',
    },
    model: {
      access: ['prefix_list_entries'],
      facts: { ip_version: to('the list is of another family') },
      harmless: { [LABEL]: [...LABELS, 'prefix_list_name'], 'room to grow': ['max_entries'] },
    },
  },
  volcenginecc_vpc_vpc: {
    name: 'the network',
    effects: {
      cutsAll: true,
      removed: 'the network goes away with everything in it',
      replaced: 'a new network: everything in it is recreated, and connections are cut',
    },
    model: {
      access: [],
      facts: {
        dns_servers: RESOLVES,
        secondary_cidr_blocks: OTHER_ADDRESSES,
        user_cidr_blocks: OTHER_ADDRESSES,
        enable_ipv_6: to('the network uses IPv6', 'added'),
        ipv_6_cidr_block: to('the network uses IPv6', 'added'),
      },
      harmless: { [LABEL]: [...LABELS, 'vpc_name'], [PLACE]: ['cidr_block'] },
    },
  },
  volcenginecc_vpc_subnet: {
    name: 'the subnet',
    effects: {
      removed: 'addresses of endpoints in the zone go away',
      replaced: 'endpoints in the zone get new addresses: connections to the old ones are cut',
    },
    model: {
      access: [],
      facts: {
        vpc_id: OTHER_NETWORK,
        enable_ipv_6: to('the subnet uses IPv6', 'added'),
        ipv_6_cidr_block: to('the subnet uses IPv6', 'added'),
      },
      harmless: { [LABEL]: [...LABELS, 'subnet_name'], [PLACE]: ['cidr_block', 'zone_id'] },
    },
  },
};
