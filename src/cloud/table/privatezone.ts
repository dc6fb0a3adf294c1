import { actionsOf, computed, FULL_TAGS, mandatory, optional, required, resource } from './row.js';

export const privatezonePrivateZone = resource({
  type: 'volcenginecc_privatezone_private_zone',
  cloudType: 'Volcengine::PrivateZone::PrivateZone',
  importId: ['ZID'],
  actions: actionsOf('private_zone', {
    deploy: [
      'CreatePrivateZone',
      'DeletePrivateZone',
      'ListBindVPC',
      'QueryPrivateZone',
      'TagResources',
      'UntagResources',
      'UpdateBindVPC',
      'UpdatePrivateZone',
    ],
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
    last_operator: computed('string'),
    record_count: computed('number'),
    updated_at: computed('string'),
    zid: computed('string', { cloudName: 'ZID' }),
  },
});

export const privatezoneRecord = resource({
  type: 'volcenginecc_privatezone_record',
  cloudType: 'Volcengine::PrivateZone::Record',
  importId: ['RecordId'],
  actions: actionsOf('private_zone', {
    deploy: [
      'CreateRecord',
      'DeleteRecord',
      'ListRecordSets',
      'QueryRecord',
      'UpdateRecord',
      'UpdateRecordSet',
    ],
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
});
