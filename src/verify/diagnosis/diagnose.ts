import { type Code, isCode } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
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
  const causes = [...failuresByCode(facts.findings)].flatMap(([code, failures], i) => {
    const candidates = [
      ...(RULES[code]?.(facts, failures) ?? []),
      ...(i === 0
        ? [...byOtherWay(facts), ...byOtherServers(facts), ...notAsSent(facts, failures)]
        : []),
    ].flatMap((candidate) => fitLink(facts, candidate));
    // What is shown comes before what is only possible.
    const rank = ({ weight, isShown }: Candidate) => weight + (isShown ? 100 : 0);
    const ranked = candidates
      .toSorted((a, b) => rank(b) - rank(a))
      .map((candidate) => describeCause(facts, candidate));
    const isListed = candidates.some(({ isShown, code: other }) => isShown || other === code);
    return isListed ? ranked : [...ranked, inItself(facts, code, failures)];
  });
  return causes.filter(({ code }, i) => causes.findIndex((one) => one.code === code) === i);
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
    const caught = { code: 'proxy.catches-host', weight: 98, isShown: true, evidence } as const;
    return [...ofSpeaker(facts), caught];
  }
  if (failedAfterDial(facts))
    return [{ code: 'proxy.needed', weight: 65, isShown: true, evidence }];
  const isPrivate = facts.link.via === 'service-endpoint';
  return [{ code: isPrivate ? 'proxy.leaves-network' : 'proxy.needed', weight: 20, evidence }];
}

/** Answers with which a proxy says itself what it wants first: a login, or fewer calls. */
const CONDITIONS = /^http\.(proxy-login|rate-limited|captive-portal)$/;
const REFUSED_UNTIL = /got: HTTP (407|429|511)\b/;

/** The failure itself, where who refuses has said on which condition it will not. */
function ofSpeaker({ findings }: Facts): Candidate[] {
  const { code = '', evidence = {} } = firstFailure(findings) ?? {};
  const isCondition =
    CONDITIONS.test(code) ||
    (code === 'proxy.refused' && REFUSED_UNTIL.test(String(evidence.error)));
  if (!isCondition || !isCode(code)) return [];
  const seen = pick(evidence, 'httpStatus', 'problem', 'retryAfterSeconds', 'retryAfter', 'error');
  return [{ code, weight: 99, isShown: true, evidence: seen }];
}

function failuresByCode(findings: readonly Finding[]): Map<Code, Failures> {
  const known = findings.filter(({ status, code = '' }) => status === 'failed' && isCode(code));
  return groupBy(known, ({ code }) => code as Code);
}

/** Describes an observation by itself; its code says in general what may lie behind it. */
function inItself({ link }: Facts, code: Code, [{ address, evidence }]: Failures): Cause {
  const all = { ...(address !== undefined && { address }), ...evidence };
  return toCause(link, code, formatEvidence(all));
}

function describeCause({ link }: Facts, { code, isShown = false, evidence }: Candidate): Cause {
  return toCause(link, code, formatEvidence(evidence), isShown ? 'shown' : 'consistent');
}

/** The same without an endpoint; any other cause of an endpoint is none there. */
const WITHOUT_ENDPOINT: Readonly<Partial<Record<Code, Code>>> = {
  'endpoint.no-listener': 'server.no-listener',
  'endpoint.no-target': 'server.no-target',
  'endpoint.wrong-service': 'server.other-service',
};

function fitLink({ link }: Facts, candidate: Candidate): Candidate[] {
  if (hasEndpoint(link) || !candidate.code.startsWith('endpoint.')) return [candidate];
  const code = WITHOUT_ENDPOINT[candidate.code];
  return code === undefined ? [] : [{ ...candidate, code }];
}

function formatEvidence(evidence: Evidence): string {
  return Object.entries(evidence)
    .map(([name, value]) => `${name}=${safeText(String(value))}`)
    .join(', ');
}
