import type { Finding } from '../../model/verification.js';
import { duration } from './duration.js';
import { hopsOf, PLACES } from './hops.js';
import { badge, html, type Markup } from './markup.js';

/** The way of a link, drawn hop by hop; where it breaks, so does the line. */
export function pathView(findings: readonly Finding[]): Markup {
  const { before, ways, after } = hopsOf(findings);
  return html`<ol class="path" aria-label="The path, hop by hop">${before.map(hop)}
<li class="ways">${ways.map((way) => html`<ol class="way">${way.map(hop)}</ol>`)}</li>
${after.map(hop)}</ol>`;
}

function hop(finding: Finding): Markup {
  const { stage, status, code, elapsedMs } = finding;
  const isSeen = status !== 'skipped';
  return html`<li class="hop ${status}">${badge(status)}<span class="place">${PLACES[stage]}</span>
<span class="detail">${detail(finding)}</span>
<span class="detail">${isSeen && elapsedMs > 0 && duration(elapsedMs)}</span>
${code && html`<code class="code">${code}</code>`}</li>
`;
}

function detail({ stage, address, evidence, status }: Finding): string {
  const { server, port, protocol, count, kid } = evidence;
  if (status === 'skipped') return '';
  switch (stage) {
    case 'preflight':
      return kid === undefined ? '' : `key ${kid}`;
    case 'dns':
      return server === undefined ? '' : `${server}`;
    case 'address':
      return address ?? '';
    case 'tcp':
      return port === undefined ? '' : `port ${port}`;
    case 'tls':
      return protocol === undefined ? '' : `${protocol}`;
    case 'workspaces':
      return count === undefined ? '' : `workspaces: ${count}`;
    default:
      return '';
  }
}
