import { digestNote } from '../../model/access-digest.js';
import { exitOf } from '../../model/verdict.js';
import type {
  Finding,
  LinkResult,
  RunEnvironment,
  Verdict,
  Verification,
} from '../../model/verification.js';
import { MANY } from '../alike.js';
import { counts, headline, ONLY_THE_SERVICE, pluginRows, worstFirst } from '../connections.js';
import { describeChange } from '../stage-facts.js';
import { diagnoses, failedRowCard, pluginRowView, warnings } from './diagnosis.js';
import { linkView } from './link-view.js';
import { badge, duration, html, type Markup } from './markup.js';
import { htmlPage } from './page-frame.js';

const VERDICTS: Record<Verdict, string> = {
  reachable: 'Reachable',
  'not-authorized': 'Not authorized',
  unreachable: 'Unreachable',
  incomplete: 'Incomplete',
};

/** Beyond so many, links are shown closed: first those that passed, then those that failed, too. */
const MOST_OPEN = 4;

/** The report as one page for a browser, which loads nothing from elsewhere and runs no script. */
export function htmlReport(verification: Verification): string {
  const { verdict, links, settings, startedAt, elapsedMs, skewMs, accessDigest } = verification;
  const failures = links.filter(({ verdict: own }) => own !== 'reachable').length;
  const isOpen = (isGood: boolean) => (isGood ? links.length : failures) <= MOST_OPEN;
  const ordered = [...links].sort(
    (a, b) => Number(a.verdict === 'reachable') - Number(b.verdict === 'reachable'),
  );
  const rows = worstFirst(pluginRows(verification));
  const status = statusOf(verification);
  const title = capital(headline(verification, VERDICTS[verdict]));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Checked', checkedLinks(links)],
    ['From', checkedFrom(verification)],
    ['Started', `${startedAt.slice(0, 19).replace('T', ' ')} UTC`],
    ['Took', duration(elapsedMs)],
    ['Clock skew', skewMs === undefined ? undefined : `${skewMs} ms`],
    ['Exit status', String(exitOf(verification))],
    ['Access digest', accessDigest ? `${accessDigest}${digestNote(verification)}` : undefined],
  ];
  const body = html`<header class="${status}">
${badge(status)}
<div>${verification.title && html`<p class="of">${verification.title}</p>`}<h1>${title}</h1>
<p>${counts(verification)}</p></div>
<dl class="run">${facts.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>
${(verification.changes ?? []).map((change) => html`<p class="note">Changed since the baseline: ${describeChange(change)}</p>`)}
<section aria-label="Diagnosis">${diagnosisCards(verification)}</section>
<section aria-label="Links">${ordered.map((link) => linkView(link, isOpen(link.verdict === 'reachable')))}</section>
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

function statusOf(verification: Verification): Finding['status'] {
  if (exitOf(verification) !== 0) return 'failed';
  if (verification.links.length === 0) return 'skipped';
  return verification.verdict === 'reachable' ? 'passed' : 'failed';
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function diagnosisCards(verification: Verification): Markup {
  const { links } = verification;
  const showNames = links.length > 1;
  const failed = links.filter(({ verdict }) => verdict !== 'reachable');
  const lost = pluginRows(verification).filter(({ code }) => code !== undefined);
  return html`${diagnoses(failed, showNames)}${lost.map(failedRowCard)}${warnings(links, showNames)}`;
}

/** What was checked, in one line: each base URL where they are few. */
function checkedLinks(links: readonly LinkResult[]): string | undefined {
  const urls = [...new Set(links.map(({ baseUrl, via }) => `${baseUrl} (${via})`))];
  if (urls.length < MANY) return urls.join(', ') || undefined;
  return `${urls.length} base URLs (${[...new Set(links.map(({ via }) => via))].join(', ')})`;
}

/** From which machine, by what DNS; absent in reports that do not say. */
function checkedFrom({ environment, settings }: Verification): string | undefined {
  if (environment === undefined) return undefined;
  const { platform, resolvers } = environment;
  const own = settings
    .filter(({ name }) => name === '--own-address')
    .flatMap(({ value }) => value ?? []);
  return [
    ...own,
    platform,
    resolvers.length > 0 && `DNS server ${resolvers.slice(0, MANY).join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ');
}
