import { computed, FULL_TAGS, mandatory, optional, required } from './attribute.js';
import type { Row } from './row.js';

export const privatezonePrivateZone = {
  kind: 'resource',
  type: 'volcenginecc_privatezone_private_zone',
  version: 1,
  cloudType: 'Volcengine::PrivateZone::PrivateZone',
  importId: ['ZID'],
  permissions: {
    create: [
      'private_zone:CreatePrivateZone',
      'private_zone:QueryPrivateZone',
      'private_zone:ListBindVPC',
    ],
    read: ['private_zone:QueryPrivateZone', 'private_zone:ListBindVPC'],
    update: [
      'private_zone:UpdatePrivateZone',
      'private_zone:QueryPrivateZone',
      'private_zone:ListBindVPC',
      'private_zone:UpdateBindVPC',
      'private_zone:TagResources',
      'private_zone:UntagResources',
    ],
    delete: ['private_zone:DeletePrivateZone', 'private_zone:QueryPrivateZone'],
    list: ['private_zone:ListPrivateZones'],
  },
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
  permissions: {
    create: ['private_zone:CreateRecord', 'private_zone:UpdateRecord', 'private_zone:QueryRecord'],
    read: ['private_zone:QueryRecord', 'private_zone:ListRecordSets'],
    update: [
      'private_zone:UpdateRecord',
      'private_zone:QueryRecord',
      'private_zone:UpdateRecordSet',
      'private_zone:ListRecordSets',
    ],
    delete: ['private_zone:DeleteRecord', 'private_zone:QueryRecord'],
    list: ['private_zone:ListRecords'],
  },
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
