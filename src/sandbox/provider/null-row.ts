import { computed, input } from '../../cloud/table/attribute.js';
import type { Row } from '../../cloud/table/row.js';

/** The resource that has no cloud and exists for its triggers and provisioners. */
export const nullRow = {
  kind: 'resource',
  type: 'null_resource',
  version: 0,
  importId: [],
  attributes: {
    id: computed('string'),
    triggers: input('map(string)', { replaces: true }),
  },
} as const satisfies Row;
