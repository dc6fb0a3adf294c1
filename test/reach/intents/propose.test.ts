import { describe, expect, test } from 'vitest';
import { proposeIntents } from '../../../src/reach/intents/propose.js';
import type { Json } from '../../../src/reach/read/json.js';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';
import { mutants } from './mutants.js';
import { judge, synthesizeShipped } from './trees.js';

describe.each(['production', 'sandbox'])('the proposal for %s', (environment) => {
  const { stacks } = synthesizeShipped(environment);
  const asked = stacks.map(({ name, json, access }) => ({
    ...{ name, file: name, access, terraform: readTerraform(json) },
  }));
  const { intents } = proposeIntents(asked);
  /** Where a firewall does not know its own address, nothing is decided: that is no pass either. */
  const lost = (of: typeof stacks) =>
    judge(of, intents as unknown as Json[])
      .filter(({ verdict }) => verdict !== 'holds')
      .map(({ name }) => name);

  test('holds on the tree that it is made from', () => {
    expect(intents.length).toBeGreaterThan(2);
    for (const { verdict } of judge(stacks, intents as unknown as Json[])) {
      expect(verdict).toBe('holds');
    }
  });

  test('has no sentence that survives every change of one rule', () => {
    const died = new Set(mutants(stacks).flatMap(({ stacks: mutated }) => lost([...mutated])));
    expect([...died].sort()).toEqual(intents.map(({ name }) => name).sort());
  });
});
