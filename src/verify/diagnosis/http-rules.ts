import type { Evidence, Finding } from '../verification.js';
import type { Facts, Rule } from './facts.js';
import { probesOf } from './facts.js';
import { onlySome } from './only-some.js';

/** A request, or its answer, that is lost. */
export const lostRequest: Rule = (facts, failures) => {
  const error = failures[0]?.evidence.error ?? '';
  if (losesLarge(facts)) {
    return [{ code: 'path.mtu', weight: 80, evidence: sizesOf(facts) }];
  }
  const answers = otherAnswers(facts, failures);
  if (answers !== undefined) {
    return [{ code: 'service.call-lost', weight: 60, evidence: { error, ...answers } }];
  }
  const partial = onlySome(facts, failures);
  if (partial.length > 0) return partial;
  return [
    { code: 'endpoint.no-target', weight: 60, evidence: { error } },
    { code: 'path.filter', weight: 40, evidence: { error } },
  ];
};

/** Somebody else answers. */
export const stranger: Rule = (facts, failures) => {
  const partial = onlySome(facts, failures);
  if (partial.length > 0) return partial;
  const { httpStatus = '', contentType, body } = failures[0]?.evidence ?? {};
  const evidence = {
    httpStatus,
    ...(contentType !== undefined && { contentType }),
    ...(body !== undefined && { body }),
  };
  return [
    { code: 'endpoint.wrong-service', weight: 60, evidence },
    { code: 'path.inspection', weight: 50, evidence },
  ];
};

/**
 * What the service answered over the very paths on which the failing calls were lost.
 *
 * @returns undefined where one of these paths carried no answer
 */
function otherAnswers(facts: Facts, failures: readonly Finding[]): Evidence | undefined {
  const answers = failures.map(({ address }) =>
    address === undefined ? seenByStage(facts) : seenByProbe(facts, address),
  );
  return answers.includes(undefined) ? undefined : answers[0];
}

/** A call of a later stage goes over the path on which this one saw the service. */
function seenByStage({ findings }: Facts): Evidence | undefined {
  const isSeen = findings.some(
    ({ stage, status }) => stage === 'http' && (status === 'passed' || status === 'warned'),
  );
  const logId = findings.findLast(({ stage, logId: id }) => CALLS.includes(stage) && id)?.logId;
  if (!isSeen) return undefined;
  return { answered: 'the call before', ...(logId !== undefined && { logId }) };
}

const CALLS: readonly string[] = ['http', 'token'];

function seenByProbe(facts: Facts, address: string): Evidence | undefined {
  const small = probesOf(facts, 'no-credential').find(
    ({ ok, changed }) => ok && changed === address,
  );
  if (small === undefined) return undefined;
  const { logId } = small.evidence;
  return {
    answered: `a call without credential at ${address}`,
    ...(logId !== undefined && { logId }),
  };
}

/** A call that worked small and was lost large, twice: consistent with the path MTU, no more. */
function losesLarge(facts: Facts): boolean {
  const tries = probesOf(facts, 'large-request');
  const small = tries.filter(({ changed }) => changed === 'small');
  const large = tries.filter(({ changed }) => changed !== 'small');
  const isLost = large.length > 1 && large.every(({ ok, code }) => !ok && code === 'http.timeout');
  return isLost && small.some(({ ok }) => ok);
}

function sizesOf(facts: Facts) {
  return Object.fromEntries(
    probesOf(facts, 'large-request').map(({ changed, ok, code = '' }) => [
      changed,
      ok ? 'answered' : code,
    ]),
  );
}
