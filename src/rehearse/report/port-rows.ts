import { groupRows } from '../../review/decision/port-rows.js';
import type { Finding } from '../../review/report-schema.js';
import type { Packets, RehearsalFinding, TimelineStep } from '../report-schema.js';
import type { Account } from '../timeline/account.js';

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
