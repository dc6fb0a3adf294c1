import { computed, mandatory, optional, required, TAGS, written } from './attribute.js';
import type { Row } from './row.js';

export const clbServerGroup = {
  kind: 'resource',
  type: 'volcenginecc_clb_server_group',
  version: 1,
  cloudType: 'Volcengine::CLB::ServerGroup',
  importId: ['ServerGroupId'],
  permissions: {
    create: [
      'clb:CreateServerGroup',
      'clb:DescribeServerGroups',
      'clb:DescribeServerGroupAttributes',
    ],
    read: ['clb:DescribeServerGroups', 'clb:DescribeServerGroupAttributes'],
    update: [
      'clb:ModifyServerGroupAttributes',
      'clb:RemoveServerGroupBackendServers',
      'clb:AddServerGroupBackendServers',
      'clb:UntagResources',
      'clb:TagResources',
      'clb:DescribeServerGroups',
      'clb:DescribeServerGroupAttributes',
    ],
    delete: ['clb:DeleteServerGroup', 'clb:DescribeServerGroups'],
    list: ['clb:DescribeServerGroups'],
  },
  attributes: {
    load_balancer_id: required('string', { replaces: true }),
    address_ip_version: optional('string', {
      replaces: true,
      oneOf: ['ipv4', 'ipv6'],
      default: 'ipv4',
    }),
    any_port_enabled: optional('string', { replaces: true, oneOf: ['on', 'off'] }),
    description: optional('string', { text: 'description', length: [0, 255] }),
    server_group_name: optional('string', { text: 'name', length: [1, 128] }),
    servers: optional('set(object)', {
      spelledOut: true,
      of: {
        description: written('string', { text: 'description', length: [0, 255] }),
        instance_id: mandatory('string'),
        ip: mandatory('string'),
        port: written('number', { range: [0, 65535] }),
        type: mandatory('string', { oneOf: ['ecs', 'eni', 'ip'] }),
        weight: written('number', { range: [0, 100], default: 0 }),
      },
    }),
    tags: TAGS,
    type: optional('string', { replaces: true, oneOf: ['instance', 'ip'], default: 'instance' }),
    create_time: computed('string'),
    id: computed('string'),
    listeners: computed('set(object)', {
      of: {
        listener_id: computed('string'),
      },
    }),
    server_group_id: computed('string'),
    update_time: computed('string'),
  },
} as const satisfies Row;
