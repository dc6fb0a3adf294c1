import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.js';
import { OWN_METRICS } from '../../src/cli/exporter/own-metrics.js';
import { METRICS } from '../../src/verify/reports/prometheus.js';

const KNOWN = [...METRICS, ...OWN_METRICS].map(({ name }) => `secure_connectivity_${name}`);

interface Panel {
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets: readonly { readonly expr: string }[];
}

const ALERTS = readFileSync('monitoring/alerts.yml', 'utf8');
const DASHBOARD: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync('monitoring/dashboard.json', 'utf8'),
);

function expressions(): Record<string, string> {
  const { groups } = parse(ALERTS) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const rules = groups.flatMap(({ rules }) => rules);
  return {
    ...Object.fromEntries(rules.map(({ alert, expr }) => [alert, expr])),
    ...Object.fromEntries(
      DASHBOARD.panels.flatMap(({ targets }, panel) =>
        targets.map(({ expr }, n) => [`panel ${panel + 1}.${n + 1}`, expr]),
      ),
    ),
  };
}

describe.each(Object.entries(expressions()))('%s', (_, expr) => {
  test('asks for metrics that a probe or the exporter gives, or for `up`', () => {
    const names = expr.match(/secure_connectivity_\w+|\bup\b/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect([...KNOWN, 'up']).toContain(name);
  });

  test('asks for labels that these metrics have', () => {
    const labels = [...expr.matchAll(/[{,]\s*(\w+)(?:=~|!=|=)"/g)].map(([, label]) => label);
    for (const label of labels) expect(['link', 'status', 'job']).toContain(label);
  });
});

test('a metric that nobody gives would be found', () => {
  expect(KNOWN).not.toContain('secure_connectivity_link_up');
  expect(Object.keys(expressions()).length).toBeGreaterThan(15);
});

test('no two panels of the dashboard overlap', () => {
  const cells = DASHBOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('commands that alerts name exist', () => {
  const named = [...ALERTS.matchAll(/secure-connectivity (explain|verify|[a-z]+) [A-Z]/g)];
  expect(named.length).toBeGreaterThan(0);
  for (const [, name] of named) expect(COMMANDS.map((one) => one.name)).toContain(name);
});
