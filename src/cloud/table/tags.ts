import { computed, mandatory, optional, written } from './attribute.js';

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

/** Tags as a data source gives them. */
export const TAGS_READ = computed('set(object)', {
  of: { key: computed('string'), value: computed('string') },
});
