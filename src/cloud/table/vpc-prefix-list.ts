import { computed, mandatory, optional, required, TAGS, written } from './attribute.js';
import type { Row } from './row.js';

export const vpcPrefixList = {
  kind: 'resource',
  type: 'volcenginecc_vpc_prefix_list',
  version: 1,
  cloudType: 'Volcengine::VPC::PrefixList',
  importId: ['PrefixListId'],
  permissions: {
    create: [
      'vpc:CreatePrefixList',
      'vpc:DescribePrefixLists',
      'vpc:DescribePrefixListEntries',
      'vpc:DescribePrefixListAssociations',
    ],
    read: [
      'vpc:DescribePrefixLists',
      'vpc:DescribePrefixListEntries',
      'vpc:DescribePrefixListAssociations',
    ],
    update: [
      'vpc:ModifyPrefixList',
      'vpc:UntagResources',
      'vpc:TagResources',
      'vpc:DescribePrefixLists',
      'vpc:DescribePrefixListEntries',
      'vpc:DescribePrefixListAssociations',
    ],
    delete: ['vpc:DeletePrefixList', 'vpc:DescribePrefixLists'],
    list: ['vpc:DescribePrefixLists'],
  },
  attributes: {
    max_entries: required('number', { range: [1, 200] }),
    description: optional('string', { text: 'description', length: [0, 255] }),
    ip_version: optional('string', {
      documented: true,
      replaces: true,
      oneOf: ['IPv4', 'IPv6'],
      default: 'IPv4',
    }),
    prefix_list_entries: optional('set(object)', {
      documented: true,
      spelledOut: true,
      items: [1, 200],
      of: {
        cidr: mandatory('string', { text: 'cidr' }),
        description: written('string', { text: 'description', length: [0, 255] }),
      },
    }),
    prefix_list_name: optional('string', { text: 'name', length: [1, 128] }),
    project_name: optional('string', { replaces: true, default: 'default' }),
    tags: TAGS,
    association_count: computed('number'),
    associations_route_tables: computed('set(object)', {
      of: {
        resource_id: computed('string'),
        resource_type: computed('string'),
      },
    }),
    associations_security_groups: computed('set(object)', {
      of: {
        resource_id: computed('string'),
        resource_type: computed('string'),
      },
    }),
    created_time: computed('string'),
    id: computed('string'),
    prefix_list_id: computed('string'),
    status: computed('string'),
    updated_time: computed('string'),
  },
} as const satisfies Row;
