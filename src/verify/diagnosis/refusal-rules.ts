import { isIP } from 'node:net';
import { type Reason, reasonOf } from '../../codes/codes.js';
import { ENTERPRISE_ID_START } from '../../service/unspecified.js';
import { SKEW_WARNING_MS } from '../model/clock-skew.js';
import { type RefusalReason, refusalReason } from '../model/refusal-words.js';
import type { Evidence } from '../model/verification.js';
import { isFromCache } from '../transport/sender.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  findProbes,
  pick,
  type Rule,
  type Rules,
  serverTimeOutcome,
  shownCause,
  weigh,
} from './candidates.js';

const OUT_OF_TIME = 'host.clock: JWT out of time';

/** The causes that a refusal without any words is consistent with. */
const UNEXPLAINED = { 'token.key-pair': 55, 'token.key-pair: another app': 45 } as const;

/** The causes that the words of a refusal speak for. */
const BY_REASON: Readonly<Record<RefusalReason, Readonly<Partial<Record<Reason, number>>>>> = {
  region: { 'token.region': 90 },
  key: { 'token.key-pair': 80 },
  audience: { 'token.region: audience': 90 },
  application: { 'token.key-pair: another app': 80 },
  time: { 'host.clock': 90 },
  replay: { 'path.gateway': 80 },
  header: { 'path.gateway': 80 },
  signature: { 'token.key-pair': 85 },
};

/** Explains a JWT that is refused: by one that was signed again, then by what the service says. */
const refusedJwt: Rule = (facts, failures) => {
  const taken = bySigningAgain(facts, failures);
  if (taken.length > 0) return taken;
  const again = serverTimeOutcome(facts);
  // An earlier refusal may be about the time alone.
  const refusal = again === 'refused' ? refusedInTime(facts, failures) : failures;
  const [first] = refusal;
  const reason = refusalReason(first.evidence.serviceMessage);
  const evidence = refusalEvidence(facts, refusal);
  if (reason === 'time' || (reasonOf(first) === OUT_OF_TIME && again !== 'refused')) {
    const seen = { ...clockEvidence(facts), ...pick(evidence, 'serviceMessage') };
    return [{ code: 'host.clock', weight: 90, evidence: seen }];
  }
  const isOpen = reason === undefined && again !== 'refused';
  return [
    ...weigh(evidence, { ...UNEXPLAINED, ...(reason && BY_REASON[reason]) }),
    ...(reason === 'region' ? [] : bySecondHost(facts, evidence)),
    ...(isOpen ? weigh(clockEvidence(facts), { 'host.clock': 35 }) : []),
  ];
};

/** A code that is not known, or an answer in another format: what it says of the JWT counts. */
const unknownRefusal: Rule = (facts, failures) => {
  const reason = refusalReason(failures[0].evidence.serviceMessage);
  return reason === undefined ? bySigningAgain(facts, failures) : refusedJwt(facts, failures);
};

/** Finds the clock where a JWT by the server's is taken; clocks that are close may show a passing fault. */
export function bySigningAgain(facts: Facts, [failure]: Failures): Candidate[] {
  if (serverTimeOutcome(facts) !== 'accepted') return [];
  const isFar = Math.abs(facts.seen.skewMs ?? 0) > SKEW_WARNING_MS;
  const isShown = isFar || reasonOf(failure) === OUT_OF_TIME;
  return [{ code: 'host.clock', weight: 95, isShown, evidence: clockEvidence(facts) }];
}

/** The API host and the host that is called over the internet belong to different domains. */
function bySecondHost({ link: { via, apiHost }, host }: Facts, evidence: Evidence): Candidate[] {
  const [own, called] = [apiHost, host].map(
    (name) => /[^.]+\.[^.]+$/.exec(name.toLowerCase())?.[0],
  );
  if (via === 'service-endpoint' || isIP(host) !== 0 || own === called) return [];
  return weigh(evidence, { 'token.region': 50 });
}

/** The path or a parameter does not fit; where the service names another one, it is that. */
const wrongRequest: Rule = (facts, failures) => {
  const { serviceMessage = '' } = failures[0].evidence;
  // It is the same in every call: where it is missing, the body did not arrive.
  if (/grant[_ ]?type/i.test(String(serviceMessage))) {
    return weigh(refusalEvidence(facts, failures), { 'path.gateway': 70 });
  }
  if (/^invalid request: (?!.*enterprise)\S/i.test(String(serviceMessage))) return [];
  const { enterpriseId = '' } = facts.run.options.credentials ?? {};
  const evidence = { ...refusalEvidence(facts, failures), enterpriseId };
  const isOdd = !enterpriseId.startsWith(ENTERPRISE_ID_START);
  const note = isOdd && {
    note: `IDs on the service’s public pages begin with ${ENTERPRISE_ID_START}`,
  };
  return weigh({ ...evidence, ...note }, { 'token.enterprise': 70 });
};

/** A token that was just issued and is refused belongs somewhere else, or was over from the start. */
const refusedToken: Rule = (facts, failures) => {
  const evidence = refusalEvidence(facts, failures);
  const issued = facts.findings.find(({ stage }) => stage === 'token')?.evidence ?? {};
  const isOfRegion = refusalReason(evidence.serviceMessage) === 'region';
  const elsewhere = weigh(evidence, { 'token.region': isOfRegion ? 70 : 45 });
  if (Number(issued.validForSeconds ?? 1) > 0) return elsewhere;
  const shown = { ...evidence, ...pick(issued, 'problem') };
  const expired = shownCause('api.token-rejected: expired when issued', 90, shown);
  return [expired, ...elsewhere];
};

/** Describes the refusal of the JWT that was in its time, in place of an earlier one. */
function refusedInTime(facts: Facts, [{ logId: _, evidence, ...rest }]: Failures): Failures {
  const [again] = findProbes(facts, 'server-time');
  const { logId, ...said } = again?.evidence ?? {};
  const anew = { ...pick(evidence, 'kid'), ...said };
  return [{ ...rest, evidence: anew, ...(logId !== undefined && { logId: `${logId}` }) }];
}

/** Finds that a front may have answered in the service's place, or passed on another call than it got. */
export function notAsSent(facts: Facts, [failure]: Failures): readonly Candidate[] {
  const seen = pick(failure.evidence, 'age', 'xCache');
  if (isFromCache(failure)) return [shownCause('path.gateway', 92, seen)];
  const [probe] = findProbes(facts, 'no-authorization');
  if (probe?.evidence.isSame !== true) return [];
  return weigh({ [probe.changed]: 'the same answer' }, { 'path.gateway': 50 });
}

function clockEvidence(facts: Facts): Evidence {
  const { skewMs = 0 } = facts.seen;
  const [again] = findProbes(facts, 'server-time');
  if (again === undefined) return { skewMs };
  const outcome = again.ok ? 'accepted' : (reasonOf(again) ?? 'no answer');
  return { skewMs, 'signed by the server’s clock': outcome };
}

function refusalEvidence({ link, host }: Facts, [{ evidence, logId }]: Failures): Evidence {
  return {
    aud: link.apiHost,
    'host of the base URL': host,
    ...pick(evidence, 'kid', 'httpStatus', 'serviceCode', 'serviceMessage'),
    ...(logId !== undefined && { logId }),
  };
}

/** Rules for a JWT or token that the service refuses. */
export const REFUSAL_RULES: Rules = {
  'token.invalid-client': refusedJwt,
  'token.invalid-client: unknown key ID': refusedJwt,
  [OUT_OF_TIME]: refusedJwt,
  'api.unknown-error: token call': unknownRefusal,
  'api.invalid-request: token call': wrongRequest,
  'api.not-found: token call': wrongRequest,
  'api.token-rejected': refusedToken,
};
