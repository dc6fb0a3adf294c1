import { counted } from '../../lists/counted.js';
import type { NonEmpty } from '../../lists/group-by.js';
import { duration, type Fact, type Section, STATUS } from '../../report/document.js';
import { firstFailure, isBlocked, MANY } from '../model/findings.js';
import type { Finding, LinkResult } from '../model/verification.js';
import { isReachable } from './plugin-rows.js';
import { probeWords } from './probe-words.js';
import { GIVEN, problemsOf } from './problems.js';
import { briefSummary, fate, gathered, summary } from './stage-facts.js';

/** Shows what was seen of a link. @param isWhole everything, not only what a reader's next action depends on */
export function linkSection(link: LinkResult, isWhole: boolean): Section {
  const { name, stages, notes } = link;
  const others = stages.filter(({ status }) => status !== 'passed');
  const isPassed =
    stages.length > others.length && others.every(({ status }) => status === 'skipped');
  const isShort = isPassed && !isWhole;
  const ran = stages.filter((finding) => !isBlocked(finding));
  return {
    ...{
      title: name,
      tone: isReachable(link) ? 'passed' : 'failed',
      about: aboutLink(link, isWhole),
    },
    problems: problemsOf(link, isWhole),
    facts: [
      ...notes.map((note): Fact => ['note', note, 'warned']),
      ...(isShort ? [passedFact(stages)] : []),
    ],
    columns: [STATUS, 'stage', 'time', 'seen'],
    rows: stageRows(isShort ? others : isWhole ? stages : ran, isWhole),
    more: isWhole ? remarks(link) : isShort ? [] : [...notRun(stages), ...left(link)],
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

function passedFact(stages: readonly Finding[]): Fact {
  const passed = stages.filter(({ status }) => status === 'passed');
  const lastLogged = passed.findLast(({ logId }) => logId !== undefined);
  const last = passed.at(-1)?.stage ?? '';
  const seen = passed.filter(({ stage }) => [...TOLD, last].includes(stage));
  const facts = new Set(seen.map((one) => briefSummary(one, one === lastLogged)));
  const count = new Set(passed.map(({ stage }) => stage)).size;
  const text = [counted(count, 'stage'), ...facts].filter((one) => one !== '').join('  ');
  return ['passed', text, 'passed'];
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
    ...(causes.length > 1 ? ['the other causes in full'] : []),
  ];
  return more.length === 0 ? [] : [['with --verbose', more.join(', ')]];
}

/** Names the stages that a failure kept from running, and the addresses that were not tried if others were. */
export function notRun(stages: readonly Finding[]): Fact[] {
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
  return [['not run', `${parts.join(', ')}${why}`, 'skipped']];
}

/** Shows the stages in a row each. Addresses that fare alike share one where they are many, or where nothing is wrong with them. */
export function stageRows(stages: readonly Finding[], isWhole: boolean): string[][] {
  const least = ({ status }: Finding) => (status === 'passed' && !isWhole ? 2 : MANY);
  const severalAddresses = new Set(stages.flatMap(({ address }) => address ?? [])).size > 1;
  const lastLogged = stages.findLast(({ logId }) => logId !== undefined);
  return gathered(stages, fate, least).map((group) => {
    const [first, ...others] = group;
    const { status, stage, address } = first;
    const where =
      others.length > 0
        ? `${others.length + 1} addresses`
        : severalAddresses && address !== undefined && address;
    const same = shared(group);
    const facts =
      status === 'passed' && !isWhole
        ? briefSummary(same, first === lastLogged)
        : summary(beside(same));
    return [status, stage, timeOf(group, stages), [where, facts].filter(Boolean).join('  ')];
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
