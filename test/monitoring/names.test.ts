import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { OWN_METRICS, ownMetrics } from '../../src/cli/exporter/own-metrics.js';
import { COMMANDS } from '../../src/cli/run.js';
import { METRICS, prometheusReport } from '../../src/verify/reports/prometheus.js';
import { parsePrometheus } from '../support/prometheus-text.js';
import { MIXED, NOT_SEEN } from '../verify/reports/samples.js';
import { DASHBOARD, expressionsOf, queriedNames } from './dashboard.js';

const KNOWN = [...METRICS, ...OWN_METRICS].map(({ name }) => `secure_connectivity_${name}`);

/** Labels that Prometheus gives to whatever it scrapes. */
const SCRAPED = ['job', 'instance'];

const COUNTS = {
  ...{ startedAt: 0, links: 1, checksRunning: 0, checksDone: 1, probesWaiting: 0 },
  probes: new Map([[200, 1]]),
};

const CLOSED = {
  ...{ link: 'api', vantagePoint: 'guests', result: 'closed', seen: '' },
  at: '2030-01-02T03:04:05.678Z',
};

/** The labels that samples of each metric carry. */
const LABELS = new Map<string, ReadonlySet<string>>([['up', new Set(SCRAPED)]]);
for (const { metric, labels } of [
  ...parsePrometheus(
    prometheusReport({ ...MIXED, links: [...MIXED.links, NOT_SEEN], expectedClosed: [CLOSED] }),
  ),
  ...parsePrometheus(ownMetrics(COUNTS)),
]) {
  const before = LABELS.get(metric) ?? SCRAPED;
  LABELS.set(metric, new Set([...before, ...Object.keys(labels)]));
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const ALERTS = readFileSync('shipped/monitoring/alerts.yml', 'utf8');
const RULES: readonly Alert[] = parse(ALERTS).groups.flatMap(
  ({ rules }: { rules: readonly Alert[] }) => rules,
);

/** Each expression, with the labels that its alert or its panel shows of it. */
const QUERIES: readonly (readonly [where: string, expr: string, shown: readonly string[]])[] = [
  ...RULES.map(({ alert, expr, annotations }) => {
    const text = Object.values(annotations).join(' ');
    return [alert, expr, namesIn(text, /\$labels\.(\w+)/g)] as const;
  }),
  ...expressionsOf(DASHBOARD).map(
    ({ where, expr, legend }) => [where, expr, namesIn(legend, /\{\{(\w+)\}\}/g)] as const,
  ),
];

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}

/** Parts of an expression that no sample has. */
function strangers(expr: string, shown: readonly string[] = []): string[] {
  const { metrics, selected, grouped } = queriedNames(expr);
  const metricsUnknown = metrics.filter((name) => !LABELS.has(name));
  const labelsOf = (metric: string) => LABELS.get(metric) ?? new Set();
  const all = new Set(metrics.flatMap((metric) => [...labelsOf(metric)]));
  const kept = grouped.length === 0 ? all : new Set(grouped);
  return [
    ...metricsUnknown,
    ...selected.filter(([metric, label]) => !labelsOf(metric).has(label)).map(([, label]) => label),
    ...grouped.filter((label) => !all.has(label)),
    ...shown.filter((label) => !kept.has(label)),
  ];
}

test('there is a sample of every metric, so that its labels are known', () => {
  const seen = KNOWN.filter((name) => !LABELS.has(name));
  expect(seen.filter((name) => !/connection_|plugin_/.test(name))).toEqual([]);
});

test.each(QUERIES)('%s asks for and shows what a probe or the exporter gives', (_, expr, shown) => {
  expect(queriedNames(expr).metrics).not.toEqual([]);
  expect(strangers(expr, shown)).toEqual([]);
});

test.each<[expr: string, shown: readonly string[], stranger: string]>([
  ['secure_connectivity_link_up', [], 'secure_connectivity_link_up'],
  ['secure_connectivity_stage_ok{code="tcp.refused"}', [], 'code'],
  ['up{link="a"} == 0', [], 'link'],
  ['max by (link, hop) (secure_connectivity_stage_ok)', [], 'hop'],
  ['max by (link) (secure_connectivity_stage_ok)', ['stage'], 'stage'],
  ['rate(secure_connectivity_exporter_checks_total[5m])', ['link'], 'link'],
])('%s with %j would be found', (expr, shown, stranger) => {
  expect(strangers(expr, shown)).toEqual([stranger]);
});

test('the list of links in the dashboard is that of a metric with this label', () => {
  const queries = DASHBOARD.templating.list.flatMap(({ query }) =>
    typeof query === 'object' ? [query.query] : [],
  );
  expect(queries).toHaveLength(1);
  for (const query of queries) {
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
    expect(LABELS.get(metric)).toContain(label);
  }
});

test('no two panels of the dashboard overlap', () => {
  const cells = DASHBOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

describe('commands that alerts name exist', () => {
  const named = namesIn(ALERTS, /secure-connectivity ([a-z]+) [A-Z]/g);
  test('there are some', () => expect(named.length).toBeGreaterThan(0));
  test.each(named)('%s', (name) => {
    expect(Object.keys(COMMANDS)).toContain(name);
  });
});

test.each([
  ['docs/verify.md', METRICS],
  ['docs/monitoring.md', OWN_METRICS],
])('%s explains each metric, and no other', (page, metrics) => {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| ((?:`[a-z]+_[a-z_]+`(?:, )?)+) \|/gm);
  const explained = [...rows].flatMap(([, names = '']) => names.replaceAll('`', '').split(', '));
  expect(explained.sort()).toEqual(metrics.map(({ name }) => name).sort());
});
