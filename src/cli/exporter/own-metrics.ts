import { packageVersion } from '../../package/package-folder.js';
import { type MetricFacts, metricText, type Sample } from '../../verify/reports/metric-text.js';

interface Counts {
  /** Seconds since the epoch. */
  readonly startedAt: number;
  readonly links: number;
  readonly checksRunning: number;
  readonly checksDone: number;
  /** Requests for a probe that have no answer yet. */
  readonly probesWaiting: number;
  /** Answers to probes by HTTP status. */
  readonly probes: ReadonlyMap<number, number>;
}

interface Metric extends MetricFacts {
  readonly samples: (counts: Counts) => readonly Sample[];
}

/** The exporter's own metrics, without the prefix of their names. */
export const OWN_METRICS: readonly Metric[] = [
  {
    name: 'exporter_info',
    help: 'Always 1; the label tells the version of the program.',
    samples: () => [[{ version: packageVersion() }, 1]],
  },
  {
    name: 'exporter_start_timestamp_seconds',
    help: 'When the exporter started, as Unix time.',
    samples: ({ startedAt }) => [[{}, startedAt]],
  },
  {
    name: 'exporter_links',
    help: 'Links that can be probed.',
    samples: ({ links }) => [[{}, links]],
  },
  {
    name: 'exporter_checks_running',
    help: 'Checks in progress.',
    samples: ({ checksRunning }) => [[{}, checksRunning]],
  },
  {
    name: 'exporter_checks_total',
    help: 'Checks that ended, whatever the result.',
    type: 'counter',
    samples: ({ checksDone }) => [[{}, checksDone]],
  },
  {
    name: 'exporter_probes_waiting',
    help: 'Requests for a probe that have no answer yet; those of one link share a check.',
    samples: ({ probesWaiting }) => [[{}, probesWaiting]],
  },
  {
    name: 'exporter_probes_total',
    help: 'Requests for a probe, by the HTTP status of the answer.',
    type: 'counter',
    samples: ({ probes }) => [...probes].map(([status, count]) => [{ status: `${status}` }, count]),
  },
];

export function ownMetrics(counts: Counts): string {
  return OWN_METRICS.map((metric) => metricText(metric, metric.samples(counts))).join('');
}
