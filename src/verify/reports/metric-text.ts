/** Begins the name of every metric. */
const PREFIX = 'secure_connectivity_';

/** Labels of a sample; undefined ones are left out. */
export type Labels = Readonly<Record<string, string | undefined>>;
export type Sample = readonly [labels: Labels, value: number];

export interface MetricFacts {
  /** Without the prefix that all have. */
  readonly name: string;
  readonly help: string;
  /** @default 'gauge' */
  readonly type?: 'counter';
}

/** One metric with its samples in the text format; nothing where there is no sample with a number. */
export function metricText({ name, help, type }: MetricFacts, samples: readonly Sample[]): string {
  const lines = samples
    .filter(([, value]) => Number.isFinite(value))
    .map(([labels, value]) => `${PREFIX}${name}${labelText(labels)} ${value}\n`);
  if (lines.length === 0) return '';
  return `# HELP ${PREFIX}${name} ${help}\n# TYPE ${PREFIX}${name} ${type ?? 'gauge'}\n${lines.join('')}`;
}

export function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${escapeLabel(value)}"`],
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
