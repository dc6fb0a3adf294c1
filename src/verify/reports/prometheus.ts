import type { Code } from '../../codes/codes.js';
import { groupBy } from '../../lists/group-by.js';
import { exitOf } from '../model/verdict.js';
import type {
  BackendResult,
  ConnectionResult,
  Evidence,
  Finding,
  LinkResult,
  Verification,
} from '../model/verification.js';
import {
  type Labels,
  labelText,
  type MetricFacts,
  metricText,
  type Sample,
} from './metric-text.js';

interface Metric extends MetricFacts {
  /** @param links with names that are unique */
  readonly samples: (links: readonly LinkResult[], verification: Verification) => readonly Sample[];
}

const NOT_SEEN: MetricFacts = {
  name: 'link_not_seen',
  help: 'Always 1; the label tells why the machine of the check did not see the link.',
};

/** The metrics of a check's report, without the prefix of their names. */
export const METRICS: readonly Metric[] = [
  {
    name: 'check_timestamp_seconds',
    help: 'When the check began, as Unix time.',
    samples: (_, { startedAt }) => [[{}, Date.parse(startedAt) / 1000]],
  },
  {
    name: 'check_duration_seconds',
    help: 'How long the check took.',
    samples: (_, { elapsedMs }) => [[{}, elapsedMs / 1000]],
  },
  {
    name: 'check_exit_status',
    help: 'Exit status of the check: 0 when nothing failed.',
    samples: (_, verification) => [[{}, exitOf(verification)]],
  },
  {
    name: 'link_reachable',
    help: '1 when every requested stage passed on the link; absent when the machine of the check kept it from seeing the link.',
    samples: each((link) =>
      isUnseen(link)
        ? []
        : [[{ link: link.name, via: link.via }, Number(link.verdict === 'reachable')]],
    ),
  },
  {
    ...NOT_SEEN,
    samples: each((link) => {
      const own = isUnseen(link) ? link.stages.filter(isOwn) : [];
      return [...new Set(own.map(({ code }) => code))].map((code) => [
        { link: link.name, code },
        1,
      ]);
    }),
  },
  {
    name: 'link_connect_to',
    help: 'Always 1; the labels tell where --connect-to, or its variable, led a dial.',
    samples: each(({ name, connectTo }) =>
      connectTo.map(({ from, to }) => [{ link: name, from, to }, 1]),
    ),
  },
  {
    name: 'link_duration_seconds',
    help: 'How long the check of the link took, with all attempts.',
    samples: each(({ name, elapsedMs }) => [[{ link: name }, elapsedMs / 1000]]),
  },
  {
    name: 'link_attempts',
    help: 'Passes through the stages.',
    samples: each(({ name, attempts }) => [[{ link: name }, attempts]]),
  },
  {
    name: 'connection_connected_at_deploy',
    help: '1 when the deploy left the plugin connection connected, 0 when not; no check sees it.',
    samples: (_, { connections = [] }) => worst(connections.map(connectionSample)),
  },
  {
    name: 'plugin_server_healthy',
    help: '1 when the server passed the health check of its load balancer, 0 when not; absent when nothing was seen of it.',
    samples: (_, { backends = [] }) =>
      worst(backends.filter(({ status }) => status !== 'skipped').map(backendSample)),
  },
  {
    name: 'expected_closed',
    help: '1 when a vantage point that must not reach the link could not, 0 when a door was open; absent when not shown.',
    samples: (_, { expectedClosed = [] }) =>
      expectedClosed
        .filter(({ result }) => result !== 'not shown')
        .map(({ link, vantagePoint, result }) => [
          { link, vantage_point: vantagePoint },
          Number(result === 'closed'),
        ]),
  },
  {
    name: 'stage_ok',
    help: '1 when the stage passed, 0 when it failed; absent when nothing was seen of it.',
    samples: stages((finding) => Number(finding.status !== 'failed'), isSeen),
  },
  {
    name: 'stage_duration_seconds',
    help: 'How long the stage took; absent when nothing was seen of it.',
    samples: stages(({ elapsedMs }) => elapsedMs / 1000, isSeen),
  },
  {
    name: 'stage_code',
    help: 'Always 1; the label tells the code of a stage that failed or was warned of.',
    samples: stages(
      () => 1,
      ({ code }) => code !== undefined,
      ({ code, status }) => ({ code, status }),
    ),
  },
  {
    name: 'certificate_expiry_timestamp_seconds',
    help: 'When the certificate of the address expires, as Unix time.',
    samples: facts('tls', 'validTo', (text) => Date.parse(`${text}`) / 1000),
  },
  {
    name: 'clock_skew_seconds',
    help: 'Clock of the service minus clock of the check, as far as proven.',
    samples: facts('http', 'skewMs', (ms) => Number(ms) / 1000),
  },
];

/** A file for the textfile collector of node_exporter, or any other reader of the text format. */
export function prometheusReport(verification: Verification): string {
  const links = named(verification.links);
  return METRICS.map((metric) => metricText(metric, metric.samples(links, verification))).join('');
}

/** Writes the part of a report that there is of a link that its check's machine did not see in time. */
export function notSeenReport(link: string, code: Code): string {
  return metricText(NOT_SEEN, [[{ link, code }, 1]]);
}

function connectionSample({ name, serviceId, endpointId, code }: ConnectionResult): Sample {
  const labels = { connection: name, service: serviceId, endpoint: endpointId };
  return [labels, Number(code === undefined)];
}

function backendSample({ name, serviceId, server, status }: BackendResult): Sample {
  return [{ plugin: name, service: serviceId, server }, Number(status === 'passed')];
}

/** Keeps the lower of two samples with the same labels: 0 is worse than 1. */
function worst(samples: readonly Sample[]): readonly Sample[] {
  const sorted = [...samples].sort(([, a], [, b]) => b - a);
  return [...new Map(sorted.map((sample) => [labelText(sample[0]), sample])).values()];
}

/** Two samples of one metric must differ in a label. */
function named(links: readonly LinkResult[]): LinkResult[] {
  const used = new Set<string>();
  return links.map((link) => {
    let { name } = link;
    for (let n = 2; used.has(name); n += 1) name = `${link.name} #${n}`;
    used.add(name);
    return { ...link, name };
  });
}

function each(toSamples: (link: LinkResult) => readonly Sample[]): Metric['samples'] {
  return (links) => links.flatMap(toSamples);
}

/** Makes samples of stages; of two findings with the same labels the worse one counts. */
function stages(
  value: (finding: Finding) => number,
  wanted: (finding: Finding) => boolean,
  more: (finding: Finding) => Labels = () => ({}),
): Metric['samples'] {
  return each((link) => {
    const toLabels = (finding: Finding): Labels => {
      return { link: link.name, stage: finding.stage, address: finding.address, ...more(finding) };
    };
    const groups = groupBy(link.stages.filter(wanted), (one) => labelText(toLabels(one)));
    return [...groups.values()].map((group) => {
      const worst = group.findLast(({ status }) => status === 'failed') ?? group[0];
      return [toLabels(worst), value(worst)];
    });
  });
}

function facts(
  of: Finding['stage'],
  fact: string,
  toValue: (seen: Evidence[string]) => number,
): Metric['samples'] {
  return each(({ name, stages }) =>
    stages.flatMap(({ stage, address, evidence: { [fact]: seen } }): Sample[] =>
      stage === of && seen !== undefined ? [[{ link: name, address }, toValue(seen)]] : [],
    ),
  );
}

function isSeen(finding: Finding): boolean {
  return finding.status !== 'skipped' && !isOwn(finding);
}

/**
 * The codes by which the machine of the check, or its operator, ends a stage: they say nothing of
 * the link.
 */
const OWN: readonly string[] = [
  'run.machine-paused',
  'run.interrupted',
  'run.too-many-files',
] satisfies readonly Code[];

function isUnseen({ verdict, stages }: LinkResult): boolean {
  return verdict === 'incomplete' && stages.some(isOwn);
}

function isOwn({ status, code = '' }: Finding): boolean {
  return status === 'failed' && OWN.includes(code);
}
