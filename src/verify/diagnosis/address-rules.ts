import type { Evidence } from '../verification.js';
import type { Candidate, Facts, Rule } from './facts.js';
import { addressesOf, probesOf } from './facts.js';
import { outsideWeight } from './outside.js';

/** A private link whose name leads to the internet. */
export const publicAddress: Rule = (facts, failures) => {
  const shown = [
    ...differing(facts, addressesOf(failures)),
    ...reachable(facts, 'dns.record-missing'),
  ];
  return [
    ...shown,
    {
      code: 'address.public',
      weight: 70,
      isShown: true,
      evidence: { address: addressesOf(failures) },
    },
    ...(shown.length === 0
      ? [{ code: 'host.outside-network' as const, ...outsideWeight(facts) }]
      : []),
  ];
};

/** An address that nobody declared. */
export const unexpectedAddress: Rule = (facts, failures) => {
  const evidence = {
    address: addressesOf(failures),
    expected: facts.link.expectedAddresses.join(', '),
  };
  const shown = [
    ...differing(facts, evidence.address),
    ...reachable(facts, 'endpoint.stale-record'),
  ];
  if (shown.length > 0) return shown;
  const dialled = unreachable(facts);
  const isGone = Object.keys(dialled).length > 0;
  return [
    { code: 'endpoint.stale-record', weight: 50, evidence },
    { code: 'endpoint.replaced', weight: isGone ? 60 : 45, evidence: { ...evidence, ...dialled } },
  ];
};

/** Another DNS server that gives the right addresses. */
function differing(facts: Facts, resolved: string): Candidate[] {
  const asked = facts.findings.find(({ stage }) => stage === 'dns')?.evidence.server ?? '';
  return probesOf(facts, 'resolver')
    .filter(({ ok, evidence }) => ok && evidence.isExpected === true)
    .map(({ changed, evidence }) => ({
      code: asked === 'system' && changed !== 'system' ? overrideOf(facts) : 'dns.split-horizon',
      weight: 95,
      isShown: true,
      evidence: { [`${asked}`]: resolved, [changed]: evidence.addresses ?? '' },
    }));
}

/** The servers that the system is configured with agree with each other, but not with the system. */
function overrideOf(facts: Facts): 'dns.local-override' | 'dns.split-horizon' {
  const others = probesOf(facts, 'resolver').filter(({ ok }) => ok);
  const allExpected = others.every(({ evidence }) => evidence.isExpected === true);
  return allExpected && !facts.hasCompared ? 'dns.local-override' : 'dns.split-horizon';
}

/** How each expected address fails when it is dialled without the name. */
function unreachable(facts: Facts): Evidence {
  const failed = probesOf(facts, 'pinned-address').filter(({ ok }) => !ok);
  return Object.fromEntries(failed.map(({ changed, code }) => [changed, `fails with ${code}`]));
}

/** The expected address works when it is dialled without the name. */
function reachable(
  facts: Facts,
  code: 'dns.record-missing' | 'endpoint.stale-record',
): Candidate[] {
  return probesOf(facts, 'pinned-address')
    .filter(({ ok }) => ok)
    .slice(0, 1)
    .map(({ changed, evidence }) => ({
      code,
      weight: 90,
      isShown: true,
      evidence: { address: changed, ...evidence },
    }));
}
