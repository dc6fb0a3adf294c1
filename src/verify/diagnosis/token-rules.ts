import type { Evidence, Finding } from '../verification.js';
import type { Facts, Rule } from './facts.js';
import { probesOf } from './facts.js';

/** The key is not known where it was looked for; the region is wrong more often than the key. */
export const unknownKey: Rule = (facts, failures) => {
  const evidence = saidOf(facts, failures);
  return [
    { code: 'token.region', weight: 70, evidence },
    { code: 'token.key-pair', weight: 60, evidence },
    { code: 'token.app-id', weight: 50, evidence },
  ];
};

/** The JWT is refused without a reason. */
export const refusedJwt: Rule = (facts, failures) => {
  const [resigned] = probesOf(facts, 'server-time');
  const evidence = saidOf(facts, failures);
  if (resigned?.ok) {
    return [{ code: 'host.clock', weight: 95, isShown: true, evidence: clockOf(facts) }];
  }
  return [
    { code: 'token.region', weight: 60, evidence },
    { code: 'token.key-pair', weight: 55, evidence },
    { code: 'token.app-id', weight: 45, evidence },
  ];
};

/** By the server's clock the JWT was out of its time. */
export const outOfTimeJwt: Rule = (facts) => [
  {
    code: 'host.clock',
    weight: 90,
    isShown: probesOf(facts, 'server-time').some(({ ok }) => ok),
    evidence: clockOf(facts),
  },
];

/** The path or a parameter does not fit. */
export const wrongRequest: Rule = (facts, failures) => {
  const { enterpriseId = '' } = facts;
  const looksOdd = !enterpriseId.startsWith('volcano_');
  return [
    {
      code: 'token.enterprise',
      weight: 70,
      evidence: {
        ...saidOf(facts, failures),
        enterpriseId,
        ...(looksOdd && { note: 'documented IDs begin with volcano_' }),
      },
    },
  ];
};

/** A token that was just issued and is refused belongs somewhere else. */
export const refusedToken: Rule = (facts, failures) => [
  { code: 'token.region', weight: 70, evidence: saidOf(facts, failures) },
];

function clockOf({ skewMs = 0, probes }: Facts): Evidence {
  const resigned = probes.find(({ name }) => name === 'server-time');
  return {
    skewMs,
    ...(resigned && { 'signed by the server’s clock': resigned.ok ? 'accepted' : 'refused' }),
  };
}

function saidOf({ link }: Facts, failures: readonly Finding[]): Evidence {
  const { evidence = {}, logId } = failures[0] ?? {};
  const { serviceCode, serviceMessage, httpStatus, kid } = evidence;
  return {
    aud: link.apiHost,
    ...(kid !== undefined && { kid }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...(serviceCode !== undefined && { serviceCode }),
    ...(serviceMessage !== undefined && { serviceMessage }),
    ...(logId !== undefined && { logId }),
  };
}
