import { counted } from '../../lists/counted.js';
import { groupRows } from '../../review/decision/port-rows.js';
import type { Finding } from '../../review/report-schema.js';
import type { Packets, RehearsalFinding, RehearsalReport, TimelineStep } from '../report-schema.js';
import type { Account } from '../timeline/account.js';

/** Decides by the worst finding. */
export function decideOutcome(findings: readonly RehearsalFinding[]): keyof typeof WORDS {
  if (findings.some(({ kind }) => kind === 'failure')) return 'failed';
  return findings.length > 0 ? 'noticed' : 'clean';
}

const WORDS = { failed: 'FAILED', noticed: 'CLIENTS NOTICE', clean: 'CLEAN' } as const;

/** Words of their own for what the outcome does not say. */
const OF_KIND: Readonly<Partial<Record<RehearsalFinding['kind'], string>>> = {
  intent: 'INTENT BROKEN',
  'not-shown': 'NOT SHOWN',
};

/** Splits findings into the one that the first line of a report says, and the others. */
export function splitFindings({ outcome, findings }: RehearsalReport) {
  const rows = foldRows(findings);
  const first = outcome === 'no-verdict' ? undefined : worstOf(rows);
  return { first, others: rows.filter((one) => one !== first) };
}

function worstOf(findings: readonly RehearsalFinding[]): RehearsalFinding | undefined {
  return findings.find(({ kind }) => kind === 'failure') ?? findings[0];
}

/** The worst finding in words. */
export function summarize(findings: readonly RehearsalFinding[], steps: number): string {
  const outcome = decideOutcome(findings);
  const rows = foldRows(findings);
  const worst = worstOf(rows);
  if (worst === undefined) {
    return steps === 0
      ? `${WORDS.clean}: nothing changes`
      : `${WORDS.clean}: ${counted(steps, 'step')}, no link is cut, nothing opens in between, and the rollback works`;
  }
  const more = rows.length > 1 ? ` (and ${rows.length - 1} more)` : '';
  const word = OF_KIND[worst.kind] ?? WORDS[outcome];
  return `${word}: ${worst.text}${more}`;
}

/** Makes the findings of one row one, for people; programs have them all. */
export function foldRows(findings: readonly RehearsalFinding[]): RehearsalFinding[] {
  return groupRows(findings).map(([first]) =>
    first.row === undefined ? first : { ...first, text: first.row },
  );
}

/**
 * Names the row that findings have in common where a review has one for a listener that moves to another port, with
 * the steps during which neither listens.
 *
 * @param reviewed gives the findings of a review of the tree that is deployed
 */
export function withPortRows(
  findings: readonly RehearsalFinding[],
  account: Account,
  reviewed: () => readonly Finding[],
): RehearsalFinding[] {
  const { steps } = account;
  const replaced = steps.filter(
    ({ operation, type }) => operation === 'delete' && type === LISTENER,
  );
  if (replaced.length === 0) return [...findings];
  const rows = groupRows(reviewed()).flatMap((same) => {
    const moved = same.find(({ kind }) => kind === 'disruption');
    const gone = replaced.find(({ resource }) => resource === moved?.resource);
    if (moved?.row === undefined || moved.consequence === undefined || gone === undefined)
      return [];
    const row = moved.row.replace(moved.consequence, failText(gone, same, steps));
    return [{ row, isOf: (one: RehearsalFinding) => isOf(one, gone, same, account) }];
  });
  return findings.map((one) => {
    const row = rows.find(({ isOf }) => isOf(one))?.row;
    return row === undefined ? one : { ...one, row };
  });
}

const LISTENER = 'Volcengine::CLB::Listener';

type Row = readonly [Finding, ...Finding[]];

/** Returns a test of whether a row opens, or closes, packets. */
function hasPackets(row: Row, effect: 'widens' | 'narrows') {
  const own = row.filter(({ identity }) => identity[0] === effect).map(({ what }) => what);
  return ({ what }: Packets[number]) => own.includes(what);
}

function failText(gone: TimelineStep, row: Row, steps: readonly TimelineStep[]): string {
  const isOpened = hasPackets(row, 'widens');
  const made = steps.find(
    ({ number, effects }) =>
      number > gone.number &&
      effects.some(({ kind, packets = [] }) => kind === 'opens' && packets.some(isOpened)),
  );
  return `calls fail ${made ? `between step ${gone.number} and ${made.number}` : `from step ${gone.number} on`}`;
}

/** Tells whether a finding is of the plugin that is called at the listener, or of who got to the old port, which nothing brings back. */
function isOf(
  { kind, stack, what, from, until, packets = [] }: RehearsalFinding,
  gone: TimelineStep,
  row: Row,
  { lanesSeen }: Account,
): boolean {
  if (stack !== gone.stack || until !== undefined) return false;
  if (kind === 'cut' ? from !== gone.number : kind !== 'client-change') return false;
  const isPlugin = lanesSeen.some(
    (lane) => lane.stack === stack && lane.name === what && lane.newPort !== undefined,
  );
  return isPlugin || (packets.length > 0 && packets.every(hasPackets(row, 'narrows')));
}
