import { type Reason, reasonOf, splitReason } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import { reasonOfCause } from '../../codes/stated.js';
import { hasEndpoint } from '../../link/via.js';
import { groupBy } from '../../lists/group-by.js';
import { firstFailure, toCause } from '../model/findings.js';
import type { Cause, Evidence, Finding, LinkResult, ProbeResult } from '../model/verification.js';
import { runProbes } from '../probes/index.js';
import type { Attempt } from '../transport/context.js';
import { CALL_RULES } from './call-rules.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  failedAfterDial,
  findProbes,
  pick,
  type Rules,
  shownCause,
} from './candidates.js';
import { CERTIFICATE_RULES } from './certificate-rules.js';
import { CONNECTION_RULES } from './connection-rules.js';
import { HANDSHAKE_RULES } from './handshake-rules.js';
import { byOtherServers, NAME_RULES } from './name-rules.js';
import { notAsSent, REFUSAL_RULES } from './refusal-rules.js';
import { ruledOut } from './ruled-out.js';

const RULES: Rules = {
  ...NAME_RULES,
  ...CONNECTION_RULES,
  ...HANDSHAKE_RULES,
  ...CERTIFICATE_RULES,
  ...CALL_RULES,
  ...REFUSAL_RULES,
};

export type Diagnosis = Pick<LinkResult, 'causes' | 'ruledOut'> & {
  readonly probes: readonly ProbeResult[];
};

/** Looks into a link that failed: runs the probes, then ranks the causes. */
export async function diagnoseLink(attempt: Attempt): Promise<Diagnosis> {
  const probes = await runProbes(attempt);
  const facts = { ...attempt, probes };
  const causes = rankCauses(facts);
  return { causes, ruledOut: ruledOut(facts, causes), probes };
}

/** The likeliest cause of the earliest failure first. */
function rankCauses(facts: Facts): Cause[] {
  const causes = [...failuresByReason(facts.findings)].flatMap(([reason, failures], i) => {
    const { code } = splitReason(reason);
    const candidates = [
      ...(RULES[reason]?.(facts, failures) ?? []),
      ...(i === 0
        ? [...byOtherWay(facts), ...byOtherServers(facts), ...notAsSent(facts, failures)]
        : []),
    ].filter((candidate) => fitsLink(facts, candidate));
    // What is shown comes before what is only possible.
    const rank = ({ weight, isShown }: Candidate) => weight + (isShown ? 100 : 0);
    const ranked = candidates
      .toSorted((a, b) => rank(b) - rank(a))
      .map((candidate) => describeCause(facts, candidate));
    const isListed = candidates.some((one) => one.isShown || splitReason(one.code).code === code);
    return isListed ? ranked : [...ranked, inItself(facts, reason, failures)];
  });
  const reasons = causes.map(reasonOfCause);
  return causes.filter((_, i) => reasons.indexOf(reasons[i]) === i);
}

/** Finds a cause by the other path, direct or through a proxy, beside a failure on the first. */
function byOtherWay(facts: Facts): Candidate[] {
  const [other] = findProbes(facts, 'proxy');
  if (other === undefined || !other.ok) return [];
  const usesProxy = facts.proxy !== undefined;
  const evidence = {
    [usesProxy ? 'directly' : `through ${other.changed}`]: 'the service answers',
    ...other.evidence,
    ...(usesProxy && pick(firstFailure(facts.findings)?.evidence ?? {}, 'error')),
  };
  if (usesProxy) {
    const caught = shownCause('proxy.bypass', 98, evidence);
    return [...ofSpeaker(facts), caught];
  }
  if (failedAfterDial(facts)) return [shownCause('proxy.needed', 65, evidence)];
  const isPrivate = facts.link.via === 'service-endpoint';
  return [{ code: isPrivate ? 'proxy.bypass: indirect' : 'proxy.needed', weight: 20, evidence }];
}

/** Answers with which a proxy says itself what it wants first: a login, or fewer calls. */
const CONDITIONS = /^http\.(rate-limited|unexpected-answer: HTTP (407|511))$/;
const REFUSED_UNTIL = /got: HTTP (407|429|511)\b/;

/** The failure itself, where who refuses has said on which condition it will not. */
function ofSpeaker({ findings }: Facts): Candidate[] {
  const { evidence = {}, ...failure } = firstFailure(findings) ?? {};
  const code = reasonOf({ ...failure, evidence });
  if (code === undefined) return [];
  const isCondition =
    CONDITIONS.test(code) ||
    (code.startsWith('proxy.refused') && REFUSED_UNTIL.test(String(evidence.error)));
  if (!isCondition) return [];
  const seen = pick(evidence, 'httpStatus', 'problem', 'retryAfterSeconds', 'retryAfter', 'error');
  return [shownCause(code, 99, seen)];
}

function failuresByReason(findings: readonly Finding[]): Map<Reason, Failures> {
  const failed = findings.filter(({ status }) => status === 'failed');
  return groupBy(failed, (finding) => reasonOf(finding) ?? 'internal.bug');
}

/** Describes an observation by itself; its code says in general what may lie behind it. */
function inItself({ link }: Facts, reason: Reason, [{ address, evidence }]: Failures): Cause {
  const { seen: _, ...others } = evidence;
  const all = { ...(address !== undefined && { address }), ...others };
  return toCause(link, reason, formatEvidence(all));
}

function describeCause({ link }: Facts, { code, isShown = false, evidence }: Candidate): Cause {
  return toCause(link, code, formatEvidence(evidence), isShown ? 'shown' : 'consistent');
}

/** Causes that only an endpoint can have; those of servers and paths have words for either kind of link. */
const OF_ENDPOINT = /^endpoint\.|: (endpoint replaced|earlier endpoint)$/;

function fitsLink({ link, findings, proxy }: Facts, { code }: Candidate): boolean {
  // What nobody asked DNS for, no record can have wrong.
  const isGiven = findings.some(({ stage, status }) => stage === 'dns' && status === 'skipped');
  if (isGiven && proxy === undefined && code.startsWith('dns.')) return false;
  return hasEndpoint(link) || !OF_ENDPOINT.test(code);
}

function formatEvidence(evidence: Evidence): string {
  return Object.entries(evidence)
    .map(([name, value]) => `${name}=${safeText(String(value))}`)
    .join(', ');
}
