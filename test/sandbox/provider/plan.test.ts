import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../src/cloud/table/row.js';
import { type Plan, planChange } from '../../../src/sandbox/provider/plan.js';
import {
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
    of: {
      target: { is: 'string', mode: 'optional-computed' },
      size: { is: 'number', mode: 'optional-computed', replaces: true },
    },
  },
  project: { is: 'string', mode: 'optional-computed', replaces: true, default: 'default' },
  servers: {
    is: 'set(object)',
    mode: 'optional-computed',
    of: {
      ip: { is: 'string', mode: 'optional-computed' },
      weight: { is: 'number', mode: 'optional-computed', default: 0 },
      note: { is: 'string', mode: 'optional-computed' },
    },
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

/** Terraform's proposal where no member of a set is as it was: computed values stay. */
function propose(prior: ObjectValue | null, wanted: ObjectValue): ObjectValue {
  const entries = Object.entries(ATTRIBUTES).map(([name, { mode }]) => {
    const isKept = wanted[name] === null && /computed/.test(mode);
    return [name, (isKept ? prior?.[name] : wanted[name]) ?? null] as const;
  });
  return Object.fromEntries(entries);
}

function plan(prior: ObjectValue | null, wanted: ObjectValue): Plan {
  return planChange(ATTRIBUTES, { prior, proposed: propose(prior, wanted), config: wanted });
}

describe('a create', () => {
  it('plans what is configured and leaves to the cloud what it fills in', () => {
    const { planned, requiresReplace } = plan(null, config({}));
    expect(planned).toEqual({
      network: 'n',
      zones: null,
      name: 'a',
      note: null,
      rules: UNKNOWN,
      steps: null,
      route: UNKNOWN,
      project: 'default',
      servers: UNKNOWN,
      id: UNKNOWN,
    });
    expect(requiresReplace).toEqual([]);
  });

  it('marks the open members of nested values', () => {
    const facts = {
      rules: [rule(1)],
      steps: [{ text: 'a', mark: null }],
      route: { target: null, size: null },
    };
    const { planned } = plan(null, config(facts));
    expect(planned.rules).toEqual([rule(1, UNKNOWN, UNKNOWN)]);
    expect(planned.steps).toEqual([{ text: 'a', mark: UNKNOWN }]);
    expect(planned.route).toEqual({ target: UNKNOWN, size: UNKNOWN });
  });

  it('plans an unknown collection as unknown', () => {
    expect(plan(null, config({ rules: UNKNOWN })).planned.rules).toBe(UNKNOWN);
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
    route: { target: 't', size: 1 },
    project: 'default',
    servers: null,
    id: 'i-1',
  };

  it('keeps what the cloud filled in, and drops what only the configuration had', () => {
    const { planned } = plan(prior, config({ zones: ['a', 'b'] }));
    expect(planned).toEqual({ ...prior, name: 'a', note: null, servers: UNKNOWN });
  });

  it('replaces only where such an attribute differs, whatever the order of a set', () => {
    const replaced = (facts: ObjectValue) => plan(prior, config(facts)).requiresReplace;
    expect(replaced({ zones: ['b', 'a'] })).toEqual([]);
    expect(replaced({ zones: ['a'] })).toEqual([['zones']]);
    expect(replaced({ zones: ['a', 'b'], network: 'm' })).toEqual([['network']]);
    expect(replaced({ zones: ['a', 'b'], network: UNKNOWN })).toEqual([['network']]);
  });

  it('plans the default of an attribute that is left out, without replacing anything', () => {
    const { planned, requiresReplace } = plan(
      { ...prior, project: 'p' },
      config({ zones: ['a', 'b'] }),
    );
    expect(planned.project).toBe('default');
    expect(requiresReplace).toEqual([]);
    const other = config({ zones: ['a', 'b'], project: 'q' });
    expect(plan({ ...prior, project: 'p' }, other).requiresReplace).toEqual([['project']]);
  });

  it('replaces for an attribute inside an object', () => {
    const wanted = config({ zones: ['a', 'b'], route: { target: null, size: 2 } });
    expect(plan(prior, wanted).requiresReplace).toEqual([['route', 'size']]);
  });

  it('fills a member of a set from the prior member with the same index', () => {
    const { planned } = plan(prior, config({ rules: [rule(3), rule(4, 'z'), rule(5)] }));
    expect(planned.rules).toEqual([
      rule(3, 'x', 'r-1'),
      rule(4, 'z', 'r-2'),
      rule(5, UNKNOWN, UNKNOWN),
    ]);
  });

  it('leaves a member alone that Terraform has completed, and one that is written in full', () => {
    const wanted = config({ rules: [rule(2), rule(4, '', '')] });
    const proposed = { ...propose(prior, wanted), rules: [rule(2, 'y', 'r-2'), rule(4, '', '')] };
    const { planned } = planChange(ATTRIBUTES, { prior, proposed, config: wanted });
    expect(planned.rules).toEqual(proposed.rules);
  });

  it('plans the default over what is configured in a member that Terraform has completed', () => {
    const wanted = config({ servers: [{ ip: '10.0.0.1', weight: 100, note: null }] });
    const completed = [{ ip: '10.0.0.1', weight: 100, note: 'n' }];
    const proposed = { ...propose(prior, wanted), servers: completed };
    const { planned } = planChange(ATTRIBUTES, { prior, proposed, config: wanted });
    expect(planned.servers).toEqual([{ ip: '10.0.0.1', weight: 0, note: 'n' }]);
  });

  it('does not fill in a value that is only known after the apply', () => {
    const { planned } = plan(prior, config({ rules: [rule(1, UNKNOWN)] }));
    expect(planned.rules).toEqual([rule(1, UNKNOWN, 'r-1')]);
  });

  it('of what Terraform proposes unchanged changes nothing', () => {
    const same = { ...prior, name: 'a' };
    const { planned, requiresReplace } = planChange(ATTRIBUTES, {
      prior: same,
      proposed: same,
      config: config({ zones: ['b', 'a'], note: 'noted' }),
    });
    expect(planned).toEqual(same);
    expect(requiresReplace).toEqual([]);
  });
});
