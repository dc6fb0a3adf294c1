import type { Finding } from '../../model/verification.js';
import { fate, gathered } from '../alike.js';
import { duration } from './duration.js';
import { html, type Markup } from './markup.js';
import { timeline } from './timeline.js';

/** The stages that were seen, each as a bar on the clock of the pass; of many addresses the slowest is told. */
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
