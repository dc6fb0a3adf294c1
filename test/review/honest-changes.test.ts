import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { review } from '../../src/review/review.js';
import { anySettings } from '../access/any-settings.js';
import { Random } from '../reach/differential/random.js';
import { expectOneAnswer } from '../support/one-answer.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { changeHonestly, type Settings } from './honest-changes.js';
import { TODAY } from './trees.js';

// More by hand: HONEST_CHAINS=50 HONEST_CHANGES=8 DIFFERENTIAL_SEED=2 npx vitest run test/review/honest-changes.test.ts
const CHAINS = Number(process.env.HONEST_CHAINS ?? 3);
const CHANGES = Number(process.env.HONEST_CHANGES ?? 4);
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1);

/** Of each chain the changes between its settings. */
const chains: string[][] = [];
const bases: Settings[] = fc.sample(anySettings, { numRuns: CHAINS, seed: SEED });
const trees = synthesizeAll(Object.fromEntries(bases.flatMap(makeChain)));

function makeChain(base: Settings, chain: number): (readonly [string, Settings])[] {
  const random = new Random(SEED * 7919 + chain);
  const runOn = chain % 2 === 0 ? 'change' : 'every-deploy';
  let settings: Settings = {
    ...structuredClone(base),
    keyPairs: [{ kid: 'first', keyFile: 'keys/first.pem' }],
    check: { mode: 'required', runOn, wait: 60 },
  };
  const changes: string[] = [];
  const all = [];
  for (let step = 0; step <= CHANGES; step += 1) {
    all.push([`${chain}-${step}`, settings] as const);
    settings = structuredClone(settings);
    changes.push(changeHonestly(settings, random));
  }
  chains[chain] = changes;
  return all;
}

test('changes of settings that open, weaken and cut nothing need no approval', () => {
  const alarms: string[] = [];
  let pairs = 0;
  for (const [chain, changes] of chains.entries()) {
    const read = changes.map((_, step) => readTree(join(trees, `${chain}-${step}`), `${step}`));
    for (const [from, base] of read.entries()) {
      for (const [to, head] of read.entries()) {
        if (to <= from) continue;
        pairs += 1;
        const report = review(base, head, TODAY);
        const { decision, summary } = report;
        expectOneAnswer(report, [base, head], new Random(pairs));
        if (decision === 'no-change' || decision === 'narrower') continue;
        alarms.push(
          `${chain}, ${from} to ${to} (${changes.slice(from, to).join(', ')}): ${summary}`,
        );
      }
    }
  }
  expect(alarms).toEqual([]);
  expect(pairs).toBe((CHAINS * CHANGES * (CHANGES + 1)) / 2);
}, 3_600_000);
