import { computed, MEASURED_TAGS, optional, written } from './attribute.js';
import type { Row } from './row.js';

export const clbAcl = {
  kind: 'resource',
  type: 'volcenginecc_clb_acl',
  version: 1,
  cloudType: 'Volcengine::CLB::ACL',
  importId: ['AclId'],
  attributes: {
    acl_entries: optional('set(object)', {
      items: [0, 300],
      spelledOut: true,
      of: {
        description: written('string', { text: 'description', length: [0, 255] }),
        entry: written('string', { text: 'cidr' }),
      },
    }),
    acl_name: optional('string', { text: 'name', length: [1, 128] }),
    description: optional('string', { text: 'description', length: [0, 255] }),
    project_name: optional('string', { replaces: true, default: 'default' }),
    tags: MEASURED_TAGS,
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
