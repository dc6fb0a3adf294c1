import type { Evidence } from '../model/verification.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  findProbes,
  pick,
  type Rule,
  serverTimeOutcome,
  weigh,
} from './facts.js';

/** The key is not known where it was looked for; the region is wrong more often than the key. */
export const unknownKey: Rule = (facts, failures) =>
  weigh(refusalEvidence(facts, failures), {
    'token.region': 70,
    'token.key-pair': 60,
    'token.app-id': 50,
  });

/** The JWT is refused without a reason. */
export const refusedJwt: Rule = (facts, failures) => {
  if (serverTimeOutcome(facts) === 'accepted') {
    return [{ code: 'host.clock', weight: 95, isShown: true, evidence: clockEvidence(facts) }];
  }
  const weights = { 'token.region': 60, 'token.key-pair': 55, 'token.app-id': 45 };
  return [...wrongAudience(facts, failures), ...weigh(refusalEvidence(facts, failures), weights)];
};

/** By the server's clock the JWT was out of its time; it is not for that alone if it is refused in its time too. */
export const outOfTimeJwt: Rule = (facts, failures) => {
  const again = serverTimeOutcome(facts);
  if (again === 'refused') return refusedInTime(facts, failures);
  const isShown = again === 'accepted';
  return [{ code: 'host.clock', weight: 90, isShown, evidence: clockEvidence(facts) }];
};

/** The path or a parameter does not fit. */
export const wrongRequest: Rule = (facts, failures) => {
  const { enterpriseId = '' } = facts.run.options.credentials ?? {};
  const evidence = { ...refusalEvidence(facts, failures), enterpriseId };
  const isOdd = !enterpriseId.startsWith('volcano_');
  const note = isOdd && { note: 'documented IDs begin with volcano_' };
  return weigh({ ...evidence, ...note }, { 'token.enterprise': 70 });
};

/** A token that was just issued and is refused belongs somewhere else. */
export const refusedToken: Rule = (facts, failures) =>
  weigh(refusalEvidence(facts, failures), { 'token.region': 70 });

/** What the service says of the JWT that was in its time counts, not what it said of the one before. */
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

/**
 * The service names the audience, or the API host looks like it was taken from the base URL: the
 * fixed-IP one is a host of its own. On a private link that is refused before anything is sent.
 */
function wrongAudience(facts: Facts, failures: Failures): Candidate[] {
  const { link, host } = facts;
  const isNamed = /\baud(ience)?\b/i.test(String(failures[0].evidence.serviceMessage ?? ''));
  const isBaseHost = link.apiHost.toLowerCase() === host.toLowerCase();
  if (!isNamed && !(link.via === 'fixed-ip' && isBaseHost)) return [];
  const evidence = { ...refusalEvidence(facts, failures), 'host of the base URL': host };
  return weigh(evidence, { 'token.audience': isNamed ? 90 : 75 });
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
