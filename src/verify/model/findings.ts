import { factsOf, type Reason, reasonOf, splitReason } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeError } from '../../codes/redact.js';
import { withReason, withSeen } from '../../codes/stated.js';
import { present } from '../../files/json.js';
import type { Link } from '../../link/link.js';
import { hasEndpoint } from '../../link/via.js';
import { groupBy } from '../../lists/group-by.js';
import { ServiceError } from '../../service/api-response.js';
import type { Cause, Evidence, Finding, StageName } from './verification.js';

export interface FindingFacts {
  /** Milliseconds since the pass through the stages began. @default when the stage began */
  readonly startMs?: number | undefined;
  /** Milliseconds; rounded in the finding. */
  readonly elapsedMs?: number | undefined;
  readonly address?: string | undefined;
  readonly evidence?: LooseEvidence | undefined;
  readonly logId?: string | undefined;
}

/** Evidence as collected; what is undefined is left out. */
export type LooseEvidence = Readonly<Record<string, Evidence[string] | undefined>>;

export function passed(stage: StageName, facts: FindingFacts = {}): Finding {
  return finding(stage, 'passed', facts);
}

export function warned(stage: StageName, reason: Reason, facts: FindingFacts = {}): Finding {
  return withReason(finding(stage, 'warned', facts), reason);
}

export function failed(stage: StageName, reason: Reason, facts: FindingFacts = {}): Finding {
  return withReason(finding(stage, 'failed', facts), reason);
}

/** @param reason why nothing was seen: there is nothing that began */
export function skipped(stage: StageName, reason: string, facts: FindingFacts = {}): Finding {
  const evidence = { reason, ...facts.evidence };
  return finding(stage, 'skipped', { ...facts, startMs: undefined, evidence });
}

/** The number of addresses that fare alike from which on a report shows them as one. */
export const MANY = 4;

const BLOCKED_BY = 'blocked by ';

/** A stage that is skipped because another one has failed, at this address or for the whole link. */
export function blocked(stage: StageName, by: string, facts: FindingFacts = {}): Finding {
  return skipped(stage, `${BLOCKED_BY}${by}`, facts);
}

export function isBlocked({ status, evidence }: Finding): boolean {
  return status === 'skipped' && String(evidence.reason).startsWith(BLOCKED_BY);
}

/** Tells whether it was seen to work. */
export function isGood({ status }: Pick<Finding, 'status'>): boolean {
  return status === 'passed' || status === 'warned';
}

export function firstFailure(findings: readonly Finding[]): Finding | undefined {
  return findings.find(({ status }) => status === 'failed');
}

/** `a ×2, b ×1` */
export function countEach(texts: readonly string[]): string {
  return [...groupBy(texts, String)].map(([text, all]) => `${text} ×${all.length}`).join(', ');
}

const ANSWER = [
  ...(['httpStatus', 'serviceCode', 'serviceMessage', 'retryAfterSeconds'] as const),
  ...(['retryAfter', 'location', 'problem', 'holds'] as const),
];

/**
 * A finding from an error that carries a code; an error without one is a bug.
 *
 * @param inTerms what the reason means in this stage
 */
export function failedBy(
  stage: StageName,
  error: unknown,
  facts: FindingFacts = {},
  inTerms: (reason: Reason) => Reason = (reason) => reason,
): Finding {
  if (error instanceof ServiceError) {
    const answer = Object.fromEntries(ANSWER.map((name) => [name, error[name]]));
    const seen = { evidence: { ...facts.evidence, ...answer }, logId: error.logId ?? facts.logId };
    return failed(stage, inTerms(error.reason), { ...facts, ...seen });
  }
  const reason = error instanceof ConnectivityError ? inTerms(error.reason) : 'internal.bug';
  const message = error instanceof Error ? error.message : String(error);
  const evidence = { ...facts.evidence, error: safeError(message) };
  return failed(stage, reason, { ...facts, evidence });
}

function finding(
  stage: StageName,
  status: Finding['status'],
  { startMs, elapsedMs = 0, address, evidence = {}, logId }: FindingFacts,
): Finding {
  return {
    stage,
    status,
    elapsedMs: roundMs(elapsedMs),
    evidence: knownEvidence(evidence),
    ...present({ startMs: startMs === undefined ? undefined : roundMs(startMs), address, logId }),
  };
}

/** Rounds to a tenth of a millisecond, as reports show it. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10;
}

export function knownEvidence(evidence: LooseEvidence): Evidence {
  return present(evidence) as Evidence;
}

/** Words a finding for its kind of link: not every link has an endpoint. */
export function inTermsOf(link: Pick<Link, 'via'>, finding: Finding): Finding {
  const reason = reasonOf(finding);
  if (hasEndpoint(link) || reason === undefined) return finding;
  const { cause, remedy } = factsOf(reason, { hasEndpoint: false });
  return { ...finding, cause, remedy };
}

/** @param certainty absent where nothing but the finding itself is known */
export function toCause(
  link: Pick<Link, 'via'>,
  reason: Reason,
  evidence: string,
  certainty?: Cause['certainty'],
): Cause {
  const { code } = splitReason(reason);
  const { cause, remedy, inspect } = factsOf(reason, { hasEndpoint: hasEndpoint(link) });
  const text = certainty === 'consistent' ? `Consistent with: ${cause}` : cause;
  const seen = withSeen(reason, evidence);
  return { code, text, evidence: seen, ...present({ certainty }), remedy, ...present({ inspect }) };
}
