import type { Evidence, Finding } from '../model/verification.js';
import { listAddresses, pick, type Rule } from './facts.js';
import { outsideNetwork, partialFailure } from './shared-candidates.js';

/** The packets get no answer. */
export const packetsLost: Rule = (facts, failures) => {
  const partial = partialFailure(facts, failures);
  if (partial.length > 0) return partial;
  const evidence = { address: listAddresses(failures) };
  if (facts.link.via !== 'private-network') {
    return [
      { code: 'host.egress', weight: 60, evidence },
      { code: 'route.missing', weight: 40, evidence },
    ];
  }
  return [
    { code: 'endpoint.security-group', weight: 70, evidence },
    { code: 'endpoint.not-accepted', weight: 60, evidence },
    ...outsideNetwork(facts).map((one) => ({ ...one, weight: Math.min(one.weight, 55) })),
    { code: 'route.missing', weight: 40, evidence },
    { code: 'host.egress', weight: 30, evidence },
  ];
};

/** The connection is refused at once. */
export const refused: Rule = (facts, failures) => {
  const partial = partialFailure(facts, failures);
  if (partial.length > 0) return partial;
  return [
    { code: 'endpoint.no-listener', weight: 60, evidence: factsOfFailure(failures) },
    { code: 'path.filter', weight: 30, evidence: factsOfFailure(failures) },
  ];
};

/** The system or a router gives up: for want of a route, or of a host at its end. */
export const noRoute: Rule = (facts, failures) => {
  const partial = partialFailure(facts, failures);
  if (partial.some(({ code }) => code === 'route.family')) return partial;
  const evidence = factsOfFailure(failures);
  if (failures.every((failure) => failure.evidence.error === 'ENETUNREACH')) {
    const shown = { code: 'route.missing', weight: 80, isShown: true, evidence } as const;
    return partial.length > 0 ? [shown] : [shown, ...outsideNetwork(facts)];
  }
  if (partial.length > 0) return partial;
  const isPrivate = facts.link.via === 'private-network';
  return [
    ...(isPrivate ? [{ code: 'endpoint.address-gone' as const, weight: 70, evidence }] : []),
    { code: 'path.filter', weight: 50, evidence },
    ...outsideNetwork(facts),
    { code: 'route.missing', weight: 40, evidence },
  ];
};

function factsOfFailure(failures: readonly Finding[]): Evidence {
  return { address: listAddresses(failures), ...pick(failures[0]?.evidence, 'port', 'error') };
}
