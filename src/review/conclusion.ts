import { DECISIONS, FINDING_KINDS, type Finding, worstOf } from './decision.js';
import type { ReviewReport } from './report-schema.js';
import type { ReviewedRule } from './reviewed-rule.js';
import { summarize } from './summary.js';

/**
 * The findings in the order in which they are read, with the decision that they come to.
 *
 * @param baseRules of the tree before: a reason that one of them gives already is not new
 */
export function conclude(
  findings: readonly Finding[],
  baseRules: readonly Pick<ReviewedRule, 'reason'>[],
): Pick<ReviewReport, 'decision' | 'summary' | 'findings'> {
  const known = new Set(baseRules.map(({ reason }) => reason));
  const sorted = [...findings].sort(worseFirst).map((finding) => markOldReason(finding, known));
  const decision = worstOf(sorted.map((finding) => finding.decision));
  return { decision, summary: summarize(sorted), findings: sorted };
}

/** Worse first; of one kind, more addresses first. */
function worseFirst(a: Finding, b: Finding): number {
  return (
    DECISIONS.indexOf(a.decision) - DECISIONS.indexOf(b.decision) ||
    FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind) ||
    Number(BigInt(b.addresses ?? 0) - BigInt(a.addresses ?? 0))
  );
}

/** Several rules can state one row: their reasons are joined by semicolons. */
function markOldReason(finding: Finding, known: ReadonlySet<string>): Finding {
  const { kind, decision, reason = '' } = finding;
  const opens = kind === 'access' && (decision === 'needs-approval' || decision === 'forbidden');
  const isOld = known.has(reason) || reason.split('; ').every((one) => known.has(one));
  return opens && reason !== '' && isOld ? { ...finding, isReasonOld: true } : finding;
}
