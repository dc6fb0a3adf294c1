import { isIP } from 'node:net';
import type { Evidence, Finding } from '../verification.js';
import { zoneOf } from '../zone-of.js';
import type { Candidate, Facts, Rule } from './facts.js';
import { addressesOf, worksSomewhere } from './facts.js';
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

/** What differs between the addresses that work and those that do not: the family, or the zone. */
export function onlySome(facts: Facts, failures: readonly Finding[]): Candidate[] {
  const stage = failures[0]?.stage;
  const working = stage === undefined ? [] : worksSomewhere(facts, stage);
  if (working.length === 0) return [];
  const workingFamilies = familiesOf(working);
  const isOtherFamily = [...familiesOf(failures)].every((family) => !workingFamilies.has(family));
  const zones = failures.flatMap(({ address }) => zoneOf(facts.link, address ?? '') ?? []);
  const evidence: Evidence = {
    fails: addressesOf(failures),
    works: addressesOf(working),
    ...(zones.length > 0 && { zone: [...new Set(zones)].join(', ') }),
  };
  return isOtherFamily
    ? [{ code: 'route.family', weight: 85, isShown: true, evidence }]
    : [{ code: 'endpoint.zone', weight: 85, isShown: true, evidence }];
}

function familiesOf(findings: readonly Finding[]): Set<number> {
  return new Set(findings.map(({ address = '' }) => isIP(address)));
}

function factsOfFailure(failures: readonly Finding[]): Evidence {
  const { error, port } = failures[0]?.evidence ?? {};
  return {
    address: addressesOf(failures),
    ...(port !== undefined && { port }),
    ...(error !== undefined && { error }),
  };
}
