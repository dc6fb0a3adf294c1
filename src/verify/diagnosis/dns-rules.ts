import type { Candidate, Facts, Rule } from './facts.js';
import { probesOf } from './facts.js';
import { outsideWeight } from './outside.js';

/** The name is unknown to the DNS server that was asked. */
export const nameNotFound: Rule = (facts) => {
  const shown = [...otherServers(facts), ...pinned(facts)];
  if (shown.length > 0 || facts.link.via !== 'private-network') return shown;
  const evidence = { host: facts.host };
  return [
    { code: 'endpoint.missing', weight: 60, evidence },
    { code: 'endpoint.not-accepted', weight: 50, evidence },
    { code: 'host.outside-network', ...outsideWeight(facts) },
  ];
};

/** A server that does not answer is a fault of its own; the name itself may be sound. */
export const serverFails: Rule = (facts) =>
  probesOf(facts, 'resolver')
    .filter(({ ok }) => ok)
    .slice(0, 1)
    .map(({ changed, evidence }) => ({
      code: 'dns.other-resolver',
      weight: 90,
      isShown: true,
      evidence: { server: changed, addresses: evidence.addresses ?? '' },
    }));

function otherServers(facts: Facts): Candidate[] {
  return probesOf(facts, 'resolver')
    .filter(({ ok }) => ok)
    .map(({ changed, evidence }) => {
      const { isPrivate, isExpected, addresses = '' } = evidence;
      const isHidden =
        facts.link.via === 'private-network' && isPrivate !== true && isExpected !== true;
      return {
        code: isHidden ? 'dns.shadowed' : 'dns.other-resolver',
        weight: isExpected === true ? 95 : 85,
        isShown: true,
        evidence: { server: changed, addresses },
      } as const;
    });
}

function pinned(facts: Facts): Candidate[] {
  return probesOf(facts, 'pinned-address')
    .filter(({ ok }) => ok)
    .slice(0, 1)
    .map(({ changed, evidence }) => ({
      code: 'dns.record-missing',
      weight: 92,
      isShown: true,
      evidence: { address: changed, ...evidence },
    }));
}
