import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../src/cloud/table/row.js';
import { planChange } from '../../../src/sandbox/provider/plan.js';
import {
  isArray,
  isObject,
  nullObject,
  type ObjectValue,
  UNKNOWN,
  type Value,
} from '../../../src/sandbox/provider/value.js';

const ATTRIBUTES: Attributes = {
  network: { is: 'string', mode: 'required', replaces: true },
  zones: { is: 'set(string)', mode: 'optional', replaces: true },
  name: { is: 'string', mode: 'optional-computed', default: 'a' },
  note: { is: 'string', mode: 'optional' },
  rules: {
    is: 'set(object)',
    mode: 'optional-computed',
    of: {
      port: { is: 'number', mode: 'optional-computed' },
      peer: { is: 'string', mode: 'optional-computed' },
      rule_id: { is: 'string', mode: 'computed' },
    },
  },
  steps: {
    is: 'list(object)',
    mode: 'optional',
    of: { text: { is: 'string', mode: 'required' }, mark: { is: 'string', mode: 'computed' } },
  },
  route: {
    is: 'object',
    mode: 'optional-computed',
    of: { target: { is: 'string', mode: 'optional-computed' } },
  },
  id: { is: 'string', mode: 'computed' },
};

const NOTHING = nullObject(ATTRIBUTES);

function config(facts: ObjectValue): ObjectValue {
  return { ...NOTHING, network: 'n', ...facts };
}

function rule(port: number | null, peer: Value = null, ruleId: Value = null): ObjectValue {
  return { port, peer, rule_id: ruleId };
}

describe('a create', () => {
  it('plans what is configured and leaves to the cloud what it fills in', () => {
    const { planned, requiresReplace } = planChange(ATTRIBUTES, null, config({}));
    expect(planned).toEqual({
      network: 'n',
      zones: null,
      name: UNKNOWN,
      note: null,
      rules: UNKNOWN,
      steps: null,
      route: UNKNOWN,
      id: UNKNOWN,
    });
    expect(requiresReplace).toEqual([]);
  });

  it('marks the open members of nested values', () => {
    const facts = { rules: [rule(1)], steps: [{ text: 'a', mark: null }], route: { target: null } };
    const { planned } = planChange(ATTRIBUTES, null, config(facts));
    expect(planned.rules).toEqual([rule(1, UNKNOWN, UNKNOWN)]);
    expect(planned.steps).toEqual([{ text: 'a', mark: UNKNOWN }]);
    expect(planned.route).toEqual({ target: UNKNOWN });
  });

  it('plans an unknown collection as unknown', () => {
    expect(planChange(ATTRIBUTES, null, config({ rules: UNKNOWN })).planned.rules).toBe(UNKNOWN);
  });
});

describe('an update', () => {
  const prior: ObjectValue = {
    network: 'n',
    zones: ['a', 'b'],
    name: 'given',
    note: 'noted',
    rules: [rule(1, 'x', 'r-1'), rule(2, 'y', 'r-2')],
    steps: null,
    route: { target: 't' },
    id: 'i-1',
  };

  it('keeps what the cloud filled in, and drops what only the configuration had', () => {
    const { planned } = planChange(ATTRIBUTES, prior, config({ zones: ['a', 'b'] }));
    expect(planned).toEqual({ ...prior, note: null });
  });

  it('replaces only where such an attribute differs, whatever the order of a set', () => {
    const replaced = (facts: ObjectValue) =>
      planChange(ATTRIBUTES, prior, config(facts)).requiresReplace;
    expect(replaced({ zones: ['b', 'a'] })).toEqual([]);
    expect(replaced({ zones: ['a'] })).toEqual(['zones']);
    expect(replaced({ zones: ['a', 'b'], network: 'm' })).toEqual(['network']);
    expect(replaced({ zones: ['a', 'b'], network: UNKNOWN })).toEqual(['network']);
  });

  it('matches the members of a set by what is configured, never by position', () => {
    const { planned } = planChange(
      ATTRIBUTES,
      prior,
      config({ rules: [rule(2), rule(3), rule(1)] }),
    );
    expect(planned.rules).toEqual([
      rule(2, 'y', 'r-2'),
      rule(3, UNKNOWN, UNKNOWN),
      rule(1, 'x', 'r-1'),
    ]);
  });

  it('lets the most closely described member choose first, and each prior member only once', () => {
    const twice = { ...prior, rules: [rule(1, 'x', 'r-1'), rule(1, 'y', 'r-2')] };
    const { planned } = planChange(ATTRIBUTES, twice, config({ rules: [rule(1), rule(1, 'x')] }));
    expect(planned.rules).toEqual([rule(1, 'y', 'r-2'), rule(1, 'x', 'r-1')]);
  });

  it('does not take an unknown member for any that was there', () => {
    const { planned } = planChange(ATTRIBUTES, prior, config({ rules: [rule(1, UNKNOWN)] }));
    expect(planned.rules).toEqual([rule(1, UNKNOWN, UNKNOWN)]);
  });

  it('of an unchanged configuration changes nothing', () => {
    const text = fc.option(fc.constantFrom('a', 'b', 'c'));
    const rules = fc.uniqueArray(fc.record({ port: fc.nat(3), peer: text }), {
      selector: ({ port, peer }) => `${port}/${peer}`,
    });
    const configured = fc.record({
      name: text,
      note: text,
      zones: fc.option(fc.uniqueArray(fc.constantFrom('a', 'b'))),
      rules: fc.option(rules.map((all) => all.map(({ port, peer }) => rule(port, peer)))),
    });
    fc.assert(
      fc.property(configured, (facts) => {
        const first = planChange(ATTRIBUTES, null, config(facts)).planned;
        const applied = settle(first);
        const shuffled: ObjectValue = { ...applied, rules: reversed(applied.rules ?? null) };
        const second = planChange(ATTRIBUTES, shuffled, config(facts));
        expect(second.planned).toEqual(applied);
        expect(second.requiresReplace).toEqual([]);
      }),
    );
  });
});

function reversed(value: Value): Value {
  return isArray(value) ? [...value].reverse() : value;
}

/** The cloud's part: a value for everything unknown, told apart by what stands beside it. */
function settle(planned: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [name, settleValue(value, name, planned)]),
  );
}

function settleValue(value: Value, name: string, beside: ObjectValue): Value {
  if (value === UNKNOWN) {
    return name === 'rules' || name === 'route' ? null : `made-${String(beside.port)}`;
  }
  if (isArray(value)) return value.map((member) => (isObject(member) ? settle(member) : member));
  return isObject(value) ? settle(value) : value;
}
