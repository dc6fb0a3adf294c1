import type { Attribute, Shape } from './row.js';

type Facts = Omit<Attribute, 'is' | 'mode' | 'mandatory' | 'written'>;

function attributesOf<const M extends Partial<Attribute>>(mode: M) {
  return <const S extends Shape, const F extends Facts = object>(is: S, facts?: F) =>
    ({ is, ...mode, ...(facts as F) }) as const;
}

/** Must be given. */
export const required = attributesOf({ mode: 'required' });

/** May be given; the cloud fills it in otherwise. */
export const optional = attributesOf({ mode: 'optional-computed' });

/** May be given; stays empty otherwise. */
export const input = attributesOf({ mode: 'optional' });

/** A nested member that the schema calls optional and the provider refuses to miss. */
export const mandatory = attributesOf({ mode: 'optional-computed', mandatory: true });

/** A nested member that must be given, or the provider takes it from another member. */
export const written = attributesOf({ mode: 'optional-computed', written: true });

/** Known only after the cloud has made the resource. */
export const computed = attributesOf({ mode: 'computed' });

function tags<const K extends Attribute, const V extends Attribute>(key: K, value: V) {
  return optional('set(object)', {
    documented: true,
    items: [0, 20],
    spelledOut: true,
    of: { key, value },
  });
}

const KEY = { length: [1, 128], text: 'tag-key' } as const;
const VALUE = { length: [0, 256] } as const;

/** Tags whose limits the provider leaves to the cloud. */
export const TAGS = tags(
  mandatory('string', { documented: true, ...KEY }),
  written('string', { documented: true, ...VALUE }),
);

/** Tags of which the provider refuses a value that is missing. */
export const FULL_TAGS = tags(
  mandatory('string', { documented: true, ...KEY }),
  mandatory('string', { documented: true, ...VALUE }),
);

/** Tags of which the provider checks the lengths. */
export const MEASURED_TAGS = tags(mandatory('string', KEY), written('string', VALUE));
