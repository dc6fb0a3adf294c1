import { randomInt } from 'node:crypto';
import type { Operations, Outcome } from './operations.js';
import type { ObjectValue } from './value.js';

const IDS = 2 ** 48 - 1;

/** The operations of a resource that is nothing but its state. */
export const nullOperations: Operations = {
  read: (state) => keep(state),
  create: (planned) => keep({ ...planned, id: String(randomInt(1, IDS)) }),
  update: (_prior, planned) => keep(planned),
  delete: () => keep(null),
};

async function keep(state: ObjectValue | null): Promise<Outcome> {
  return { state, diagnostics: [] };
}
