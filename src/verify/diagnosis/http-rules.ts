import type { Facts, Rule } from './facts.js';
import { probesOf } from './facts.js';

/** A request, or its answer, that is lost. */
export const lostRequest: Rule = (facts, failures) => {
  const evidence = { error: failures[0]?.evidence.error ?? '' };
  if (losesLarge(facts)) {
    return [{ code: 'path.mtu', weight: 80, evidence: sizesOf(facts) }];
  }
  if (failures[0]?.stage !== 'http' || probesOf(facts, 'no-credential').some(({ ok }) => ok))
    return [];
  return [
    { code: 'endpoint.no-target', weight: 60, evidence },
    { code: 'path.filter', weight: 40, evidence },
  ];
};

/** Somebody else answers. */
export const stranger: Rule = (_, failures) => {
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
