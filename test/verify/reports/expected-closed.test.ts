import { expect, test } from 'vitest';
import { closedRecordSchema } from '../../../src/verify/model/results.js';
import { savedExit } from '../../../src/verify/model/saved-exit.js';
import type { ClosedResult, Verification } from '../../../src/verify/model/verification.js';
import { verificationSchema } from '../../../src/verify/model/verification.js';
import { githubReport } from '../../../src/verify/reports/github.js';
import { htmlReport } from '../../../src/verify/reports/html/page.js';
import { jsonLinesReport, jsonReport } from '../../../src/verify/reports/json.js';
import { junitReport } from '../../../src/verify/reports/junit.js';
import { markdownReport } from '../../../src/verify/reports/markdown.js';
import { prometheusReport } from '../../../src/verify/reports/prometheus.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { textReport } from '../../../src/verify/reports/text.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { GOOD } from './samples.js';

const CLOSED: ClosedResult = {
  link: 'api',
  vantagePoint: 'guests',
  door: '10.1.2.3:443',
  result: 'closed',
  seen: 'no connection opened (tcp.timeout, TimedOut)',
  reached:
    'office reached 10.1.2.3:443 at 2030-01-02T03:04:01Z, and office at 2030-01-02T03:04:09Z',
  at: '2030-01-02T03:04:05Z',
};
const OPEN: ClosedResult = {
  ...CLOSED,
  ...{ result: 'OPEN', code: 'intent.open', seen: 'a connection opened' },
};
const { reached: _, door: __, ...REST } = CLOSED;
const NOT_SHOWN: ClosedResult = { ...REST, result: 'not shown', seen: 'nobody reached it' };
const DEAD: ClosedResult = { ...NOT_SHOWN, code: 'run.vantage-point' };

const withResults = (...expectedClosed: ClosedResult[]): Verification => ({
  ...GOOD,
  expectedClosed,
});

test.each<[ClosedResult[], number]>([
  [[CLOSED], 0],
  [[CLOSED, NOT_SHOWN], 20],
  [[DEAD], 20],
  [[NOT_SHOWN, OPEN], 23],
  [[{ ...REST, result: 'OPEN' }], 23],
  [[{ ...CLOSED, result: 'a word of a later version' }], 20],
])('of %j a run ends with its exit status, and so does whoever reads its report', (all, exit) => {
  const report = withResults(...all);
  expect(savedExit(report, { strict: false })).toBe(exit);
  const sources = [
    [{ source: 'lines', text: jsonLinesReport(report) }],
    [{ source: 'whole', text: jsonReport(report) }],
    [
      { source: 'one', text: jsonReport(GOOD) },
      { source: 'other', text: jsonReport(report) },
    ],
  ];
  for (const one of sources.map((source) => readVerification(source))) {
    expect([savedExit(one, { strict: false }), one.expectedClosed]).toEqual([exit, all]);
  }
  expect(verificationSchema.parse(report).expectedClosed).toEqual(all);
  const [line = ''] = jsonLinesReport(report).trimEnd().split('\n').slice(-1);
  expect(closedRecordSchema.parse(JSON.parse(line))).toEqual(JSON.parse(line));
});

const WRITERS = { textReport, markdownReport, htmlReport, junitReport, githubReport };

test.each(
  Object.entries(WRITERS),
)('%s shows both lines of what is closed, and what else there is', (_, write) => {
  const flat = (report: Verification) => write(report).replaceAll(/\s+/g, ' ');
  const closed = flat(withResults(CLOSED));
  for (const text of ['guests', 'closed from there', CLOSED.seen, 'and office at 2030']) {
    expect(closed).toContain(text);
  }
  expect(closed).not.toContain('intent.open');
  const open = flat(withResults(OPEN));
  for (const text of ['OPEN from there', 'intent.open']) expect(open).toContain(text);
  const nothing = flat(withResults(NOT_SHOWN));
  expect(nothing).toContain('not shown');
  expect(nothing).not.toContain('closed from there');
});

test('nothing but what is closed counts as passed', () => {
  const results = [CLOSED, OPEN, NOT_SHOWN, DEAD].map((one) => withResults(one));
  const suites = results.map(
    (one) => /<testsuite name="expected to be closed"[^>]*/.exec(junitReport(one))?.[0] ?? '',
  );
  const counts = suites.map((head) =>
    ['failures', 'errors', 'skipped'].map((name) => new RegExp(`${name}="(\\d)"`).exec(head)?.[1]),
  );
  expect(counts).toEqual([
    ['0', '0', '0'],
    ['1', '0', '0'],
    ['0', '0', '1'],
    ['0', '1', '0'],
  ]);
  expect(results.map((one) => markdownReport(one).split('\n')[0])).toEqual([
    '## ✅ Connectivity: reachable',
    '## ❌ Connectivity: reachable, but 0 of 1 closed as expected, 1 OPEN',
    '## ❌ Connectivity: reachable, but 0 of 1 closed as expected, 1 not shown',
    '## ❌ Connectivity: reachable, but 0 of 1 closed as expected, 1 not shown',
  ]);
});

test('a metric says of each vantage point whether it is closed, and nothing of what is not shown', () => {
  const report = withResults(CLOSED, { ...OPEN, vantagePoint: 'lab' }, NOT_SHOWN);
  const samples = parsePrometheus(prometheusReport(report)).filter(({ metric }) =>
    metric.endsWith('expected_closed'),
  );
  expect(samples).toMatchObject([
    { labels: { link: 'api', vantage_point: 'guests' }, value: 1 },
    { labels: { link: 'api', vantage_point: 'lab' }, value: 0 },
  ]);
});

test.each([
  [[CLOSED], /^reachable in \S+ ms$/],
  [[CLOSED, NOT_SHOWN], /, exit 20: api@guests: not shown$/],
  [[OPEN], /, exit 23: api@guests: OPEN from there$/],
  [[{ ...REST, result: 'OPEN' }], /, exit 23: api@guests: OPEN from there$/],
])('the first line of a text names what decides its exit status: %j', (all, line) => {
  expect(textReport(withResults(...all)).split('\n')[0]).toMatch(line);
});
