import { readFileSync } from 'node:fs';

interface Panel {
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly query: string | { readonly query: string } }[];
  };
}

/** The dashboard that Grafana imports. */
export const DASHBOARD: Dashboard = JSON.parse(
  readFileSync('shipped/monitoring/dashboard.json', 'utf8'),
);

/** The queries of the panels, with the variables as Grafana fills them in for all links. */
export function expressionsOf({ panels }: Dashboard) {
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }, n) => ({
      where: `panel ${title}, ${n + 1}`,
      expr: expr.replaceAll('$link', '.*'),
      legend: legendFormat,
    })),
  );
}

/** The metrics of an expression, the labels by which it selects each, and those that `by` keeps. */
export function queriedNames(expr: string) {
  const selectors = [...expr.matchAll(/(secure_connectivity_\w+|\bup\b)(?:\{([^}]*)\})?/g)];
  return {
    metrics: selectors.map(([, metric = '']) => metric),
    selected: selectors.flatMap(([, metric = '', labels = '']) =>
      [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(
        ([, label = '']) => [metric, label] as const,
      ),
    ),
    grouped: [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
      labels.split(',').map((label) => label.trim()),
    ),
  };
}
