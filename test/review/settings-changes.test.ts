import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { exitOf, review } from '../../src/review/review.js';
import { Random } from '../reach/differential/random.js';
import { expectOneAnswer } from '../support/one-answer.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { BASE, CHANGES } from './settings-changes.js';
import { TODAY } from './trees.js';

const ALL = Object.entries({ base: [BASE, 0] as const, ...CHANGES });
const folderOf = (change: string) => change.replaceAll(' ', '-');
const trees = synthesizeAll(
  Object.fromEntries(ALL.map(([change, [settings]]) => [folderOf(change), settings])),
);

const read = (name: string) => readTree(join(trees, folderOf(name)), name);
const base = read('base');

let asked = 0;

test.each(Object.entries(CHANGES))('%s', (change, [, exit]) => {
  const report = review(base, read(change), TODAY);
  const worst = report.findings.filter(({ decision }) => decision !== 'no-change');
  expect(exitOf(report), JSON.stringify(worst, undefined, 1)).toBe(exit);
  asked += expectOneAnswer(report, [base, read(change)], new Random(asked));
  for (const finding of report.findings) expect(Object.keys(finding).slice(0, 9)).toEqual(FIELDS);
});

test('of all these rows reach was asked about as many packets', () => {
  expect(asked).toBeGreaterThan(0);
});

/** Fields of every finding, in the order in which the JSON report has them. */
const FIELDS = [
  ...['kind', 'decision', 'stack', 'resource'],
  ...['who', 'what', 'identity', 'before', 'after'],
];

/** Values of safeguards that are words, by the change after which they are different. */
const WORDS: readonly (readonly [change: string, identity: readonly string[]])[] = [
  ['a check that only reports', ['mode', 'fails the deploy, runs', 'runs']],
  ['a check that only reports', ['mode', 'runs, stops the deploy', 'runs']],
  ['a check after changes only', ['deploys', 'changes, every deploy', 'changes']],
  ['a foreign group', ['place', 'checked', '']],
  [
    'another account',
    [
      'postcondition',
      'a connection that is Rejected, Failed, PartialFailed, ServiceDeleted, Disconnecting, an endpoint that is not of account 2100000001',
      'a connection that is Rejected, Failed, PartialFailed, ServiceDeleted, Disconnecting, an endpoint that is not of account 2100000002',
    ],
  ],
];

// An alert that was accepted is raised again when one of them is worded otherwise.
test.each(WORDS)('%s has the identity %s', (change, identity) => {
  const { findings } = review(base, read(change), TODAY);
  expect(findings.map((finding) => finding.identity)).toContainEqual(identity);
});
