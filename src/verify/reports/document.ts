import {
  duration,
  listOf,
  type ReportDocument,
  type Section,
  tableOf,
} from '../../report/document.js';
import { vantagePointTable } from '../model/failure-patterns.js';
import { firstFailure, MANY } from '../model/findings.js';
import { exitOf } from '../model/verdict.js';
import type { LinkResult, RunEnvironment, Verification } from '../model/verification.js';
import { linkSection } from './link-section.js';
import {
  counts,
  isReachable,
  limitSection,
  type PluginRow,
  pluginRows,
  pluginSection,
} from './plugin-rows.js';

/**
 * Makes the document of a check: the verdict, then what failed before what passed.
 *
 * @param isWhole everything that was seen, and each setting; else what a reader's next action depends on
 * @param toPage markup of a link, for a page. @default - none
 */
export function verificationDocument(
  verification: Verification,
  isWhole: boolean,
  toPage?: (link: LinkResult) => string,
): ReportDocument {
  const { title, links } = verification;
  const subjects = [
    ...links.map((link) => ({
      ...linkSection(link, isWhole),
      ...(toPage && { page: () => toPage(link) }),
    })),
    ...pluginRows(verification).map(pluginSection),
  ];
  const isFailed = ({ tone }: Section) => tone === 'failed';
  return {
    ...{ headline: headlineOf(verification), tone: toneOf(verification), title },
    sections: [
      ...subjects.filter(isFailed),
      ...subjects.filter((subject) => !isFailed(subject)),
      ...[limitSection(verification), ...vantagePoints(verification)].filter(isFilled),
      ...(isWhole ? circumstances(verification).filter(isFilled) : []),
    ],
    facts: isWhole ? runFacts(verification) : connectTo(links),
  };
}

function isFilled({ rows }: Section): boolean {
  return rows.length > 0;
}

/** The limit of what the headline names. */
const MAX_NAMED = 3;

/** `unreachable in 6.4 s, exit 12: service-endpoint fails at tcp; api@guests: OPEN from there`. */
function headlineOf(verification: Verification): string {
  const { links, verdict, elapsedMs } = verification;
  const exit = exitOf(verification);
  const failed = links.flatMap(({ name, vantagePoint, stages }) => {
    const broken = firstFailure(stages);
    const from = vantagePoint === undefined ? '' : ` from ${vantagePoint}`;
    return broken === undefined ? [] : [`${name} fails${from} at ${broken.stage}`];
  });
  const isWrong = ({ status, lead }: PluginRow) =>
    status === 'failed' || (status === 'skipped' && lead === 'tried');
  const rows = pluginRows(verification).filter(isWrong);
  const wrong = [...failed, ...rows.map(({ name, label }) => `${name}: ${label}`)];
  const more = wrong.length - MAX_NAMED;
  const named = [...wrong.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])];
  const what = named.length === 0 ? '' : `: ${named.join('; ')}`;
  const seen = links.length === 0 ? 'no link checked' : verdict;
  return `${seen} in ${duration(elapsedMs)}${exit === 0 ? '' : `, exit ${exit}`}${what}`;
}

/** The outcome of the whole check. */
function toneOf(verification: Verification): ReportDocument['tone'] {
  if (exitOf(verification) !== 0) return 'failed';
  if (verification.links.length === 0) return 'skipped';
  return isReachable(verification) ? 'passed' : 'failed';
}

/** The table of vantage points, and what the failures in it have in common. */
function vantagePoints(verification: Verification): Section[] {
  const [columns = [], ...rows] = vantagePointTable(verification);
  const { patterns = [] } = verification;
  return [
    { ...{ title: 'Vantage points', isAnswer: true }, columns, rows },
    listOf(
      'What the failures have in common',
      patterns.map(({ text }) => text),
    ),
  ];
}

/** Names dials that went elsewhere, once for all links. */
function connectTo(links: readonly LinkResult[]): [name: string, text: string][] {
  const rules = rulesOf(links);
  const [first, ...others] = rules;
  if (first === undefined) return [];
  const targets = new Set(rules.map(({ to }) => to)).size;
  const from = others.length === 0 ? first.from : `${rules.length} addresses`;
  return [['note', `connect-to ${from} to ${targets === 1 ? first.to : `${targets} others`}`]];
}

function rulesOf(links: readonly LinkResult[]): LinkResult['connectTo'] {
  const all = links.flatMap((link) => link.connectTo);
  return [...new Map(all.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function runFacts(verification: Verification): (readonly [string, string])[] {
  const { links, startedAt, elapsedMs, skewMs, accessDigest, environment } = verification;
  const urls = [...new Set(links.map(({ baseUrl, via }) => `${baseUrl} (${via})`))];
  const vias = [...new Set(links.map(({ via }) => via))].join(', ');
  const { ownAddresses = [], platform, resolvers = [] } = environment ?? {};
  const servers = resolvers.slice(0, MANY).join(', ');
  const facts = {
    seen: counts(verification),
    checked: urls.length < MANY ? urls.join(', ') : `${urls.length} base URLs (${vias})`,
    from: [...ownAddresses, platform, servers && `DNS server ${servers}`]
      .filter(Boolean)
      .join(', '),
    started: `${startedAt.slice(0, 19).replace('T', ' ')} UTC`,
    took: duration(elapsedMs),
    'clock skew': skewMs === undefined ? '' : `${skewMs} ms`,
    'exit status': String(exitOf(verification)),
    'access digest': accessDigest,
  };
  return Object.entries(facts).filter(([, text]) => text !== '');
}

/** Lists the machine, the settings and the dials that went elsewhere. */
function circumstances({ links, settings, environment }: Verification): Section[] {
  return [
    tableOf('Connect-to', rulesOf(links), { from: ({ from }) => from, to: ({ to }) => to }),
    tableOf('Where it ran', environment === undefined ? [] : machineFacts(environment), {
      what: ([name]) => name,
      value: ([, value]) => value,
    }),
    tableOf('Settings of the run', settings, {
      setting: ({ name }) => name,
      value: ({ value, source }) =>
        value === undefined ? `from ${source}` : `${value} (${source})`,
    }),
  ].map((section) => ({ ...section, isFolded: true as const }));
}

function machineFacts(environment: RunEnvironment): (readonly [string, string])[] {
  const { tool, node, openssl, platform, resolvers, proxies, trust } = environment;
  return [
    ['checked with', `${tool}, Node.js ${node}, OpenSSL ${openssl}, ${platform}`],
    ['DNS servers', resolvers.join(', ') || 'none configured'],
    ...[...proxies, ...trust].map(({ name, value }) => [name, value] as const),
  ];
}
