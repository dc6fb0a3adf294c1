import { expect, test } from 'vitest';
import { prometheusReport } from '../../../src/verify/reports/prometheus.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { GOOD_LINK, HOSTILE, HOSTILE_LINK, MIXED, NOT_SEEN, verificationOf } from './samples.js';

function valuesOf(text: string, metric: string): Record<string, number> {
  return Object.fromEntries(
    parsePrometheus(text)
      .filter((sample) => sample.metric === `secure_connectivity_${metric}`)
      .map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}

const TEXT = prometheusReport(MIXED);

test('stages are 1 or 0 by link and address, and absent where nothing was seen', () => {
  expect(valuesOf(TEXT, 'stage_ok')).toMatchObject({
    'half-dead tcp 10.1.2.3': 1,
    'half-dead tcp 10.1.2.4': 0,
    'half-dead http 10.1.2.3': 1,
    'no-name dns': 0,
    'api workspaces': 1,
  });
  const seen = Object.keys(valuesOf(TEXT, 'stage_ok'));
  expect(seen.filter((labels) => labels.startsWith('no-name'))).toEqual([
    'no-name preflight',
    'no-name dns',
  ]);
  expect(valuesOf(TEXT, 'stage_code')).toEqual({
    'half-dead tcp 10.1.2.4 tcp.timeout failed': 1,
    'half-dead http 10.1.2.3 host.clock warned': 1,
    'no-name dns dns.not-found failed': 1,
  });
});

test('durations are in seconds; certificate expiry and skew stand by link and address', () => {
  expect(valuesOf(TEXT, 'stage_duration_seconds')).toMatchObject({
    'half-dead tcp 10.1.2.4': 10,
    'api dns': 0.006,
  });
  expect(valuesOf(TEXT, 'certificate_expiry_timestamp_seconds')).toMatchObject({
    'api 10.1.2.3': Date.parse('2027-02-19T03:01:28.000Z') / 1000,
  });
  expect(valuesOf(TEXT, 'clock_skew_seconds')).toMatchObject({ 'api 10.1.2.3': -1.5 });
});

test('the whole check and each link have their outcome', () => {
  expect(valuesOf(TEXT, 'check_exit_status')).toEqual({ '': 10 });
  expect(valuesOf(TEXT, 'check_duration_seconds')).toEqual({ '': 10.25 });
  expect(valuesOf(TEXT, 'link_reachable')).toEqual({
    'api service-endpoint': 1,
    'half-dead service-endpoint': 0,
    'no-name internet': 0,
  });
  expect(valuesOf(TEXT, 'link_attempts')).toMatchObject({ 'half-dead': 3 });
});

test('a link that this machine did not see is neither reachable nor not', () => {
  const text = prometheusReport(verificationOf(GOOD_LINK, NOT_SEEN));
  expect(valuesOf(text, 'link_reachable')).toEqual({ 'api service-endpoint': 1 });
  expect(valuesOf(text, 'link_not_seen')).toEqual({ 'not-seen run.machine-paused': 1 });
  expect(Object.keys(valuesOf(text, 'stage_ok'))).not.toContain('not-seen dns');
});

test('links of the same name do not make two samples with the same labels', () => {
  const text = prometheusReport(
    verificationOf(GOOD_LINK, GOOD_LINK, { ...GOOD_LINK, name: 'api #2' }),
  );
  expect(Object.keys(valuesOf(text, 'link_attempts'))).toEqual(['api', 'api #2', 'api #2 #2']);
});

test('whatever a label holds comes out of the parser as it was', () => {
  const samples = parsePrometheus(prometheusReport(verificationOf(HOSTILE_LINK)));
  expect(samples.find(({ metric }) => metric.endsWith('link_attempts'))?.labels.link).toBe(HOSTILE);
});
