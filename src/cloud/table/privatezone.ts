import { computed, FULL_TAGS, mandatory, optional, required } from './attribute.js';
import { permissionsOf, type Row } from './row.js';

export const privatezonePrivateZone = {
  kind: 'resource',
  type: 'volcenginecc_privatezone_private_zone',
  version: 1,
  cloudType: 'Volcengine::PrivateZone::PrivateZone',
  importId: ['ZID'],
  permissions: permissionsOf('private_zone', {
    create: ['CreatePrivateZone', 'QueryPrivateZone', 'ListBindVPC'],
    read: ['QueryPrivateZone', 'ListBindVPC'],
    update: [
      'UpdatePrivateZone',
      'QueryPrivateZone',
      'ListBindVPC',
      'UpdateBindVPC',
      'TagResources',
      'UntagResources',
    ],
    delete: ['DeletePrivateZone', 'QueryPrivateZone'],
    list: ['ListPrivateZones'],
  }),
  attributes: {
    zone_name: required('string', { replaces: true }),
    line_mode: optional('number'),
    project_name: optional('string', { replaces: true }),
    recursion_mode: optional('bool'),
    remark: optional('string'),
    tags: FULL_TAGS,
    vpcs: optional('set(object)', {
      spelledOut: true,
      of: {
        region: mandatory('string'),
        vpc_id: mandatory('string'),
      },
    }),
    created_at: computed('string'),
    id: computed('string'),
    last_operator: computed('string'),
    record_count: computed('number'),
    updated_at: computed('string'),
    zid: computed('string', { cloudName: 'ZID' }),
  },
} as const satisfies Row;

export const privatezoneRecord = {
  kind: 'resource',
  type: 'volcenginecc_privatezone_record',
  version: 1,
  cloudType: 'Volcengine::PrivateZone::Record',
  importId: ['RecordId'],
  permissions: permissionsOf('private_zone', {
    create: ['CreateRecord', 'UpdateRecord', 'QueryRecord'],
    read: ['QueryRecord', 'ListRecordSets'],
    update: ['UpdateRecord', 'QueryRecord', 'UpdateRecordSet', 'ListRecordSets'],
    delete: ['DeleteRecord', 'QueryRecord'],
    list: ['ListRecords'],
  }),
  attributes: {
    host: required('string'),
    type: required('string', {
      documented: true,
      oneOf: ['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'PTR'],
    }),
    value: required('string'),
    zid: required('number', { cloudName: 'ZID' }),
    enable: optional('bool'),
    line: optional('string', { documented: true, oneOf: ['default'] }),
    remark: optional('string', { documented: true, length: [0, 16] }),
    ttl: optional('number', { cloudName: 'TTL' }),
    weight: optional('number'),
    weight_enabled: optional('bool', { writeOnly: true }),
    created_at: computed('string'),
    id: computed('string'),
    last_operator: computed('string'),
    record_id: computed('string'),
    record_sets: computed('set(object)', {
      of: {
        fqdn: computed('string', { cloudName: 'FQDN' }),
        host: computed('string'),
        id: computed('string', { cloudName: 'ID' }),
        line: computed('string'),
        type: computed('string'),
        weight_enabled: computed('bool'),
      },
    }),
    updated_at: computed('string'),
  },
} as const satisfies Row;
