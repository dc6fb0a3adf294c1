import { counted } from '../../lists/counted.js';
import { groupRows } from '../../review/decision/port-rows.js';
import type { RehearsalFinding, RehearsalReport } from '../report-schema.js';

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
