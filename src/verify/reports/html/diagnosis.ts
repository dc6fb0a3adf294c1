import { createHash } from 'node:crypto';
import type { Cause, ConnectionResult, Finding, LinkResult } from '../../verification.js';
import { connectionPath, connectionState } from '../connections.js';
import { remedyOf, titleOf } from '../diagnosis-text.js';
import { toldChange } from '../told.js';
import { badge, html, type Markup } from './markup.js';

/** Why a link failed, what to do, and what it is not. */
export function diagnosis(link: LinkResult, showName: boolean): Markup {
  const { causes, ruledOut, stages, changes = [] } = link;
  const [first, ...others] = causes;
  const logIds = [...new Set(stages.flatMap(({ logId }) => logId ?? []))];
  return html`<article class="card failed">
${showName && html`<p class="of"><a href="#${anchor(link)}">${link.name}</a></p>`}
${first ? mainCause(first) : html`<h2>${link.verdict}</h2>`}
${others.length > 0 && html`<h3>Also possible</h3><ol class="others">${others.map(otherCause)}</ol>`}
${
  ruledOut.length > 0 &&
  html`<h3>Ruled out</h3><ul class="not">${ruledOut.map(({ text, evidence }) => html`<li>${text} <small>${evidence}</small></li>`)}</ul>`
}
${
  changes.length > 0 &&
  html`<h3>Changed since the baseline</h3><ul>${changes.map((change) => html`<li>${toldChange(change)}</li>`)}</ul>`
}
${logIds.length > 0 && html`<p class="small">For the service’s support: log id ${logIds.map((id) => html`<code>${id}</code> `)}</p>`}
</article>
`;
}

/** What a link was warned of. */
export function warningCard(link: LinkResult, finding: Finding, showName: boolean): Markup {
  const { code = '', cause, remedy } = finding;
  return html`<article class="card warned">
${showName && html`<p class="of"><a href="#${anchor(link)}">${link.name}</a></p>`}
<h2>${titleOf(code)} <code>${code}</code></h2>
<p>${cause}</p>
<p class="remedy"><strong>What to do</strong> ${remedy}</p>
</article>
`;
}

/** A connection that the deploy did not leave connected. */
export function lostConnectionCard(connection: ConnectionResult): Markup {
  const { name, code = '' } = connection;
  return html`<article class="card failed">
<p class="of">${name}</p>
<h2>${titleOf(code)} <code>${code}</code></h2>
<p>${connectionState(connection)}</p>
<p class="remedy"><strong>What to do</strong> ${remedyOf({ code })}</p>
</article>
`;
}

/** What the deploy told of a connection. */
export function connectionView(connection: ConnectionResult): Markup {
  const { name, code } = connection;
  return html`<article class="link told">
<p>${badge(code === undefined ? 'skipped' : 'failed')} <span class="name">${name}</span>
<span class="url">${connectionPath(connection)}</span></p>
<p class="small">${connectionState(connection)}</p>
</article>
`;
}

/** A name may hold anything, an anchor may not. */
export function anchor({ name }: LinkResult): string {
  return `link-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

function mainCause(cause: Cause): Markup {
  const { code, text, evidence, look } = cause;
  return html`<h2>${titleOf(code)} <code>${code}</code></h2>
<p>${text}</p>
<p class="remedy"><strong>What to do</strong> ${remedyOf(cause)}</p>
${look && html`<p class="look"><strong>What would decide it</strong> ${look}</p>`}
${evidence && html`<p class="small"><strong>Evidence</strong> <span class="facts">${evidence}</span></p>`}`;
}

function otherCause(cause: Cause): Markup {
  const { code, text, evidence, look } = cause;
  return html`<li><strong>${titleOf(code)}</strong> <code>${code}</code><br>${text} ${remedyOf(cause)}
${look && html`<br>To decide: ${look}`}${evidence && html`<br><small class="facts">${evidence}</small>`}</li>`;
}
