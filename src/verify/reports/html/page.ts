import type { NonEmpty } from '../../../lists/group-by.js';
import { badge, duration, html, htmlPage, type Markup } from '../../../report/markup.js';
import { MANY } from '../../model/findings.js';
import { exitOf } from '../../model/verdict.js';
import type {
  Finding,
  LinkResult,
  ProbeResult,
  RunEnvironment,
  TouchedHost,
  Verification,
} from '../../model/verification.js';
import {
  counts,
  headline,
  isReachable,
  ONLY_THE_SERVICE,
  overallStatus,
  pluginRows,
  worstFirst,
} from '../connections.js';
import { probeWords } from '../diagnosis-text.js';
import { fate, gathered } from '../stage-facts.js';
import { anchor, diagnoses, failedRowCard, pluginRowView, warnings } from './diagnosis.js';

import { pathView } from './stages-view.js';

/** Beyond so many, links are shown closed: first those that passed, then those that failed, too. */
const MAX_OPEN = 4;

/** The report as one page for a browser, which loads nothing from elsewhere and runs no script. */
export function htmlReport(verification: Verification): string {
  const { verdict, links, settings, startedAt, elapsedMs, skewMs, accessDigest } = verification;
  const failures = links.filter((link) => !isReachable(link));
  const isOpen = (link: LinkResult) => (isReachable(link) ? links : failures).length <= MAX_OPEN;
  const rows = worstFirst(pluginRows(verification), ({ code }) => !code);
  const status = overallStatus(verification);
  const title = capital(headline(verification, verdict.replace('-', ' ')));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Checked', checkedLinks(links)],
    ['From', checkedFrom(verification)],
    ['Started', `${startedAt.slice(0, 19).replace('T', ' ')} UTC`],
    ['Took', duration(elapsedMs)],
    ['Clock skew', skewMs === undefined ? undefined : `${skewMs} ms`],
    ['Exit status', String(exitOf(verification))],
    ['Access digest', accessDigest || undefined],
  ];
  const body = html`<header class="${status}">
${badge(status)}
<div>${verification.title && html`<p class="of">${verification.title}</p>`}<h1>${title}</h1>
<p>${counts(verification)}</p></div>
<dl class="run">${facts.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>
<section aria-label="Diagnosis">${diagnosisCards(verification)}</section>
<section aria-label="Links">${worstFirst(links, isReachable).map((link) => linkView(link, isOpen(link)))}</section>
${rows.length > 0 && html`<section aria-label="Connections">${rows.map(pluginRowView)}</section>`}
${verification.backends && html`<p class="note">${ONLY_THE_SERVICE}</p>`}
${verification.environment && environmentView(verification.environment)}
${
  settings.length > 0 &&
  html`<footer><h3>Settings of the run</h3>
<dl>${settings.map(({ name, source, value }) => html`<dt>${name}</dt><dd>${value} <small>${source}</small></dd>`)}</dl></footer>`
}`;
  const of = verification.title ? `${verification.title}: ` : '';
  return htmlPage({ title: `${of}${title}: connectivity report`, body });
}

function environmentView(environment: RunEnvironment): Markup {
  const { tool, node, openssl, platform, resolvers, proxies, trust } = environment;
  const facts = [
    ['Checked with', tool],
    ['Node.js', node],
    ['OpenSSL', openssl],
    ['System', platform],
    ['DNS servers', resolvers.join(', ') || 'none configured'],
    ...[...proxies, ...trust].map(({ name, value }) => [name, value]),
  ];
  return html`<footer><h3>Where it ran</h3>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></footer>`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function diagnosisCards(verification: Verification): Markup {
  const { links } = verification;
  const showNames = links.length > 1;
  const failed = links.filter((link) => !isReachable(link));
  const lost = pluginRows(verification).filter(({ code }) => code !== undefined);
  return html`${diagnoses(failed, showNames)}${lost.map(failedRowCard)}${warnings(links, showNames)}`;
}

/** Names what was checked, in one line: each base URL if they are few. */
function checkedLinks(links: readonly LinkResult[]): string | undefined {
  const urls = [...new Set(links.map(({ baseUrl, via }) => `${baseUrl} (${via})`))];
  if (urls.length < MANY) return urls.join(', ') || undefined;
  return `${urls.length} base URLs (${[...new Set(links.map(({ via }) => via))].join(', ')})`;
}

/** Describes the machine and the DNS of the check; absent in reports that do not say. */
function checkedFrom({ environment }: Verification): string | undefined {
  if (environment === undefined) return undefined;
  const { ownAddresses = [], platform, resolvers } = environment;
  return [
    ...ownAddresses,
    platform,
    resolvers.length > 0 && `DNS server ${resolvers.slice(0, MANY).join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** One link: its path, when each stage ran, and all the evidence. */
function linkView(link: LinkResult, isOpen: boolean): Markup {
  const { name, via, baseUrl, stages, notes, connectTo, attempts, passes } = link;
  const { probes = [], hosts = [] } = link;
  const facts = [
    via,
    duration(link.elapsedMs),
    attempts > 1 && `attempts: ${attempts}`,
    passes !== undefined && `passes in a row: ${passes}`,
  ].filter(Boolean);
  return html`<details class="link" id="${anchor(link)}"${isOpen && html` open`}>
<summary>${badge(isReachable(link) ? 'passed' : 'failed')}<span class="name">${name}</span>
<span class="url">${baseUrl}</span> <span class="small">${facts.join(' · ')}</span></summary>
${notes.map((note) => html`<p class="note">${note}</p>`)}
${connectToNotes(connectTo)}
${pathView(stages)}
<details class="evidence"><summary>All evidence</summary>
${gathered(stages, fate).map(evidenceGroup)}
${probes.map(probeTable)}
${hosts.length > 0 && table(html`Hosts that were queried or dialled`, hosts.map(hostFact))}
${link.accessDigest && html`<p class="small">Access digest <code>${link.accessDigest}</code></p>`}
</details>
</details>
`;
}

function connectToNotes(connectTo: LinkResult['connectTo']): Markup {
  const lines = connectTo.map(
    ({ from, to }) => html`<code>${to}</code> instead of <code>${from}</code>`,
  );
  if (lines.length < MANY) {
    return html`${lines.map((line) => html`<p class="note">Connect-to: ${line}</p>`)}`;
  }
  return html`<details class="note"><summary>Connect-to: ${lines.length} addresses</summary>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></details>`;
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
