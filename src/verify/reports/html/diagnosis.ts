import { createHash } from 'node:crypto';
import { titleOf } from '../../../codes/stated.js';
import type { NonEmpty } from '../../../lists/group-by.js';
import { badge, html, type Markup } from '../../../report/markup.js';
import { MANY } from '../../model/findings.js';
import type { Cause, LinkResult } from '../../model/verification.js';
import type { PluginRow } from '../connections.js';
import { causeRemedy } from '../diagnosis-text.js';
import { gathered } from '../stage-facts.js';

/** Shows causes, remedies and what is ruled out: one card for all that failed for the same causes. */
export function diagnoses(links: readonly LinkResult[], showNames: boolean): Markup {
  const toKey = ({ verdict, causes }: LinkResult) =>
    JSON.stringify([verdict, causes.map(({ evidence: _, ...cause }) => cause)]);
  return html`${gathered(links, toKey, () => 1).map((group) => diagnosis(group, showNames))}`;
}

function diagnosis(group: NonEmpty<LinkResult>, showNames: boolean): Markup {
  const [link, ...alike] = group;
  const [first, ...others] = link.causes;
  const ruledOut = link.ruledOut.filter(({ text }) =>
    alike.every((one) => one.ruledOut.some((out) => out.text === text)),
  );
  const isOne = alike.length === 0;
  return html`<article class="card failed">
${showNames && linkNames(group)}
${first ? mainCause(first, isOne) : html`<h2>${link.verdict}</h2>`}
${others.length > 0 && html`<h3>Also possible</h3><ol class="others">${others.map((cause) => otherCause(cause, isOne))}</ol>`}
${!isOne && evidenceOfEach(group)}
${
  ruledOut.length > 0 &&
  html`<h3>Ruled out</h3><ul class="not">${ruledOut.map(({ text, evidence }) => html`<li>${text} ${isOne && html`<small>${evidence}</small>`}</li>`)}</ul>`
}
${logIds(group)}
</article>
`;
}

function places(addresses: readonly string[]): Markup {
  if (addresses.length < 2) return html``;
  const list = html`<span class="facts">${addresses.join(', ')}</span>`;
  if (addresses.length < MANY) return html`<p class="small">At ${list}</p>`;
  return html`<details class="small"><summary>At ${addresses.length} addresses</summary>${list}</details>`;
}

function linkNames(links: readonly LinkResult[]): Markup {
  const names = links.map((link) => html`<a href="#${anchor(link)}">${link.name}</a>`);
  if (names.length < MANY) {
    return html`<p class="of">${names.map((name, i) => html`${i > 0 && ', '}${name}`)}</p>`;
  }
  return html`<details class="of"><summary>${names.length} links</summary>
<ul>${names.map((name) => html`<li>${name}</li>`)}</ul></details>`;
}

/** The causes are the same, what shows them is not. */
function evidenceOfEach(links: readonly LinkResult[]): Markup {
  return html`<details class="small"><summary>Evidence of each link</summary>
<dl class="each">${links.map(({ name, causes }) => html`<dt>${name}</dt>${causes.map(({ code, evidence }) => evidence && html`<dd><code>${code}</code> <span class="facts">${evidence}</span></dd>`)}`)}</dl></details>`;
}

function logIds(links: readonly LinkResult[]): Markup {
  const ids = new Set(links.flatMap(({ stages }) => stages.flatMap(({ logId }) => logId ?? [])));
  if (ids.size === 0) return html``;
  return html`<p class="small">For the service’s support: log id ${[...ids].map((id) => html`<code>${id}</code> `)}</p>`;
}

/**
 * Renders the warnings of links: one card for each warning, whatever the number of links and
 * addresses.
 */
export function warnings(links: readonly LinkResult[], showNames: boolean): Markup {
  const warned = links.flatMap((link) =>
    link.stages.filter(({ status }) => status === 'warned').map((finding) => ({ link, finding })),
  );
  const toKey = ({ finding: { code, cause, remedy } }: (typeof warned)[number]) =>
    JSON.stringify([code, cause, remedy]);
  return html`${gathered(warned, toKey, () => 1).map((group) => {
    const { code = '', evidence, cause, remedy } = group[0].finding;
    const addresses = new Set(group.flatMap(({ finding }) => finding.address ?? []));
    return html`<article class="card warned">
${showNames && linkNames([...new Set(group.map(({ link }) => link))])}
<h2>${titleOf({ code, evidence })} <code>${code}</code></h2>
<p>${cause}</p>
${places([...addresses])}
<p class="remedy"><strong>What to do</strong> ${remedy}</p>
</article>
`;
  })}`;
}

/** A connection that the deploy did not leave connected, or a server that is not healthy. */
export function failedRowCard({ name, state, code = '' }: PluginRow): Markup {
  return html`<article class="card failed">
<p class="of">${name}</p>
<h2>${titleOf({ code })} <code>${code}</code></h2>
<p>${state}</p>
<p class="remedy"><strong>What to do</strong> ${causeRemedy({ code })}</p>
</article>
`;
}

/** A connection as the deploy left it, or what was seen of a server. */
export function pluginRowView({ name, path, state, status }: PluginRow): Markup {
  return html`<article class="link plugin-row">
<p>${badge(status)} <span class="name">${name}</span>
<span class="url">${path}</span></p>
<p class="small">${state}</p>
</article>
`;
}

/** A name may hold anything, an anchor may not. */
export function anchor({ name }: LinkResult): string {
  return `link-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

function mainCause(cause: Cause, withEvidence: boolean): Markup {
  const { code, text, evidence, inspect } = cause;
  return html`<h2>${titleOf(cause)} <code>${code}</code></h2>
<p>${text}</p>
<p class="remedy"><strong>What to do</strong> ${causeRemedy(cause)}</p>
${inspect && html`<p class="inspect"><strong>Inspect</strong> ${inspect}</p>`}
${withEvidence && evidence && html`<p class="small"><strong>Evidence</strong> <span class="facts">${evidence}</span></p>`}`;
}

function otherCause(cause: Cause, withEvidence: boolean): Markup {
  const { code, text, evidence, inspect } = cause;
  return html`<li><strong>${titleOf(cause)}</strong> <code>${code}</code><br>${text} ${causeRemedy(cause)}
${inspect && html`<br>Inspect: ${inspect}`}${withEvidence && evidence && html`<br><small class="facts">${evidence}</small>`}</li>`;
}
