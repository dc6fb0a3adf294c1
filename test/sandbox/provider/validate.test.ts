import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../src/cloud/table/row.js';
import { validate } from '../../../src/sandbox/provider/validate.js';
import { nullObject, type ObjectValue, UNKNOWN } from '../../../src/sandbox/provider/value.js';

const ATTRIBUTES: Attributes = {
  network: { is: 'string', mode: 'required' },
  kind: { is: 'string', mode: 'optional', oneOf: ['a', 'b'] },
  kinds: { is: 'set(string)', mode: 'optional', oneOf: ['a', 'b'] },
  count: { is: 'number', mode: 'optional', range: [1, 3] },
  name: { is: 'string', mode: 'optional', length: [2, 3] },
  groups: { is: 'set(string)', mode: 'optional', items: [1, 2] },
  payer: { is: 'string', mode: 'optional', documented: true, oneOf: ['a', 'b'], length: [2, 3] },
  priority: { is: 'number', mode: 'optional', documented: true, range: [1, 100] },
  bandwidth: { is: 'number', mode: 'optional', fraction: true },
  secret: { is: 'string', mode: 'optional', length: [8, 9], sensitive: true },
  rules: {
    is: 'set(object)',
    mode: 'optional',
    of: { policy: { is: 'string', mode: 'optional-computed', mandatory: true, oneOf: ['yes'] } },
  },
  steps: {
    is: 'list(object)',
    mode: 'optional',
    of: { text: { is: 'string', mode: 'optional-computed', mandatory: true } },
  },
};

function found(facts: ObjectValue) {
  return validate(ATTRIBUTES, { ...nullObject(ATTRIBUTES), network: 'n', ...facts }).map(
    ({ detail, attribute }) => ({ detail, steps: attribute?.steps }),
  );
}

describe('a configuration', () => {
  it('may leave everything out, or unknown', () => {
    expect(found({})).toEqual([]);
    expect(found({ kind: UNKNOWN, groups: UNKNOWN, rules: [{ policy: UNKNOWN }] })).toEqual([]);
  });

  it.each<[ObjectValue, string]>([
    [{ kind: 'c' }, '`kind` must be one of a, b, got: "c"'],
    [{ kinds: ['a', 'c'] }, '`kinds` must be one of a, b, got: "c"'],
    [{ count: 4 }, '`count` must be from 1 to 3, got: 4'],
    [{ name: 'abcd' }, '`name` must have 2 to 3 bytes, got: "abcd"'],
    [{ groups: [] }, '`groups` must have 1 to 2 members, got: 0'],
    [{ secret: 'short' }, '`secret` is not valid.'],
    [{ rules: [{ policy: null }] }, '`rules.policy` must be set, got: nothing'],
    [{ network: null }, '`network` must be set, got: nothing'],
    [{ rules: [{ policy: 'no' }] }, '`rules.policy` must be one of yes, got: "no"'],
  ])('%o is refused', (facts, detail) => {
    expect(found(facts).map((diagnostic) => diagnostic.detail)).toEqual([detail]);
  });

  it('counts bytes, as the genuine provider does', () => {
    expect(found({ name: '名' })).toEqual([]);
    expect(found({ name: '名字' })).toHaveLength(1);
  });

  it('passes what only the documentation limits, for the cloud to refuse', () => {
    expect(found({ payer: 'c', priority: 400 })).toEqual([]);
    expect(found({ priority: 1.5 })).toHaveLength(1);
    expect(found({ bandwidth: 1.5 })).toEqual([]);
  });

  it('is pointed at down to the member of a list, and to a set as a whole', () => {
    expect(found({ steps: [{ text: 'a' }, { text: null }] })).toEqual([
      {
        detail: '`steps[1].text` must be set, got: nothing',
        steps: [{ attribute_name: 'steps' }, { element_key_int: 1 }, { attribute_name: 'text' }],
      },
    ]);
    expect(found({ rules: [{ policy: null }] })[0]?.steps).toEqual([{ attribute_name: 'rules' }]);
  });
});
