import { computed, mandatory, optional, written } from './attribute.js';

/** Tags as every taggable type of the cloud has them. Keys starting with `sys:` or `volc:` are the cloud's own. */
export const TAGS = optional('set(object)', {
  items: [0, 20],
  spelledOut: true,
  of: {
    key: mandatory('string', { length: [1, 128], text: 'tag-key' }),
    value: written('string', { length: [0, 256] }),
  },
});

/** Tags as a data source gives them. */
export const TAGS_READ = computed('set(object)', {
  of: { key: computed('string'), value: computed('string') },
});
