import { ENTERPRISE_ID_START } from '../../service/unspecified.js';
import type { Evidence } from '../model/verification.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  findProbes,
  pick,
  type Rule,
  type Rules,
  serverTimeOutcome,
  weigh,
} from './candidates.js';

/** The key is not known where it was looked for; the region is wrong more often than the key. */
const unknownKey: Rule = (facts, failures) =>
  weigh(refusalEvidence(facts, failures), {
    'token.region': 70,
    'token.key-pair': 60,
    'token.app-id': 50,
  });

/** The JWT is refused without a reason. */
const refusedJwt: Rule = (facts, failures) => {
  if (serverTimeOutcome(facts) === 'accepted') {
    return [{ code: 'host.clock', weight: 95, isShown: true, evidence: clockEvidence(facts) }];
  }
  const weights = { 'token.region': 60, 'token.key-pair': 55, 'token.app-id': 45 };
  return [...wrongAudience(facts, failures), ...weigh(refusalEvidence(facts, failures), weights)];
};

/**
 * Explains a JWT that was out of its time by the server's clock; that alone is not the cause if it
 * is refused in its time too.
 */
const outOfTimeJwt: Rule = (facts, failures) => {
  const again = serverTimeOutcome(facts);
  if (again === 'refused') return refusedInTime(facts, failures);
  const isShown = again === 'accepted';
  return [{ code: 'host.clock', weight: 90, isShown, evidence: clockEvidence(facts) }];
};

/** The path or a parameter does not fit; where the service names another one, it is that. */
const wrongRequest: Rule = (facts, failures) => {
  const { serviceMessage = '' } = failures[0].evidence;
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
  const isOver = Number(issued.validForSeconds ?? 1) <= 0;
  const shown = { ...evidence, ...pick(issued, 'problem') };
  return [
    ...(isOver
      ? [{ code: 'token.expired', weight: 90, isShown: true, evidence: shown } as const]
      : []),
    ...weigh(evidence, { 'token.region': 70 }),
  ];
};

/**
 * Tells whether the service refused the JWT that was in its time; an earlier refusal does not
 * count.
 */
function refusedInTime(facts: Facts, [failure]: Failures): readonly Candidate[] {
  const [again] = findProbes(facts, 'server-time');
  const { logId, ...said } = again?.evidence ?? {};
  const { logId: _, evidence, ...rest } = failure;
  const anew = {
    ...rest,
    evidence: { ...pick(evidence, 'kid'), ...said },
    ...(logId !== undefined && { logId: `${logId}` }),
  };
  return (again?.code === 'token.kid-unknown' ? unknownKey : refusedJwt)(facts, [anew]);
}

/** The service names the audience. One taken from the base URL is refused before anything is sent. */
function wrongAudience(facts: Facts, failures: Failures): Candidate[] {
  const { serviceMessage = '' } = failures[0].evidence;
  if (!/\baud(ience)?\b/i.test(String(serviceMessage))) return [];
  const evidence = { ...refusalEvidence(facts, failures), 'host of the base URL': facts.host };
  return weigh(evidence, { 'token.audience': 90 });
}

function clockEvidence(facts: Facts): Evidence {
  const { skewMs = 0 } = facts.seen;
  const [again] = findProbes(facts, 'server-time');
  if (again === undefined) return { skewMs };
  const { ok, code = 'no answer' } = again;
  return { skewMs, 'signed by the server’s clock': ok ? 'accepted' : code };
}

function refusalEvidence({ link }: Facts, [{ evidence, logId }]: Failures): Evidence {
  return {
    aud: link.apiHost,
    ...pick(evidence, 'kid', 'httpStatus', 'serviceCode', 'serviceMessage'),
    ...(logId !== undefined && { logId }),
  };
}

/** Rules for a JWT or token that the service refuses. */
export const REFUSAL_RULES: Rules = {
  'token.kid-unknown': unknownKey,
  'token.invalid-client': refusedJwt,
  'token.clock-skew': outOfTimeJwt,
  'token.invalid-request': wrongRequest,
  'token.not-found': wrongRequest,
  'api.token-rejected': refusedToken,
};
