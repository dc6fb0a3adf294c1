import { randomInt } from 'node:crypto';
import { computed, input } from '../../cloud/table/attribute.js';
import type { Row } from '../../cloud/table/row.js';
import type { Operations, Outcome, StandInProvider } from './stand-in-provider.js';
import type { ObjectValue } from './value.js';

export function nullProvider(): StandInProvider {
  return {
    configuration: {},
    rows: [nullRow],
    configure: () => [],
    operations: () => nullOperations,
    stop: () => undefined,
  };
}

/** The resource that has no cloud and exists for its triggers and provisioners. */
const nullRow = {
  kind: 'resource',
  type: 'null_resource',
  version: 0,
  importId: [],
  attributes: {
    id: computed('string'),
    triggers: input('map(string)', { replaces: true }),
  },
} as const satisfies Row;

const IDS = 2 ** 48 - 1;

/** The operations of a resource that is nothing but its state. */
const nullOperations: Operations = {
  read: (state) => keep(state),
  create: (planned) => keep({ ...planned, id: String(randomInt(1, IDS)) }),
  update: (_prior, planned) => keep(planned),
  delete: () => keep(null),
};

async function keep(state: ObjectValue | null): Promise<Outcome> {
  return { state, diagnostics: [] };
}
