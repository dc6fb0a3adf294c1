import type { Finding } from '../../verification.js';
import { duration } from './duration.js';
import { html, type Markup } from './markup.js';
import { timeline } from './timeline.js';

/** The stages that were seen, each as a bar on the clock of the pass. */
export function waterfall(findings: readonly Finding[]): Markup {
  const spans = timeline(findings).filter(({ finding }) => finding.status !== 'skipped');
  const totalMs = Math.max(0, ...spans.map(({ endMs }) => endMs));
  const severalAddresses = new Set(findings.flatMap(({ address }) => address ?? [])).size > 1;
  const percent = (ms: number) => (totalMs === 0 ? 0 : Math.round((ms / totalMs) * 1000) / 10);
  return html`<ol class="waterfall" aria-label="When each stage ran">
${spans.map(
  ({ finding, startMs, endMs }) => html`<li class="${finding.status}">
<span class="what">${finding.stage}${severalAddresses && finding.address && html` <small>${finding.address}</small>`}</span>
<span class="track"><span class="bar" style="left:${percent(startMs)}%;width:${percent(endMs - startMs)}%"></span></span>
<span class="time">${duration(finding.elapsedMs)}</span></li>
`,
)}</ol>
<p class="scale"><span>0 ms</span><span>${duration(totalMs / 2)}</span><span>${duration(totalMs)}</span></p>`;
}
