import { expect, test } from 'vitest';
import { review } from '../../src/review/review.js';
import { Random } from '../reach/differential/random.js';
import { randomTree } from '../reach/random-tree.js';
import { randomOf } from '../reach/two-engines.js';
import { expectOneAnswer } from '../support/one-answer.js';
import { runs } from '../support/samples.js';
import { stackOf, TODAY, treeOf } from './trees.js';

/** The packets that are asked about in the first of so many pairs of trees. */
const ASKED = { pairs: 9, packets: 1_780 } as const;

test('of every row between random trees reach gives the answers that the row has', () => {
  const asked: number[] = [];
  for (let seed = 0; seed < runs(30); seed += 1) {
    const [base, head] = [2 * seed, 2 * seed + 1].map((one) =>
      treeOf(stackOf([], { resource: randomTree(randomOf(one)).resource })),
    );
    if (base === undefined || head === undefined) continue;
    const report = review(base, head, TODAY);
    asked.push(expectOneAnswer(report, [base, head], new Random(seed)));
  }
  expect(asked.slice(0, ASKED.pairs).reduce((a, b) => a + b)).toBe(ASKED.packets);
});
