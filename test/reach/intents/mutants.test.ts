import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/reach/read/json.js';
import { mutants, rewritings } from './mutants.js';
import { judge, synthesizeShipped } from './trees.js';

const { intents: shipped } = JSON.parse(readFileSync('shipped/template/intents.json', 'utf8')) as {
  intents: (Json & { name: string })[];
};

describe.each(['production', 'sandbox'])('the shipped intents of %s', (environment) => {
  const { stacks } = synthesizeShipped(environment);
  const intents = shipped.map(({ environments: _, ...intent }) =>
    JSON.parse(
      environment === 'production'
        ? JSON.stringify(intent)
        : JSON.stringify(intent).replaceAll('10.30.', '10.20.'),
    ),
  ) as Json[];
  const verdicts = (of: typeof stacks) =>
    judge(of, intents).map(({ name, verdict }) => ({ name, verdict }));

  test('hold on the stacks, and on every rewriting that opens the same', () => {
    const held = intents.map(({ name }) => ({ name, verdict: 'holds' }));
    expect(verdicts(stacks)).toEqual(held);
    for (const { title, stacks: other } of rewritings(stacks)) {
      expect({ title, verdicts: verdicts([...other]) }).toEqual({ title, verdicts: held });
    }
  });

  test('each die by a change of one rule, with a packet that was not there before', () => {
    const killers = new Map<unknown, number>();
    for (const { title, stacks: other } of mutants(stacks)) {
      for (const { name, verdict, packet } of judge(other, intents)) {
        if (verdict !== 'broken') continue;
        expect(packet, title).toMatch(/^\S.* → \S/);
        killers.set(name, (killers.get(name) ?? 0) + 1);
      }
    }
    for (const { name } of intents) expect(killers.get(name) ?? 0, String(name)).toBeGreaterThan(0);
  });
});
