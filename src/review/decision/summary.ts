import { factsOf, isCode } from '../../codes/codes.js';
import { counted } from '../../lists/counted.js';
import type { PacketRule } from '../../reach/packet-rule.js';
import { isOfList, join } from '../packet-changes.js';
import {
  DECISIONS,
  type Decision,
  FINDING_KINDS,
  type Finding,
  type ReviewReport,
  worstDecision,
} from '../report-schema.js';
import { nameResource } from '../types/index.js';
import { foldRows } from './port-rows.js';

const HEADLINES: Readonly<Record<Decision, string>> = {
  forbidden: 'FORBIDDEN',
  'needs-approval': 'NEEDS APPROVAL',
  narrower: 'NARROWER',
  'no-change': 'NO CHANGE',
};

/**
 * The decision and why, in words, for the first line of a report.
 *
 * @param findings the worst first
 */
function summarize(decision: Decision, findings: readonly Finding[]): string {
  const count = (of: Decision) => findings.filter((finding) => finding.decision === of).length;
  const [worst] = findings;
  const forInformation = count('no-change');
  if (worst === undefined || decision === 'no-change') {
    const more = forInformation === 0 ? '' : ` (${forInformation} for information)`;
    return `${HEADLINES['no-change']}: access is the same as before${more}`;
  }
  const others = count(decision) - 1;
  const more = [
    ...(others > 0 ? [`and ${others} more`] : []),
    ...(decision === 'forbidden' && count('needs-approval') > 0
      ? [`${count('needs-approval')} need approval`]
      : []),
  ].join('; ');
  return `${HEADLINES[decision]}: ${describeFinding(worst)}${more === '' ? '' : ` (${more})`}`;
}

/** A finding as a clause. */
export function describeFinding(finding: Finding): string {
  const { kind, decision, who, what, resource, consequence, code = '', row } = finding;
  if (row === what) return row;
  if (decision === 'forbidden' && isCode(code)) {
    return join(': ', factsOf(code).title, who, what);
  }
  switch (kind) {
    case 'access':
      if (isOfList(finding)) {
        return `${who} is ${decision === 'narrower' ? 'no longer' : 'now'} named by ${what}`;
      }
      return isOneDoor(finding)
        ? `${nameResource(resource)} ${decision === 'narrower' ? 'no longer accepts' : 'now accepts'} ${who}: ${what}; on the whole way nothing changes`
        : `${who} ${ACCESS[decision]} ${what} through ${nameResource(resource)}`;
    case 'drift':
      return join(', through ', what, resource);
    case 'unread': {
      const where = `${nameResource(resource)} has changed in a way that the review cannot read`;
      return join(': ', what === '' ? where : `${where} (${what})`, consequence);
    }
    case 'disagreement':
      return join(': ', 'access.json and Terraform differ', describeChange(finding));
    default:
      return describeChange(finding);
  }
}

/** Tells whether packets fare before a change as after it, for another door of the way decides. */
export function isOneDoor({ passes }: Finding): boolean {
  if (passes === undefined || passes.isOfSome) return false;
  return passes.before === passes.after && passes.before !== 'undecided';
}

const ACCESS: Readonly<Record<Decision, string>> = {
  forbidden: 'can now reach',
  'needs-approval': 'can now reach',
  narrower: 'can no longer reach',
  'no-change': 'can reach',
};

/** The consequence, where there is one, and in brackets what it follows from. */
function describeChange({ who, what, resource, before, after, consequence }: Finding): string {
  const subject = join(' of ', what, nameResource(resource));
  const detail = join(': ', who, subject, beforeAndAfter({ before, after }));
  return consequence === undefined ? detail : `${consequence} (${detail})`;
}

/** Everything that a row says, a line each. */
export function explainFinding(finding: Finding): string {
  const { stack, resource, packet, addresses, reason, isReasonOld, exception, planned } = finding;
  return join(
    '\n',
    describeFinding(finding),
    `through ${resource} in ${stack}`,
    beforeAndAfter(finding),
    packet,
    addresses && counted(addresses, 'address', 'addresses'),
    exception && `exception: ${exception}`,
    reason && `reason${isReasonOld ? ' (same as existing rules)' : ''}: ${reason}`,
    planned && describeActions(planned),
  );
}

/** `plan: 1 to change`, in the words of Terraform. */
export function describeActions(planned: NonNullable<Finding['planned']>): string {
  const { import: imported, add, change, replace, destroy } = planned;
  const named = { import: imported, add, change, replace, destroy };
  const counts = Object.entries(named).filter(([, count]) => count > 0);
  const words = counts.map(([action, count]) => `${count} to ${action}`).join(', ');
  return `plan: ${words || 'no changes'}`;
}

/** `tcp 443 → tcp 443–444`; what is not given is left out. */
export function beforeAndAfter({ before, after }: Pick<Finding, 'before' | 'after'>): string {
  return join(' → ', before, after);
}

/**
 * The findings in the order in which they are read, with the decision that they come to.
 *
 * @param baseRules of the tree before: a reason that one of them gives already is not new
 */
export function conclude(
  findings: readonly Finding[],
  baseRules: readonly Pick<PacketRule, 'reason'>[],
): Pick<ReviewReport, 'decision' | 'summary' | 'findings'> {
  const known = new Set(baseRules.map(({ reason }) => reason));
  const sorted = [...findings].sort(worseFirst).map((finding) => markOldReason(finding, known));
  const decision = worstDecision(sorted.map((finding) => finding.decision));
  return { decision, summary: summarize(decision, foldRows(sorted)), findings: sorted };
}

/** Tells a renamed stack, which explains other rows: a reader needs it first. */
const isRename = ({ identity }: Finding) => identity?.[0] === 'renamed';

/** A port that moves is open before and after. */
const wasClosed = ({ before }: Finding) => /^closed\b/.test(before);

/** Worse first; then a renamed stack, which explains the rest; of one kind what was closed, then more addresses. */
function worseFirst(a: Finding, b: Finding): number {
  return (
    DECISIONS.indexOf(a.decision) - DECISIONS.indexOf(b.decision) ||
    Number(isRename(b)) - Number(isRename(a)) ||
    FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind) ||
    Number(wasClosed(b)) - Number(wasClosed(a)) ||
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
