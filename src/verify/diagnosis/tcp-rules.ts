import type { Evidence, Finding } from '../verification.js';
import type { Rule } from './facts.js';
import { addressesOf } from './facts.js';
import { onlySome } from './only-some.js';
import { outsideWeight } from './outside.js';

/** The packets get no answer. */
export const packetsLost: Rule = (facts, failures) => {
  const partial = onlySome(facts, failures);
  if (partial.length > 0) return partial;
  const evidence = { address: addressesOf(failures) };
  if (facts.link.via !== 'private-network') {
    return [
      { code: 'host.egress', weight: 60, evidence },
      { code: 'route.missing', weight: 40, evidence },
    ];
  }
  const outside = outsideWeight(facts);
  return [
    { code: 'endpoint.security-group', weight: 70, evidence },
    { code: 'endpoint.not-accepted', weight: 60, evidence },
    { code: 'host.outside-network', ...outside, weight: Math.min(outside.weight, 55) },
    { code: 'route.missing', weight: 40, evidence },
    { code: 'host.egress', weight: 30, evidence },
  ];
};

/** Somebody says no at once. */
export const refused: Rule = (facts, failures) => {
  const partial = onlySome(facts, failures);
  if (partial.length > 0) return partial;
  return [
    { code: 'endpoint.no-listener', weight: 60, evidence: factsOfFailure(failures) },
    { code: 'path.filter', weight: 30, evidence: factsOfFailure(failures) },
  ];
};

/** The system or a router knows no way. */
export const noRoute: Rule = (facts, failures) => {
  const partial = onlySome(facts, failures);
  if (partial.length > 0) return partial;
  return [
    { code: 'route.missing', weight: 80, isShown: true, evidence: factsOfFailure(failures) },
    ...(facts.link.via === 'private-network'
      ? [{ code: 'host.outside-network' as const, ...outsideWeight(facts) }]
      : []),
  ];
};

function factsOfFailure(failures: readonly Finding[]): Evidence {
  const { error, port } = failures[0]?.evidence ?? {};
  return {
    address: addressesOf(failures),
    ...(port !== undefined && { port }),
    ...(error !== undefined && { error }),
  };
}
