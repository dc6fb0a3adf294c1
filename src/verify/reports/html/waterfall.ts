import type { Finding } from '../../model/verification.js';
import { fate, gathered } from '../alike.js';
import { duration, html, type Markup } from './markup.js';

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

/** When a stage ran, in milliseconds since the pass began. */
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
      : (callOf(finding, spans)?.startMs ?? forkMs);
    const startMs = finding.startMs ?? supposedMs;
    const endMs = startMs + finding.elapsedMs;
    if (isOnWay) ends.set(address, endMs);
    spans.push({ finding, startMs, endMs });
  }
  return spans;
}

/** Over TLS, token and service are judged on one and the same call: it is not drawn twice. */
function callOf({ stage, elapsedMs }: Finding, spans: readonly Span[]): Span | undefined {
  if (stage !== 'token' || elapsedMs === 0) return undefined;
  return spans.find(({ finding }) => finding.stage === 'http' && finding.elapsedMs === elapsedMs);
}
