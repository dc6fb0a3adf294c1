import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { textReport } from '../../src/review/reports/document.js';
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

test.each(Object.entries(CHANGES))('%s', (change, [, exit]) => {
  const report = review(base, read(change), TODAY);
  const worst = report.findings.filter(({ decision }) => decision !== 'no-change');
  expect(exitOf(report), JSON.stringify(worst, undefined, 1)).toBe(exit);
  const asked = expectOneAnswer(report, [base, read(change)], new Random(1));
  expect(asked).toBe(ASKED[change] ?? 0);
  for (const finding of report.findings) expect(Object.keys(finding).slice(0, 9)).toEqual(FIELDS);
});

/** The number of packets that reach is asked about, of changes with any that have addresses. */
const ASKED: Readonly<Record<string, number>> = {
  ...{ 'a narrower network': 10, 'a wider network': 10, 'another port': 20, 'plain http': 20 },
  ...{ 'another address': 10, 'another listener port': 20, 'one caller less': 10 },
  'another listener port and account': 20,
};

const PORT = 'tcp 443 → 8443; calls to the port fail until the new listener is there';

test.each([
  ['another listener port', `orders: ${PORT}`, 9, 0],
  // Other accounts may ask for the new port than for the old one.
  ['another listener port and account', `orders-listener: ${PORT}`, 3, 10],
])('%s is one row for people, and all that it stands for in JSON', (change, row, own, others) => {
  const report = review(base, read(change), TODAY);
  const of = report.findings.filter((finding) => finding.row === row);
  expect([of.length, report.findings.length - of.length]).toEqual([own, others]);
  // What was closed altogether comes first.
  expect(report.summary).toMatch(others === 0 ? `NEEDS APPROVAL: ${row}` : / \(and 6 more\)$/);
  const text = textReport(report).replaceAll(/\s+/g, ' ');
  expect(text.split(row)).toHaveLength(others === 0 ? 3 : 2);
});

test('a private zone that is switched on is told in words, and its new link in one row', () => {
  const { summary, findings } = review(read('no private zone'), base, TODAY);
  const told = findings.filter(({ decision }) => decision === 'needs-approval');
  const endpoint = 'volcenginecc_privatelink_vpc_endpoint.service-endpoint';
  const name = `from now on api.example.com resolves to ${endpoint} in volcenginecc_vpc_vpc.network`;
  expect(summary).toContain(name);
  expect(told.map(({ what, consequence }) => [what, consequence])).toEqual([
    ['the name api.example.com', name],
    ['zone_name', 'the private zone is new'],
    [
      'link service-endpoint-api-host',
      'clients and the check are given a new link: calls go to https://api.example.com, with JWTs for api.example.com',
    ],
  ]);
  expect(told.at(-1)?.after).toBe(
    `base URL: https://api.example.com; API host: api.example.com; addresses that the check accepts: the addresses of ${endpoint}; other settings: privateZone: true`,
  );
  expect(textReport(review(base, read('no private zone'), TODAY))).not.toContain('${');
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
