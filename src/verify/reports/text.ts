import { factsOf, isCode } from '../../codes/codes.js';
import { counted } from '../../lists/counted.js';
import type { NonEmpty } from '../../lists/group-by.js';
import { firstFailure, isBlocked, MANY } from '../model/findings.js';
import { exitOf } from '../model/verdict.js';
import type { Finding, LinkResult, Verification } from '../model/verification.js';
import { ONLY_THE_SERVICE, type PluginRow, pluginRows } from './connections.js';
import { diagnosisText, GIVEN, leadText, vantagePointsText } from './diagnosis-text.js';
import { briefSummary, fate, gathered, milliseconds, summary } from './stage-facts.js';
import { hanging, labelled, PLAIN_TEXT, type TextOptions } from './text-layout.js';

/**
 * The report for people: the verdict, a line for each link that passes, and for one that fails the reason and the
 * stages. The rest of what was seen follows where all is asked for.
 */
export function textReport(verification: Verification, options: Partial<TextOptions> = {}): string {
  const whole = { ...PLAIN_TEXT, ...options };
  const { style } = whole;
  const { links, backends = [] } = verification;
  return [
    ...(verification.title ? [style(verification.title, 'strong')] : []),
    `${headline(verification, whole)}\n`,
    ...links.map((link) => linkText(link, whole)),
    ...pluginRows(verification).map((row) => pluginText(row, whole)),
    ...(backends.length > 0 ? [`${hanging('', ONLY_THE_SERVICE, whole.width)}\n`] : []),
    ...vantagePointsText(verification, whole),
    ...(whole.isVerbose ? [...factLines(verification, whole), ''] : []),
  ].join('\n');
}

/** The limit of what the headline names. */
const MAX_NAMED = 3;

/** `unreachable in 6358 ms, exit 12: service-endpoint fails at tcp; api@guests: OPEN from there`. */
function headline(verification: Verification, { style, width }: TextOptions): string {
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
  const rest = ` in ${milliseconds(elapsedMs)}${exit === 0 ? '' : `, exit ${exit}`}${what}`;
  const shown = style(verdict, exit === 0 ? 'passed' : 'failed');
  return hanging(verdict, rest, width, shown);
}

/** Lists the versions and settings of the check. */
function factLines(verification: Verification, { style, width }: TextOptions): string[] {
  const { settings, accessDigest, skewMs, environment: on } = verification;
  const facts = [
    [
      'checked with',
      on ? `${on.tool}, Node.js ${on.node}, OpenSSL ${on.openssl}, ${on.platform}` : '',
    ],
    ['access digest', accessDigest],
    ['clock skew', skewMs === undefined ? '' : `${skewMs} ms`],
    ...settings.map(({ name, source, value }) => [
      name,
      value === undefined ? `from ${source}` : `${value} (${source})`,
    ]),
  ].filter(([, value]) => value !== '');
  const column = Math.max(0, ...facts.map(([name = '']) => name.length));
  return facts.map(([name = '', value = '']) =>
    style(hanging(`${name.padEnd(column)}  `, value, width), 'weak'),
  );
}

function linkText(link: LinkResult, options: TextOptions): string {
  const { name, vantagePoint, via, baseUrl, stages, notes } = link;
  const { style, width, isVerbose } = options;
  const passed = stages.filter(({ status }) => status === 'passed');
  const others = stages.filter(({ status }) => status !== 'passed');
  const isPassed = passed.length > 0 && others.every(({ status }) => status === 'skipped');
  const isShort = isPassed && !isVerbose;
  const head = `${via}  ${baseUrl}${vantagePoint === undefined ? '' : `  from ${vantagePoint}`}${attemptText(link)}`;
  return [
    hanging(`${name}  `, head, width, `${style(name, 'strong')}  `),
    ...leadText(link, options),
    ...notes.map((note) => labelled('note', 'warned', note, options)),
    ...connectToLines(link, options),
    ...(isShort ? [passedLine(passed, options)] : []),
    ...stageLines(isShort ? others : stages, options),
    ...diagnosisText(link, options),
    '',
  ].join('\n');
}

/** The stages, beside the last one that passes, of which the line of a link says what they saw. */
const TOLD: readonly string[] = ['dns', 'tls'];

function passedLine(passed: readonly Finding[], options: TextOptions): string {
  const lastLogged = passed.findLast(({ logId }) => logId !== undefined);
  const last = passed.at(-1)?.stage ?? '';
  const seen = passed.filter(({ stage }) => [...TOLD, last].includes(stage));
  const facts = new Set(seen.map((one) => briefSummary(one, one === lastLogged)));
  const count = new Set(passed.map(({ stage }) => stage)).size;
  const text = [counted(count, 'stage'), ...facts].filter((one) => one !== '').join('  ');
  return labelled('passed', 'passed', text, options);
}

function connectToLines({ connectTo }: LinkResult, options: TextOptions): string[] {
  const [first, ...others] = connectTo;
  if (first === undefined) return [];
  const targets = new Set(connectTo.map(({ to }) => to)).size;
  const many = `connect-to ${connectTo.length} addresses to ${targets === 1 ? first.to : `${targets} others`}`;
  const texts = connectTo.map(({ from, to }) => `connect-to ${from} to ${to}`);
  const shown = options.isVerbose || others.length === 0 ? texts : [many];
  return shown.map((text) => labelled('note', 'warned', text, options));
}

const TONE = { passed: 'passed', warned: 'warned', failed: 'failed', skipped: 'warned' } as const;

function pluginText(row: PluginRow, options: TextOptions): string {
  const { name, path, via, state, status, code, lead } = row;
  const { style, width } = options;
  return [
    hanging(
      `${name}  `,
      via === undefined ? path : `${via}  ${path}`,
      width,
      `${style(name, 'strong')}  `,
    ),
    labelled(lead, TONE[status], state, options),
    ...(code !== undefined && isCode(code)
      ? [
          hanging(`  ${code}: `, factsOf(code).title, width),
          hanging('    remedy  ', factsOf(code).remedy, width),
        ]
      : []),
    '',
  ].join('\n');
}

function attemptText({ attempts, passes }: LinkResult): string {
  const facts = [
    attempts > 1 && `attempt ${attempts}`,
    passes !== undefined && `passes in a row: ${passes}`,
  ].filter(Boolean);
  return facts.length === 0 ? '' : `  (${facts.join(', ')})`;
}

/**
 * The stages of a link for people, one line each. Addresses that fare alike share one where they are
 * many, or where nothing is wrong with them; so do the stages that a failure kept from running.
 */
export function stageLines(stages: readonly Finding[], options: TextOptions): string[] {
  if (options.isVerbose) return lines(stages, options);
  const ran = stages.filter((finding) => !isBlocked(finding));
  return [...lines(ran, options), ...notRunLine(stages, options)];
}

/** Names the addresses that were not tried, if others were. */
function notRunLine(stages: readonly Finding[], { style, width }: TextOptions): string[] {
  const blocked = stages.filter(isBlocked);
  if (blocked.length === 0) return [];
  const parts = [...new Set(blocked.map(({ stage }) => stage))].map((name) => {
    const isOfStage = ({ stage }: Finding) => stage === name;
    const left = blocked.filter(isOfStage);
    if (left.length === stages.filter(isOfStage).length) return name;
    return left.length < MANY
      ? `${name} at ${left.map(({ address }) => address).join(' and ')}`
      : `${name} at ${left.length} addresses`;
  });
  const failed = stages.flatMap(({ stage, status }) => (status === 'failed' ? stage : []));
  const why = failed.length === 0 ? '' : ` (${[...new Set(failed)].join(', ')} failed)`;
  const text = `${parts.join(', ')}${why}`;
  return [hanging('  not run: ', text, width, `  ${style('not run', 'skipped')}: `)];
}

function lines(stages: readonly Finding[], options: TextOptions): string[] {
  const { style, width, isVerbose } = options;
  // Those that pass share a line from two on, unless all is asked for.
  const least = ({ status }: Finding) => (status === 'passed' && !isVerbose ? 2 : MANY);
  const groups = gathered(stages, fate, least);
  const times = groups.map(span);
  const timeWidth = Math.max(0, ...times.map((time) => time.length));
  const severalAddresses = new Set(stages.flatMap(({ address }) => address ?? [])).size > 1;
  const lastLogged = stages.findLast(({ logId }) => logId !== undefined);
  return groups.map(([first, ...others], i) => {
    const { status, stage, address } = first;
    const time = (times[i] ?? '').padStart(timeWidth);
    const where =
      others.length > 0
        ? `${others.length + 1} addresses  `
        : severalAddresses && address !== undefined
          ? `${address}  `
          : '';
    const isBrief = status === 'passed' && !isVerbose;
    const same = shared([first, ...others]);
    const facts = isBrief ? briefSummary(same, first === lastLogged) : summary(beside(same));
    const rest = `  ${stage.padEnd(10)}  ${time}  `;
    const word = status.padEnd(7);
    return hanging(
      `  ${word}${rest}`,
      `${where}${facts}`,
      width,
      `  ${style(word, status)}${rest}`,
    );
  });
}

/** Leaves what the lead of a link does not say already. */
function beside(finding: Finding): Finding {
  const { error: _, ...evidence } = finding.evidence;
  return finding.stage === GIVEN && finding.status === 'failed'
    ? { ...finding, evidence }
    : finding;
}

/** Joins what all findings share; a single finding stays as it is. */
function shared([first, ...others]: NonEmpty<Finding>): Finding {
  if (others.length === 0) return first;
  const evidence = Object.fromEntries(
    Object.entries(first.evidence).filter(([name, value]) =>
      others.every((other) => other.evidence[name] === value),
    ),
  );
  const { logId: _, ...rest } = first;
  return { ...rest, evidence };
}

function span(group: NonEmpty<Finding>): string {
  const times = group.map(({ elapsedMs }) => elapsedMs);
  const [least, most] = [Math.min(...times), Math.max(...times)].map(milliseconds);
  return least === most ? `${most}` : `${least} – ${most}`;
}
