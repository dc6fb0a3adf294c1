import { list, text } from '../../reach/read/json.js';
import { guard, LABEL, type TypesOf, to } from './reviewed-type.js';

const WHEN = guard('the policy applies at other times');
const CHOOSES = to('addresses change by themselves');

export const FWCENTER_TYPES: TypesOf<'fwcenter'> = {
  volcenginecc_fwcenter_control_policy: {
    name: 'the firewall',
    effects: {
      removed: 'Cloud Firewall decides by its other policies',
      replaced: 'between the old policy and the new one, Cloud Firewall decides by its others',
    },
    model: {
      access: [
        ...['action', 'direction', 'source', 'source_type', 'destination', 'destination_type'],
        ...['proto', 'dest_port', 'dest_port_type', 'ip_type', 'prio', 'status'],
      ],
      facts: {
        internet_firewall_id: to('another firewall decides'),
        repeat_type: {
          ...WHEN,
          members: (type) =>
            list(type)
              .map(text)
              .filter((one) => one !== 'Permanent'),
        },
        start_time: WHEN,
        end_time: WHEN,
        repeat_days: WHEN,
        repeat_start_time: WHEN,
        repeat_end_time: WHEN,
      },
      harmless: { [LABEL]: ['description'] },
    },
  },
  volcenginecc_fwcenter_address_book: {
    name: 'the address book of the firewall',
    effects: {
      removed: 'policies that used the book match nothing',
      replaced: 'until the new book is used, its policies match nothing',
    },
    model: {
      access: ['address_list', 'address_detail_list', 'group_type', 'auto_update_type'],
      facts: {
        cloud_firewall_id: to('another firewall decides'),
        tags: CHOOSES,
        tag_relation: CHOOSES,
        resource_type: CHOOSES,
        instance_type_list: CHOOSES,
      },
      harmless: { [LABEL]: ['group_name', 'description'] },
    },
  },
};
