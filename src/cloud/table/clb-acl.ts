import { computed, optional } from './attribute.js';
import type { Row } from './row.js';
import { TAGS } from './tags.js';

export const clbAcl = {
  kind: 'resource',
  type: 'volcenginecc_clb_acl',
  version: 1,
  cloudType: 'Volcengine::CLB::ACL',
  importId: [],
  attributes: {
    acl_entries: optional('set(object)', {
      of: {
        description: optional('string', { text: 'description' }),
        entry: optional('string'),
      },
    }),
    acl_name: optional('string', { text: 'name' }),
    description: optional('string', { text: 'description' }),
    project_name: optional('string', { replaces: true }),
    tags: TAGS,
    acl_entry_count: computed('number'),
    acl_id: computed('string'),
    create_time: computed('string'),
    id: computed('string'),
    listeners: computed('set(object)', {
      of: {
        acl_type: computed('string'),
        listener_id: computed('string'),
        listener_name: computed('string'),
        port: computed('number'),
        protocol: computed('string'),
      },
    }),
    service_managed: computed('bool'),
    status: computed('string'),
    update_time: computed('string'),
  },
} as const satisfies Row;
