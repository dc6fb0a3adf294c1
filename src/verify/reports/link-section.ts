import { shortened } from '../../files/escape.js';
import { counted } from '../../lists/counted.js';
import type { NonEmpty } from '../../lists/group-by.js';
import { duration, type Fact, type Section, STATUS } from '../../report/document.js';
import { firstFailure, isBlocked, MANY } from '../model/findings.js';
import type { Finding, LinkResult } from '../model/verification.js';
import { isReachable } from './plugin-rows.js';
import { probeWords } from './probe-words.js';
import { evidenceInBrief, GIVEN, problemsOf } from './problems.js';
import { briefSummary, fate, gathered, inShort, summary } from './stage-facts.js';

/** Shows what was seen of a link. @param isWhole everything, not only what a reader's next action depends on */
export function linkSection(link: LinkResult, isWhole: boolean): Section {
  const { name, stages, notes } = link;
  const isFailed = firstFailure(stages) !== undefined;
  return {
    ...{
      title: name,
      tone: isReachable(link) ? 'passed' : 'failed',
      about: aboutLink(link, isWhole),
    },
    problems: problemsOf(link, isWhole),
    facts: [
      ...notes.map((note): Fact => ['note', note, 'warned']),
      ...(isWhole ? [] : passedFact(stages, isFailed)),
    ],
    columns: [STATUS, 'stage', 'time', 'seen'],
    rows: isWhole ? stageRows(stages) : otherRows(link, isFailed),
    more: isWhole ? remarks(link) : [...notRun(stages), ...left(link)],
  };
}

function aboutLink(link: LinkResult, isWhole: boolean): string {
  const { via, baseUrl, vantagePoint, attempts, passes, verdict, elapsedMs } = link;
  const facts = [
    attempts > 1 && `attempt ${attempts}`,
    passes !== undefined && `passes in a row: ${passes}`,
  ].filter(Boolean);
  return [
    via,
    baseUrl,
    vantagePoint !== undefined && `from ${vantagePoint}`,
    facts.length > 0 && `(${facts.join(', ')})`,
    isWhole && `${verdict} in ${duration(elapsedMs)}`,
  ]
    .filter(Boolean)
    .join('  ');
}

/** The stages, beside the last one that passes, of which the line of a link says what they saw. */
const TOLD: readonly string[] = ['dns', 'tls'];

/** Gathers what passed in one line; of a link that fails it names the stages. */
function passedFact(stages: readonly Finding[], isFailed: boolean): Fact[] {
  const passed = stages.filter(({ status }) => status === 'passed');
  if (passed.length === 0) return [];
  if (isFailed) {
    const { addresses } = passed.find(({ stage }) => stage === 'dns')?.evidence ?? {};
    const seen = addresses === undefined ? '' : `  ${inShort(addresses)}`;
    return [['passed', `${stageNames(passed, stages)}${seen}`, 'passed']];
  }
  const lastLogged = passed.findLast(({ logId }) => logId !== undefined);
  const last = passed.at(-1)?.stage ?? '';
  const told = passed.filter(({ stage }) => [...TOLD, last].includes(stage));
  const facts = new Set(told.map((one) => briefSummary(one, one === lastLogged)));
  const count = counted(new Set(passed.map(({ stage }) => stage)).size, 'stage');
  return [['passed', [count, ...facts].filter((one) => one !== '').join('  '), 'passed']];
}

function remarks(link: LinkResult): Fact[] {
  const { probes = [], ruledOut, stages } = link;
  const logIds = [...new Set(stages.flatMap(({ logId }) => logId ?? []))];
  const isForSupport = !isReachable(link) && logIds.length > 0;
  return [
    ...probes.map((probe): Fact => {
      const { verb, what, outcome } = probeWords(probe);
      return [verb, `${what}: ${outcome}`];
    }),
    ...ruledOut.map(({ text, evidence }): Fact => ['ruled out', `${text} (${evidence})`]),
    ...(isForSupport
      ? [['for the service’s support', `log id ${logIds.join(', ')}`] as const]
      : []),
  ];
}

/** Names what else is known of a link that fails. */
function left({ probes = [], ruledOut, causes, stages }: LinkResult): Fact[] {
  if (firstFailure(stages) === undefined) return [];
  const more = [
    ...(probes.length > 0 ? [counted(probes.length, 'try', 'tries')] : []),
    ...(ruledOut.length > 0 ? [`what is ruled out (${ruledOut.length})`] : []),
    ...(causes.length > 1 ? ['other causes'] : []),
    'all evidence',
  ];
  return [['with --verbose', more.join(', ')]];
}

/** Names the stages that a failure kept from running, and the addresses that were not tried if others were. */
export function notRun(stages: readonly Finding[]): Fact[] {
  const blocked = stages.filter(isBlocked);
  if (blocked.length === 0) return [];
  const failed = stages.flatMap(({ stage, status }) => (status === 'failed' ? stage : []));
  const why = failed.length === 0 ? '' : ` (${[...new Set(failed)].join(', ')} failed)`;
  return [['not run', `${stageNames(blocked, stages)}${why}`, 'skipped']];
}

/** Names the stages of some findings, with their addresses where others of the stage fared otherwise. */
function stageNames(some: readonly Finding[], all: readonly Finding[]): string {
  const names = [...new Set(some.map(({ stage }) => stage))].map((name) => {
    const isOfStage = ({ stage }: Finding) => stage === name;
    const own = some.filter(isOfStage);
    if (own.length === all.filter(isOfStage).length) return name;
    return own.length < MANY
      ? `${name} at ${own.map(({ address }) => address).join(' and ')}`
      : `${name} at ${own.length} addresses`;
  });
  return names.join(', ');
}

/**
 * Shows in a row each what neither passed nor was kept from running, addresses that fare alike in one. A warning
 * beside a failure is a problem of its own.
 */
function otherRows(link: LinkResult, isFailed: boolean): string[][] {
  const {
    stages,
    causes: [likeliest],
  } = link;
  const others = stages.filter(
    (finding) =>
      finding.status !== 'passed' &&
      !isBlocked(finding) &&
      !(isFailed && finding.status === 'warned'),
  );
  const said =
    likeliest?.certainty === undefined ? undefined : evidenceInBrief(likeliest.evidence, link);
  const groups = isFailed ? gathered(others, fate, () => 2) : gathered(others, fate);
  return rowsOf(stages, groups, ([first]) => {
    if (first.status === 'failed' && said !== undefined) return answerIn(first, said);
    // The title of the section has the name.
    const { serverName: _, ...evidence } = first.evidence;
    return summary(beside({ ...first, evidence }));
  });
}

/** The evidence of a failed stage that is an answer of the other side, or of the system. */
const ANSWERS = ['httpStatus', 'serviceCode', 'serviceMessage', 'problem', 'error'];

/** Says how a stage failed, and what the answer was if the likeliest cause does not say it. */
function answerIn({ logId: _, ...finding }: Finding, said: string): string {
  const answers = Object.entries(finding.evidence).filter(
    ([name, value]) => ANSWERS.includes(name) && !said.includes(`${name}=${value}`),
  );
  return shortened(summary({ ...finding, evidence: Object.fromEntries(answers) }), 70);
}

/** Shows the stages in a row each; addresses that fare alike share one where they are many. */
export function stageRows(stages: readonly Finding[]): string[][] {
  return rowsOf(stages, gathered(stages, fate), (group) => summary(beside(shared(group))));
}

function rowsOf(
  stages: readonly Finding[],
  groups: readonly NonEmpty<Finding>[],
  toText: (group: NonEmpty<Finding>) => string,
): string[][] {
  const severalAddresses = new Set(stages.flatMap(({ address }) => address ?? [])).size > 1;
  return groups.map((group) => {
    const [{ status, stage, address }, ...others] = group;
    const where =
      others.length > 0
        ? `${others.length + 1} addresses`
        : severalAddresses && address !== undefined && address;
    return [
      status,
      stage,
      timeOf(group, stages),
      [where, toText(group)].filter(Boolean).join('  '),
    ];
  });
}

/** Leaves what the problem of a link does not say already. */
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

/** The time that a stage took; the token comes with the call that the stage before it judges. */
function timeOf(group: NonEmpty<Finding>, stages: readonly Finding[]): string {
  const times = group.map(({ elapsedMs }) => elapsedMs);
  const isSameCall = ({ stage, elapsedMs }: Finding) =>
    stage === 'http' && times.includes(elapsedMs);
  const { stage, status } = group[0];
  if (stage === 'token' && status !== 'skipped' && stages.some(isSameCall)) return 'same call';
  const [least, most] = [Math.min(...times), Math.max(...times)].map(duration);
  return least === most ? `${most}` : `${least} – ${most}`;
}
