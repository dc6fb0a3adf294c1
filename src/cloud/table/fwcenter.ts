import {
  actionsOf,
  computed,
  MEASURED_TAGS,
  mandatory,
  optional,
  required,
  resource,
  written,
} from './row.js';

/**
 * Addresses are in `address_detail_list`, as in the provider's own example: it always counts, while
 * `address_list` counts "when AddressDetailList is not empty" in the provider's documentation.
 * `tags` choose assets of a book that updates itself (`Tag`); they do not describe the book.
 */
export const fwcenterAddressBook = resource({
  type: 'volcenginecc_fwcenter_address_book',
  cloudType: 'Volcengine::FWCenter::AddressBook',
  importId: ['GroupUuid'],
  markedBy: 'description',
  actions: actionsOf('fw_center', {
    deploy: ['AddAddressBook', 'DeleteAddressBook', 'DescribeAddressBook', 'ModifyAddressBook'],
    list: ['DescribeAddressBook'],
  }),
  attributes: {
    group_name: required('string', { text: 'book-name', length: [0, 64] }),
    group_type: required('string', { replaces: true, oneOf: ['ip', 'ipv6', 'domain', 'port'] }),
    address_detail_list: optional('set(object)', {
      spelledOut: true,
      of: {
        address: mandatory('string'),
        description: written('string', { text: 'description', length: [0, 32] }),
      },
    }),
    address_list: optional('set(string)'),
    auto_update_type: optional('string', { oneOf: ['Manual', 'Tag'] }),
    cloud_firewall_id: optional('string', { writeOnly: true }),
    description: optional('string', { text: 'description' }),
    instance_type_list: optional('set(string)'),
    resource_type: optional('string'),
    tag_relation: optional('string'),
    tags: MEASURED_TAGS,
    group_uuid: computed('string'),
    ref_cnt: computed('number'),
    updated: computed('number'),
  },
});

/** The members of an address book, as a policy that uses it reports them. */
const ADDRESSES = computed('set(object)', {
  of: {
    address: computed('string'),
    description: computed('string'),
    type: computed('string'),
  },
});

export const fwcenterControlPolicy = resource({
  type: 'volcenginecc_fwcenter_control_policy',
  cloudType: 'Volcengine::FWCenter::ControlPolicy',
  importId: ['RuleId', 'Direction'],
  markedBy: 'description',
  actions: actionsOf('fw_center', {
    deploy: [
      'AddControlPolicy',
      'DeleteControlPolicy',
      'DescribeControlPolicyByRuleId',
      'ModifyControlPolicy',
      'ModifyControlPolicyPosition',
    ],
    list: ['DescribeControlPolicy'],
  }),
  attributes: {
    action: required('string', { oneOf: ['accept', 'deny', 'monitor'] }),
    destination: required('string'),
    destination_type: required('string', { oneOf: ['net', 'location', 'group', 'domain'] }),
    direction: required('string', { replaces: true, oneOf: ['in', 'out'] }),
    proto: required('string', { oneOf: ['ICMP', 'TCP', 'UDP', 'ANY'] }),
    source: required('string'),
    source_type: required('string', { oneOf: ['net', 'location', 'group'] }),
    description: optional('string', { text: 'description' }),
    // `22` for one port and `100/200` for a range, as the cloud's page of AddControlPolicy has it.
    dest_port: optional('string'),
    dest_port_type: optional('string', { documented: true, oneOf: ['port', 'group'] }),
    end_time: optional('number'),
    internet_firewall_id: optional('string', { writeOnly: true }),
    ip_type: optional('string', { documented: true, oneOf: ['v4', 'v6'] }),
    prio: optional('number', { cloudDefault: 0 }),
    repeat_days: optional('set(number)'),
    repeat_end_time: optional('string'),
    repeat_start_time: optional('string'),
    repeat_type: optional('string', { oneOf: ['Permanent', 'Once', 'Daily', 'Weekly', 'Monthly'] }),
    start_time: optional('number'),
    status: optional('bool'),
    account_id: computed('string'),
    dest_port_group_type: computed('string'),
    dest_port_list: computed('set(string)'),
    dest_port_list_v1: ADDRESSES,
    destination_cidr_list: computed('set(string)'),
    destination_cidr_list_v1: ADDRESSES,
    destination_domain_list: computed('set(string)'),
    destination_group_type: computed('string'),
    effect_status: computed('number'),
    hit_cnt: computed('number'),
    is_effected: computed('bool'),
    rule_id: computed('string'),
    source_cidr_list: computed('set(string)'),
    source_cidr_list_v1: ADDRESSES,
    source_group_type: computed('string'),
    update_time: computed('number'),
    use_count: computed('number'),
  },
});
