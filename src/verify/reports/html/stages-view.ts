import type { Finding, StageName } from '../../model/verification.js';
import { STAGE_ROWS } from '../../model/verification-names.js';
import { fate, gathered } from '../stage-facts.js';
import { badge, duration, html, type Markup } from './markup.js';

/** The way of a link, drawn hop by hop; where it breaks, so does the line. */
export function pathView(findings: readonly Finding[]): Markup {
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

/** The stages that were seen, each as a bar on the clock of the pass; of many addresses the slowest is shown. */
export function waterfall(findings: readonly Finding[]): Markup {
  const spans = timeline(findings).filter(({ finding }) => finding.status !== 'skipped');
  const totalMs = Math.max(0, ...spans.map(({ endMs }) => endMs));
  const severalAddresses = new Set(findings.flatMap(({ address }) => address ?? [])).size > 1;
  const percent = (ms: number) => (totalMs === 0 ? 0 : Math.round((ms / totalMs) * 1000) / 10);
  return html`<ol class="waterfall" aria-label="When each stage ran">
${gathered(spans, ({ finding }) => fate(finding)).map((group) => {
  const [{ finding }] = group;
  const startMs = Math.min(...group.map((span) => span.startMs));
  const endMs = Math.max(...group.map((span) => span.endMs));
  const slowestMs = Math.max(...group.map((span) => span.finding.elapsedMs));
  const who = group.length > 1 ? `${group.length} addresses` : severalAddresses && finding.address;
  return html`<li class="${finding.status}">
<span class="what">${finding.stage}${who && html` <small>${who}</small>`}</span>
<span class="track"><span class="bar" style="left:${percent(startMs)}%;width:${percent(endMs - startMs)}%"></span></span>
<span class="time">${duration(slowestMs)}</span></li>
`;
})}</ol>
<p class="scale"><span>0 ms</span><span>${duration(totalMs / 2)}</span><span>${duration(totalMs)}</span></p>`;
}

/** The time of a stage, in milliseconds since the pass began. */
interface Span {
  readonly finding: Finding;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Puts findings on a common clock. Where they do not say when they began, stages follow one another,
 * and the addresses of a link go their ways side by side, each step after the one before it.
 */
export function timeline(findings: readonly Finding[]): Span[] {
  const spans: Span[] = [];
  const ends = new Map<string, number>();
  let forkMs = 0;
  let wasOnWay = false;
  for (const finding of findings) {
    const { stage, address } = finding;
    const isOnWay = address !== undefined && stage !== 'address';
    const previous = spans.at(-1)?.finding;
    if (stage !== previous?.stage && !(isOnWay && wasOnWay)) {
      forkMs = Math.max(0, ...spans.map(({ endMs }) => endMs));
    }
    wasOnWay = isOnWay;
    const supposedMs = isOnWay
      ? (ends.get(address) ?? forkMs)
      : (findCall(finding, spans)?.startMs ?? forkMs);
    const startMs = finding.startMs ?? supposedMs;
    const endMs = startMs + finding.elapsedMs;
    if (isOnWay) ends.set(address, endMs);
    spans.push({ finding, startMs, endMs });
  }
  return spans;
}

/** Finds the span of a call: over TLS, token and service are judged on the same one, which is not drawn twice. */
function findCall({ stage, elapsedMs }: Finding, spans: readonly Span[]): Span | undefined {
  if (stage !== 'token' || elapsedMs === 0) return undefined;
  return spans.find(({ finding }) => finding.stage === 'http' && finding.elapsedMs === elapsedMs);
}
