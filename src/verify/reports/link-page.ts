import type { NonEmpty } from '../../lists/group-by.js';
import { duration } from '../../report/document.js';
import { badge, html, type Markup } from '../../report/markup.js';
import type {
  Finding,
  LinkResult,
  ProbeResult,
  StageName,
  TouchedHost,
} from '../model/verification.js';
import { STAGE_ROWS } from '../model/verification-names.js';
import { probeWords } from './probe-words.js';
import { fate, gathered } from './stage-facts.js';

/** Draws the path of a link, and shows all the evidence, for which only a page has room. */
export function linkPage(link: LinkResult): string {
  const { stages, probes = [], hosts = [], accessDigest } = link;
  return html`${pathView(stages)}
<details class="evidence"><summary>All evidence</summary>
${gathered(stages, fate).map(evidenceGroup)}
${probes.map(probeTable)}
${hosts.length > 0 && table(html`Hosts that were queried or dialled`, hosts.map(hostFact))}
${accessDigest && html`<p class="small">Access digest <code>${accessDigest}</code></p>`}
</details>`.text;
}

/** The way of a link, drawn hop by hop; where it breaks, so does the line. */
function pathView(findings: readonly Finding[]): Markup {
  const { before, ways, after } = findHops(findings);
  return html`<ol class="path" aria-label="The path, hop by hop">${before.map(hop)}
<li class="ways">${ways.map((way) => html`<ol class="way">${way.map(hop)}</ol>`)}</li>
${after.map(hop)}</ol>`;
}

function hop(finding: Finding): Markup {
  const { stage, status, code, elapsedMs } = finding;
  const isSeen = status !== 'skipped';
  return html`<li class="hop ${status}">${badge(status)}<span class="place">${STAGE_ROWS[stage].place}</span>
<span class="detail">${detail(finding)}</span>
<span class="detail">${isSeen && elapsedMs > 0 && duration(elapsedMs)}</span>
${code && html`<code class="code">${code}</code>`}</li>
`;
}

/** The fact that a hop shows of its stage, with the words before it. */
const DETAIL: Partial<Record<StageName, readonly [fact: string, words: string]>> = {
  preflight: ['kid', 'key '],
  dns: ['server', ''],
  tcp: ['port', 'port '],
  tls: ['protocol', ''],
  workspaces: ['count', 'workspaces: '],
};

function detail({ stage, address, evidence, status }: Finding): string {
  if (status === 'skipped') return '';
  if (stage === 'address') return address ?? '';
  const [fact = '', words = ''] = DETAIL[stage] ?? [];
  const value = evidence[fact];
  return value === undefined ? '' : `${words}${value}`;
}

/** The stages that each address goes through by itself. */
const ON_WAY: readonly StageName[] = ['address', 'tcp', 'tls', 'http'];

/** The way of a link: alone, then side by side for each address or for many that fare alike, then alone again. */
function findHops(findings: readonly Finding[]) {
  const onWay = findings.filter(({ stage }) => ON_WAY.includes(stage));
  const addresses = [...new Set(onWay.flatMap(({ address }) => address ?? []))];
  const first = findings.findIndex(({ stage }) => ON_WAY.includes(stage));
  const fork = first < 0 ? findings.length : first;
  const findWay = (address: string | undefined) =>
    ON_WAY.flatMap((stage) => {
      const ofStage = onWay.filter((finding) => finding.stage === stage);
      // A stage that no address reached has one finding, which represents all of them.
      const own = ofStage.find((finding) => finding.address === address);
      return own ?? ofStage.find((finding) => finding.address === undefined) ?? [];
    });
  return {
    before: findings.slice(0, fork),
    ways: gathered((addresses.length === 0 ? [undefined] : addresses).map(findWay), fates).map(
      merged,
    ),
    after: findings.slice(fork).filter(({ stage }) => !ON_WAY.includes(stage)),
  };
}

type Way = readonly Finding[];

function fates(way: Way): string {
  return JSON.stringify(way.map(({ stage, status, code }) => [stage, status, code]));
}

/** One way for all, which takes as long as the slowest of them. */
function merged([first, ...others]: readonly [Way, ...Way[]]): Way {
  if (others.length === 0) return first;
  return first.map((hop, i) => ({
    ...hop,
    ...(hop.address !== undefined && { address: `${others.length + 1} addresses` }),
    elapsedMs: Math.max(hop.elapsedMs, ...others.map((way) => way[i]?.elapsedMs ?? 0)),
  }));
}

/** Many addresses that fare alike are one line, which opens. */
function evidenceGroup(group: NonEmpty<Finding>): Markup {
  const [{ stage, status }] = group;
  if (group.length === 1) return evidenceTable(group[0]);
  return html`<details class="many"><summary>${badge(status)} ${stage} <small>${group.length} addresses</small></summary>
${group.map(evidenceTable)}</details>
`;
}

function evidenceTable(finding: Finding): Markup {
  const { stage, status, address, code, evidence, logId, elapsedMs } = finding;
  const facts = Object.entries({ ...(address && { address }), ...(code && { code }), ...evidence });
  return table(
    html`${badge(status)} ${stage} <small>${duration(elapsedMs)}</small>`,
    logId === undefined ? facts : [...facts, ['log id', logId]],
  );
}

function probeTable(probe: ProbeResult): Markup {
  const { name, changed, ok, code, evidence } = probe;
  const facts = Object.entries({ changed, ...(code && { code }), ...evidence });
  const { verb } = probeWords(probe);
  // What was only looked at has neither passed nor failed.
  const sign = verb === 'tried' && badge(ok ? 'passed' : 'failed');
  return table(html`${sign} ${verb}: ${name}`, facts);
}

function hostFact({ use, host, port, address }: TouchedHost): readonly [string, string] {
  const place = port === undefined ? host : `${host}:${port}`;
  return [use, address === undefined || address === place ? place : `${place} at ${address}`];
}

function table(caption: Markup, facts: readonly (readonly [string, unknown])[]): Markup {
  return html`<h4>${caption}</h4>
${facts.length > 0 && html`<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${String(value)}</dd>`)}</dl>`}
`;
}
