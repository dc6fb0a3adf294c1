import type { Evidence } from '../model/verification.js';
import { type Failures, listAddresses, pick, type Rule, weigh } from './facts.js';
import { outsideNetwork, partialFailure, unlessPartial } from './shared-candidates.js';

/** The packets get no answer. */
export const packetsLost = unlessPartial((facts, failures) => {
  const evidence = { address: listAddresses(failures) };
  if (facts.link.via !== 'private-network') {
    return weigh(evidence, { 'host.egress': 60, 'route.missing': 40 });
  }
  const ofEndpoint = { 'endpoint.security-group': 70, 'endpoint.not-accepted': 60 };
  return [
    ...outsideNetwork(facts).map((one) => ({ ...one, weight: Math.min(one.weight, 55) })),
    ...weigh(evidence, { ...ofEndpoint, 'route.missing': 40, 'host.egress': 30 }),
  ];
});

/** The connection is refused at once. */
export const refused = unlessPartial((_, failures) =>
  weigh(factsOfFailure(failures), { 'endpoint.no-listener': 60, 'path.filter': 30 }),
);

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
  const ofPrivate = facts.link.via === 'private-network' ? { 'endpoint.address-gone': 70 } : {};
  return [
    ...weigh(evidence, { ...ofPrivate, 'path.filter': 50, 'route.missing': 40 }),
    ...outsideNetwork(facts),
  ];
};

function factsOfFailure(failures: Failures): Evidence {
  return { address: listAddresses(failures), ...pick(failures[0].evidence, 'port', 'error') };
}
