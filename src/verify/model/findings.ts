import { type Code, factsOf, isCode } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeError } from '../../codes/redact.js';
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

export function warned(stage: StageName, code: Code, facts: FindingFacts = {}): Finding {
  return { ...finding(stage, 'warned', facts), ...meaning(code) };
}

export function failed(stage: StageName, code: Code, facts: FindingFacts = {}): Finding {
  return { ...finding(stage, 'failed', facts), ...meaning(code) };
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

/** A code of a later program counts as a bug of this one. */
export function failedCodes(findings: readonly Pick<Finding, 'status' | 'code'>[]): Code[] {
  return findings
    .filter(({ status }) => status === 'failed')
    .map(({ code = '' }) => (isCode(code) ? code : 'internal.bug'));
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
 * @param inTerms what the code means in this stage
 */
export function failedBy(
  stage: StageName,
  error: unknown,
  facts: FindingFacts = {},
  inTerms: (code: Code) => Code = (code) => code,
): Finding {
  if (error instanceof ServiceError) {
    const answer = Object.fromEntries(ANSWER.map((name) => [name, error[name]]));
    const seen = { evidence: { ...facts.evidence, ...answer }, logId: error.logId ?? facts.logId };
    return failed(stage, inTerms(error.code), { ...facts, ...seen });
  }
  const code = error instanceof ConnectivityError ? inTerms(error.code) : 'internal.bug';
  const message = error instanceof Error ? error.message : String(error);
  const evidence = { ...facts.evidence, error: safeError(message) };
  return failed(stage, code, { ...facts, evidence });
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

export function meaning(code: Code): Pick<Finding, 'code' | 'cause' | 'remedy'> {
  const { cause, remedy } = factsOf(code);
  return { code, cause, remedy };
}

/** Words a finding for its kind of link: not every link has an endpoint. */
export function inTermsOf(link: Pick<Link, 'via'>, finding: Finding): Finding {
  const { code = '' } = finding;
  if (hasEndpoint(link) || !isCode(code)) return finding;
  const { cause, remedy } = factsOf(code, { hasEndpoint: false });
  return { ...finding, cause, remedy };
}

/** @param certainty absent where nothing but the finding itself is known */
export function toCause(
  link: Pick<Link, 'via'>,
  code: Code,
  evidence: string,
  certainty?: Cause['certainty'],
): Cause {
  const { cause, remedy, inspect } = factsOf(code, { hasEndpoint: hasEndpoint(link) });
  const text = certainty === 'consistent' ? `Consistent with: ${cause}` : cause;
  return { code, text, evidence, ...present({ certainty }), remedy, ...present({ inspect }) };
}
