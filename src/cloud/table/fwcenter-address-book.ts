import { computed, MEASURED_TAGS, mandatory, optional, required, written } from './attribute.js';
import type { Row } from './row.js';

/**
 * Addresses are in `address_detail_list`, as in the provider's own example: it always counts, while
 * `address_list` counts "when AddressDetailList is not empty" in the provider's documentation.
 * `tags` choose assets of a book that updates itself (`Tag`); they do not describe the book.
 */
export const fwcenterAddressBook = {
  kind: 'resource',
  type: 'volcenginecc_fwcenter_address_book',
  version: 1,
  cloudType: 'Volcengine::FWCenter::AddressBook',
  importId: ['GroupUuid'],
  markedBy: 'description',
  permissions: {
    create: ['fw_center:AddAddressBook', 'fw_center:DescribeAddressBook'],
    read: ['fw_center:DescribeAddressBook'],
    update: ['fw_center:ModifyAddressBook', 'fw_center:DescribeAddressBook'],
    delete: ['fw_center:DeleteAddressBook', 'fw_center:DescribeAddressBook'],
    list: ['fw_center:DescribeAddressBook'],
  },
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
    id: computed('string'),
    ref_cnt: computed('number'),
    updated: computed('number'),
  },
} as const satisfies Row;
