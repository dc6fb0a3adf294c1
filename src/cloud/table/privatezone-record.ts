import { computed, optional, required } from './attribute.js';
import type { Row } from './row.js';

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
