import type { Attribute, Shape } from './row.js';

type Facts = Omit<Attribute, 'is' | 'mode' | 'mandatory' | 'written'>;

/** Must be given. */
export function required<const S extends Shape, const F extends Facts = object>(is: S, facts?: F) {
  return { is, mode: 'required', ...(facts as F) } as const;
}

/** May be given; the cloud fills it in otherwise. */
export function optional<const S extends Shape, const F extends Facts = object>(is: S, facts?: F) {
  return { is, mode: 'optional-computed', ...(facts as F) } as const;
}

/** May be given; stays empty otherwise. */
export function input<const S extends Shape, const F extends Facts = object>(is: S, facts?: F) {
  return { is, mode: 'optional', ...(facts as F) } as const;
}

/** A nested member that the schema calls optional and the provider refuses to miss. */
export function mandatory<const S extends Shape, const F extends Facts = object>(is: S, facts?: F) {
  return { is, mode: 'optional-computed', mandatory: true, ...(facts as F) } as const;
}

/** A nested member that must be given, or the provider takes it from another member. */
export function written<const S extends Shape, const F extends Facts = object>(is: S, facts?: F) {
  return { is, mode: 'optional-computed', written: true, ...(facts as F) } as const;
}

/** Known only after the cloud has made the resource. */
export function computed<const S extends Shape, const F extends Facts = object>(is: S, facts?: F) {
  return { is, mode: 'computed', ...(facts as F) } as const;
}

const KEY = { length: [1, 128], text: 'tag-key' } as const;
const VALUE = { length: [0, 256] } as const;

/** Tags whose limits the provider leaves to the cloud. */
export const TAGS = optional('set(object)', {
  documented: true,
  items: [0, 20],
  spelledOut: true,
  of: {
    key: mandatory('string', { documented: true, ...KEY }),
    value: written('string', { documented: true, ...VALUE }),
  },
});

/** Tags of which the provider refuses a value that is missing. */
export const FULL_TAGS = optional('set(object)', {
  documented: true,
  items: [0, 20],
  spelledOut: true,
  of: {
    key: mandatory('string', { documented: true, ...KEY }),
    value: mandatory('string', { documented: true, ...VALUE }),
  },
});

/** Tags of which the provider checks the lengths. */
export const MEASURED_TAGS = optional('set(object)', {
  documented: true,
  items: [0, 20],
  spelledOut: true,
  of: { key: mandatory('string', KEY), value: written('string', VALUE) },
});
