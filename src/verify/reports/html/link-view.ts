import { digestNote } from '../../model/access-digest.js';
import type { Finding, LinkResult, ProbeResult, TouchedHost } from '../../model/verification.js';
import { fate, type Group, gathered, MANY } from '../alike.js';
import { probeWords } from '../probe-words.js';
import { describeChange } from '../stage-facts.js';
import { anchor } from './diagnosis.js';
import { badge, duration, html, type Markup } from './markup.js';
import { pathView } from './path-view.js';
import { waterfall } from './waterfall.js';

/** One link: its path, when each stage ran, and all the evidence. */
export function linkView(link: LinkResult, isOpen: boolean): Markup {
  const { name, via, baseUrl, stages, notes, reroutes, attempts, passes } = link;
  const { probes = [], changes = [], hosts = [] } = link;
  const facts = [
    via,
    duration(link.elapsedMs),
    attempts > 1 && `attempts: ${attempts}`,
    passes !== undefined && `passes in a row: ${passes}`,
  ].filter(Boolean);
  return html`<details class="link" id="${anchor(link)}"${isOpen && html` open`}>
<summary>${badge(link.verdict === 'reachable' ? 'passed' : 'failed')}<span class="name">${name}</span>
<span class="url">${baseUrl}</span> <span class="small">${facts.join(' · ')}</span></summary>
${changes.map((change) => html`<p class="note">Changed since the baseline: ${describeChange(change)}</p>`)}
${notes.map((note) => html`<p class="note">${note}</p>`)}
${rerouteNotes(reroutes)}
${pathView(stages)}
<h3>When each stage ran</h3>
${waterfall(stages)}
<details class="evidence"><summary>All evidence</summary>
${gathered(stages, fate).map(evidenceGroup)}
${probes.map(probeOf)}
${hosts.length > 0 && table(html`Hosts that were asked or dialled`, hosts.map(hostFact))}
${link.accessDigest && html`<p class="small">Access digest <code>${link.accessDigest}</code>${digestNote(link)}</p>`}
</details>
</details>
`;
}

function rerouteNotes(reroutes: LinkResult['reroutes']): Markup {
  const lines = reroutes.map(
    ({ from, to }) => html`<code>${from}</code> is dialled at <code>${to}</code>`,
  );
  if (lines.length < MANY) {
    return html`${lines.map((line) => html`<p class="note">Rerouted: ${line}</p>`)}`;
  }
  return html`<details class="note"><summary>Rerouted: ${lines.length} addresses are dialled at other ones</summary>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></details>`;
}

/** Many addresses that fare alike are one line, which opens. */
function evidenceGroup(group: Group<Finding>): Markup {
  const [{ stage, status }] = group;
  if (group.length === 1) return evidenceOf(group[0]);
  return html`<details class="many"><summary>${badge(status)} ${stage} <small>${group.length} addresses</small></summary>
${group.map(evidenceOf)}</details>
`;
}

function evidenceOf({ stage, status, address, code, evidence, logId, elapsedMs }: Finding): Markup {
  const facts = Object.entries({ ...(address && { address }), ...(code && { code }), ...evidence });
  return table(
    html`${badge(status)} ${stage} <small>${duration(elapsedMs)}</small>`,
    logId === undefined ? facts : [...facts, ['log id', logId]],
  );
}

function probeOf(probe: ProbeResult): Markup {
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
