import { expect, test } from 'vitest';
import { differences, type ProviderSchema } from '../../scripts/schema-differences.js';
import { computed, optional, type Row, required } from '../../src/cloud/table/row.js';

const row = {
  kind: 'resource',
  type: 'cloud_thing',
  version: 1,
  importId: [],
  attributes: {
    id: computed('string'),
    name: required('string'),
    note: optional('string'),
  },
} as const satisfies Row;

const own = {
  id: { type: 'string', computed: true },
  name: { type: 'string', required: true },
  note: { type: 'string', optional: true, computed: true },
} as const;

/** What is different where the provider has these attributes. */
function differencesWith(attributes: object, version = 1) {
  const type = { version, block: { attributes } };
  const schema = {
    provider: { version: 0, block: {} },
    resource_schemas: { cloud_thing: type },
    data_source_schemas: {},
  } as ProviderSchema;
  return differences([row], {}, schema).map(
    ({ where, what, breaks }) => `${where} ${what}: ${breaks}`,
  );
}

const { note: _, ...withoutNote } = own;
const { id: __, ...withoutId } = own;

test.each<[what: string, attributes: object, told: readonly string[]]>([
  ['nothing', own, []],
  [
    'an attribute more',
    { ...own, more: { type: 'string', optional: true } },
    ['cloud_thing.more is not in the table: undefined'],
  ],
  [
    'an attribute more that is required',
    { ...own, more: { type: 'string', required: true } },
    ['cloud_thing.more is required, and not in the table: every plan with it'],
  ],
  [
    'an attribute less',
    withoutNote,
    ['cloud_thing.note does not exist: every plan that writes it'],
  ],
  [
    'an attribute less that is only read',
    withoutId,
    ['cloud_thing.id does not exist: every plan that reads it'],
  ],
  [
    'another type',
    { ...own, note: { ...own.note, type: ['list', 'string'] } },
    ['cloud_thing.note is list(string), not string: every plan that writes it'],
  ],
  [
    'an attribute that became required',
    { ...own, note: { type: 'string', required: true } },
    ['cloud_thing.note is required, not optional-computed: every plan that leaves it out'],
  ],
  [
    'an attribute that is only read now',
    { ...own, note: { type: 'string', computed: true } },
    ['cloud_thing.note is computed, not optional-computed: every plan that writes it'],
  ],
  [
    'an attribute that nothing fills in',
    { ...own, note: { type: 'string', optional: true } },
    ['cloud_thing.note is optional, not optional-computed: an empty plan where it is left out'],
  ],
  [
    'an attribute that may be left out now',
    { ...own, name: { type: 'string', optional: true } },
    ['cloud_thing.name is optional, not required: undefined'],
  ],
])('a provider with %s is told by what that breaks', (_what, attributes, told) => {
  expect(differencesWith(attributes)).toEqual(told);
});

test('states of another version are told', () => {
  expect(differencesWith(own, 2)).toEqual([
    'cloud_thing has states of version 2, not 1: going back to an older provider',
  ]);
  expect(differencesWith(own, 0)).toEqual([
    'cloud_thing has states of version 0, not 1: states that are there',
  ]);
});

test('a type that is gone breaks every plan with it', () => {
  const schema: ProviderSchema = {
    provider: { version: 0, block: {} },
    resource_schemas: {},
    data_source_schemas: {},
  };
  expect(differences([row], {}, schema)).toEqual([
    { where: 'cloud_thing', what: 'does not exist', breaks: 'every plan with it' },
  ]);
});
