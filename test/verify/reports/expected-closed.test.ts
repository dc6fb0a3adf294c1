import { expect, test } from 'vitest';
import { closedRecordSchema } from '../../../src/verify/model/results.js';
import { savedExit } from '../../../src/verify/model/saved-exit.js';
import type { ClosedResult, Verification } from '../../../src/verify/model/verification.js';
import { verificationSchema } from '../../../src/verify/model/verification.js';
import { verificationDocument } from '../../../src/verify/reports/document.js';
import { jsonLinesReport, jsonReport } from '../../../src/verify/reports/json.js';
import { prometheusReport } from '../../../src/verify/reports/prometheus.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { verificationSuites } from '../../../src/verify/reports/suites.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { CLOSED, GOOD, OPEN } from './samples.js';

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

test('nothing but what is closed counts as passed, and each report tells what was seen', () => {
  const results = [CLOSED, OPEN, NOT_SHOWN, DEAD].map((one) => withResults(one));
  const suites = results.map((one) => verificationSuites(one).at(-1));
  expect(suites.map((suite) => suite?.cases[0]?.outcome)).toEqual([
    'passed',
    'failure',
    'skipped',
    'error',
  ]);
  const sections = results.map((one) =>
    verificationDocument(one, true).sections.find(({ title }) => title === 'api@guests'),
  );
  expect(sections.map((section) => section?.tone)).toEqual([
    'passed',
    'failed',
    'skipped',
    'failed',
  ]);
  const told = sections.map((section) => section?.problems?.[0]?.cause ?? section?.facts?.[0]?.[1]);
  expect(told[0]).toMatch(/^closed from there: no connection opened .*, and office at 2030/);
  expect(told[1]).toMatch(/^OPEN from there: a connection opened, /);
  expect(sections[1]?.problems?.[0]?.code).toBe('intent.open');
  expect(told[2]).toMatch(/^not shown: nobody reached it, /);
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
  [[CLOSED], /^reachable in \S+ s$/],
  [[CLOSED, NOT_SHOWN], /, exit 20: api@guests: not shown$/],
  [[OPEN], /, exit 23: api@guests: OPEN from there$/],
  [[{ ...REST, result: 'OPEN' }], /, exit 23: api@guests: OPEN from there$/],
])('the first line of a text names what decides its exit status: %j', (all, line) => {
  expect(textReport(withResults(...all)).split('\n')[0]).toMatch(line);
});
