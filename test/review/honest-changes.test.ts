import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSources } from '../../scripts/synthesize.js';
import { readTree } from '../../src/review/read/read-tree.js';
import { review } from '../../src/review/review.js';
import { anySettings } from '../access/any-settings.js';
import { Random } from './differential/random.js';
import { changeHonestly, type Settings } from './honest-changes.js';
import { TODAY } from './trees.js';

// More by hand: HONEST_CHAINS=50 HONEST_CHANGES=8 DIFFERENTIAL_SEED=2 npx vitest run test/review/honest-changes.test.ts
const CHAINS = Number(process.env.HONEST_CHAINS ?? 3);
const CHANGES = Number(process.env.HONEST_CHANGES ?? 4);
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1);

let folder = '';
/** Of each chain the changes between its settings. */
const chains: string[][] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  const all: Settings[] = fc.sample(anySettings, { numRuns: CHAINS, seed: SEED });
  for (const [i, base] of all.entries()) await writeChain(i, base);
  const args = [join(folder, 'settings'), join(folder, 'trees')];
  await runOnSources('test/review/synthesize-changes.ts', args);
}, 3_600_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function writeChain(chain: number, base: Settings): Promise<void> {
  const random = new Random(SEED * 7919 + chain);
  const runOn = chain % 2 === 0 ? 'change' : 'every-deploy';
  let settings: Settings = {
    ...structuredClone(base),
    keyPairs: [{ kid: 'first', keyFile: 'keys/first.pem' }],
    check: { mode: 'required', runOn, wait: 60 },
  };
  chains[chain] = [];
  for (let step = 0; step <= CHANGES; step += 1) {
    const place = join(folder, 'settings', `${chain}-${step}`);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'live.json'), JSON.stringify(settings));
    settings = structuredClone(settings);
    chains[chain]?.push(changeHonestly(settings, random));
  }
}

test('changes of settings that open, weaken and cut nothing need no approval', () => {
  const alarms: string[] = [];
  let pairs = 0;
  for (const [chain, changes] of chains.entries()) {
    const trees = changes.map((_, step) =>
      readTree(join(folder, 'trees', `${chain}-${step}`), `${step}`),
    );
    for (const [from, base] of trees.entries()) {
      for (const [to, head] of trees.entries()) {
        if (to <= from) continue;
        pairs += 1;
        const { decision, summary } = review(base, head, TODAY);
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
