import { type Code, isCode } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import type { Link } from '../../link/link.js';
import { toCause } from '../model/findings.js';
import type { Cause, Evidence, Finding, LinkResult, ProbeResult } from '../model/verification.js';
import { runProbes } from '../probes/index.js';
import { type Attempt, linkContext, type RunContext } from '../transport/context.js';
import { ownAddress, publicAddress, unexpectedAddress, unlistedAddress } from './address-rules.js';
import { byOtherServers, nameNotFound, serverFails } from './dns-rules.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  failedAfterDial,
  findProbes,
  type Rule,
} from './facts.js';
import { gateway, lostRequest, stranger } from './http-rules.js';
import { ruledOut } from './ruled-out.js';
import { partialFailure } from './shared-candidates.js';
import { noRoute, packetsLost, refused } from './tcp-rules.js';
import {
  brokenHandshake,
  clientCertificate,
  notTls,
  outOfTime,
  untrusted,
  wrongName,
} from './tls-rules.js';
import { outOfTimeJwt, refusedJwt, refusedToken, unknownKey, wrongRequest } from './token-rules.js';

/** By the code that a link failed with; a code without a rule speaks for itself. */
const RULES: Partial<Record<Code, Rule>> = {
  'dns.not-found': nameNotFound,
  'dns.timeout': serverFails,
  'dns.server-failed': serverFails,
  'address.public': publicAddress,
  'address.unexpected': unexpectedAddress,
  'address.not-listed': unlistedAddress,
  'address.this-machine': ownAddress,
  'tcp.timeout': packetsLost,
  'tcp.refused': refused,
  'tcp.unreachable': noRoute,
  'tls.name-mismatch': wrongName,
  'tls.untrusted': untrusted,
  'tls.bad-certificate': partialFailure,
  'tls.expired': outOfTime,
  'tls.not-yet-valid': outOfTime,
  'tls.reset': brokenHandshake,
  'tls.timeout': brokenHandshake,
  'tls.alert': brokenHandshake,
  'tls.failed': brokenHandshake,
  'tls.not-tls': notTls,
  'tls.client-certificate': clientCertificate,
  'http.timeout': lostRequest,
  'http.reset': lostRequest,
  'http.not-the-service': stranger,
  'http.redirect': partialFailure,
  'http.server-error': partialFailure,
  'http.rate-limited': partialFailure,
  'api.timeout': lostRequest,
  'api.reset': lostRequest,
  'chat.call-lost': lostRequest,
  'token.not-the-service': gateway,
  'api.not-the-service': gateway,
  'chat.not-the-service': gateway,
  'token.kid-unknown': unknownKey,
  'token.invalid-client': refusedJwt,
  'token.clock-skew': outOfTimeJwt,
  'token.invalid-request': wrongRequest,
  'token.not-found': wrongRequest,
  'token.unsupported-grant-type': wrongRequest,
  'api.token-rejected': refusedToken,
};

export type Diagnosis = Pick<LinkResult, 'causes' | 'ruledOut'> & {
  readonly probes: readonly ProbeResult[];
};

/** Looks into a link that failed: runs the probes, then ranks the causes. */
export async function diagnoseLink(
  run: RunContext,
  link: Link,
  attempt: Attempt,
): Promise<Diagnosis> {
  const { findings, seen } = attempt;
  const probes = await runProbes(run, link, attempt);
  const context = linkContext(run, link, new AbortController().signal, 0);
  const facts = { ...context, seen, findings, probes };
  const causes = rankCauses(facts);
  return { causes, ruledOut: ruledOut(facts, causes), probes };
}

/** The likeliest cause of the earliest failure first. */
function rankCauses(facts: Facts): Cause[] {
  const causes = [...failuresByCode(facts.findings)].flatMap(([code, failures], i) => {
    const candidates = [
      ...(RULES[code]?.(facts, failures) ?? []),
      ...(i === 0 ? [...byOtherWay(facts), ...byOtherServers(facts)] : []),
    ];
    const ranked = candidates
      .toSorted((a, b) => rankCandidate(b) - rankCandidate(a))
      .map(describeCause);
    const isListed = candidates.some(({ isShown, code: other }) => isShown || other === code);
    return isListed ? ranked : [inItself(code, failures), ...ranked];
  });
  return causes.filter(({ code }, i) => causes.findIndex((one) => one.code === code) === i);
}

/** What the other path, direct or through a proxy, shows of a failure on the first. */
function byOtherWay(facts: Facts): Candidate[] {
  const [other] = findProbes(facts, 'proxy');
  if (other === undefined || !other.ok) return [];
  const usesProxy = facts.proxy !== undefined;
  const evidence = {
    [usesProxy ? 'directly' : `through ${other.changed}`]: 'the service answers',
    ...other.evidence,
  };
  if (usesProxy) return [{ code: 'proxy.catches-host', weight: 99, isShown: true, evidence }];
  if (failedAfterDial(facts))
    return [{ code: 'proxy.needed', weight: 65, isShown: true, evidence }];
  const isPrivate = facts.link.via === 'private-network';
  return [{ code: isPrivate ? 'proxy.leaves-network' : 'proxy.needed', weight: 20, evidence }];
}

function failuresByCode(findings: readonly Finding[]): Map<Code, Failures> {
  const failures = new Map<Code, Failures>();
  for (const finding of findings) {
    const { status, code = '' } = finding;
    if (status !== 'failed' || !isCode(code)) continue;
    const known = failures.get(code);
    failures.set(code, known === undefined ? [finding] : [...known, finding]);
  }
  return failures;
}

/** What is shown comes before what is only possible. */
function rankCandidate({ weight, isShown }: Candidate): number {
  return weight + (isShown ? 100 : 0);
}

/** What was observed; its code says in general what may lie behind it. */
function inItself(code: Code, [{ address, evidence }]: Failures): Cause {
  return toCause(code, formatEvidence({ ...(address !== undefined && { address }), ...evidence }));
}

function describeCause({ code, isShown = false, evidence }: Candidate): Cause {
  return toCause(code, formatEvidence(evidence), isShown ? 'shown' : 'consistent');
}

function formatEvidence(evidence: Evidence): string {
  return Object.entries(evidence)
    .map(([name, value]) => `${name}=${safeText(String(value))}`)
    .join(', ');
}
