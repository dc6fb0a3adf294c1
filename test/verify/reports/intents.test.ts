import { expect, test } from 'vitest';
import { intentRecordSchema } from '../../../src/verify/model/results.js';
import { savedExit } from '../../../src/verify/model/saved-exit.js';
import type { IntentResult, Verification } from '../../../src/verify/model/verification.js';
import { jsonLinesReport, jsonReport } from '../../../src/verify/reports/json.js';
import { markdownReport } from '../../../src/verify/reports/markdown.js';
import { prometheusReport } from '../../../src/verify/reports/prometheus.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { textReport } from '../../../src/verify/reports/text.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { GOOD, MIXED } from './samples.js';

const at = (door: number, more: Partial<IntentResult> = {}): IntentResult => ({
  name: 'workloads reach the service',
  expect: 'reachable',
  door: `192.0.2.${door}:443`,
  from: '10.9.0.1',
  result: 'reachable',
  seen: 'it connects, from 10.9.0.1; NAT not excluded',
  at: '2030-01-02T03:04:05.678Z',
  ...more,
});

const DOORS = Array.from({ length: 24 }, (_, i) => at(i + 1));
const SEEN: Verification = {
  ...MIXED,
  links: [],
  intents: [
    ...DOORS,
    at(99, { result: 'unreachable', code: 'intent.unreachable', seen: 'no connection' }),
    at(1, { vantagePoint: 'office' }),
  ],
};

test('doors of an intent of which the same was seen are one row, of the option of none', () => {
  const text = textReport(SEEN).replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'workloads reach the service intent, 192.0.2.1:443, 192.0.2.2:443, 192.0.2.3:443 and 21 more',
  );
  expect(text.match(/it connects, from 10\.9\.0\.1/g)).toHaveLength(2);
  expect(text).toContain('workloads reach the service@office intent, 192.0.2.1:443');
  expect(text).not.toContain('plugin-endpoint-service intent');
  expect(markdownReport(SEEN)).not.toMatch(/plugin-endpoint-service, `intent/);
});

test('metrics have the worst of the doors of an intent, for each vantage point', () => {
  const samples = parsePrometheus(prometheusReport(SEEN)).filter(({ metric }) =>
    metric.endsWith('intent_result'),
  );
  const intent = 'workloads reach the service';
  expect(samples.map(({ labels }) => labels)).toEqual([
    { intent, result: 'unreachable' },
    { intent, vantage_point: 'office', result: 'reachable' },
  ]);
});

test('an open door is in JSON lines and in reports of several parts, which fail by it', () => {
  const open = at(1, { expect: 'closed', result: 'OPEN', code: 'intent.open' });
  const report: Verification = { ...GOOD, intents: [open] };
  const lines = jsonLinesReport(report);
  const record = JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '');
  expect(intentRecordSchema.parse(record)).toEqual(record);
  const joined = [
    [{ source: 'lines', text: lines }],
    [
      { source: 'one', text: jsonReport(GOOD) },
      { source: 'other', text: jsonReport(report) },
    ],
  ].map((sources) => readVerification(sources));
  expect(joined.map(({ intents }) => intents)).toEqual([[open], [open]]);
  expect(joined.map((one) => savedExit(one, { strict: false }))).toEqual([23, 23]);
});
