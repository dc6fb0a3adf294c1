import { recordLines } from '../../link/link.js';
import type { ProbeResult } from '../model/verification.js';
import { type Candidate, type Facts, probesOf, type Rule } from './facts.js';
import { alternating, ownAnswers } from './other-servers.js';
import { outsideNetwork } from './outside-network.js';

/** The name is unknown to the DNS server that was asked. */
export const nameNotFound: Rule = (facts) => {
  const turns = alternating(facts);
  if (turns.length > 0) return turns;
  const own = ownAnswers(facts);
  if (own) return [{ code: 'dns.local-override', weight: 95, isShown: true, evidence: own }];
  const known = [...otherServers(facts), ...pinned(facts)];
  const isDecided = known.some(({ isShown }) => isShown);
  if (isDecided || facts.link.via !== 'private-network') return known;
  const evidence = { host: facts.host };
  return [
    ...known,
    ...recordsElsewhere(facts, { weight: 70, evidence: {} }),
    { code: 'endpoint.missing', weight: 60, evidence },
    { code: 'endpoint.not-accepted', weight: 50, evidence },
    ...outsideNetwork(facts),
  ];
};

/** A server that does not answer is a fault of its own; the name itself may be sound. */
export const serverFails: Rule = (facts) => {
  const own = ownAnswers(facts);
  // They were asked a moment later, so they may only have recovered.
  if (own) return [{ code: 'dns.local-override', weight: 90, evidence: own }];
  return probesOf(facts, 'resolver')
    .filter(({ ok, evidence }) => ok && evidence.isOwn !== true)
    .slice(0, 1)
    .map((probe) => ({ ...otherResolver(probe), weight: 90 }));
};

function otherServers(facts: Facts): Candidate[] {
  return probesOf(facts, 'resolver')
    .filter(({ ok }) => ok)
    .flatMap((probe) => {
      const { isPrivate, isExpected } = probe.evidence;
      const isPublic =
        facts.link.via === 'private-network' && isPrivate !== true && isExpected !== true;
      return isPublic ? shadowed(probe) : [otherResolver(probe)];
    });
}

function otherResolver({ changed, evidence }: ProbeResult): Candidate {
  const { isExpected, addresses = '' } = evidence;
  return {
    code: 'dns.other-resolver',
    weight: isExpected === true ? 95 : 85,
    isShown: true,
    evidence: { server: changed, addresses },
  };
}

/** A server that only knows less, such as one without a way to the internet, hides nothing. */
function shadowed({ changed, evidence }: ProbeResult): Candidate[] {
  const { addresses = '', isOtherZone, zoneHere, zoneThere } = evidence;
  if (isOtherZone === false) return [];
  const zones = {
    ...(zoneHere !== undefined && { zoneHere }),
    ...(zoneThere !== undefined && { zoneThere }),
  };
  return [
    {
      code: 'dns.shadowed',
      weight: 75,
      isShown: isOtherZone === true,
      evidence: { server: changed, addresses, ...zones },
    },
  ];
}

function pinned(facts: Facts): Candidate[] {
  return probesOf(facts, 'pinned-address')
    .filter(({ ok }) => ok)
    .slice(0, 1)
    .flatMap(({ changed, evidence }) => {
      const shown = { weight: 92, isShown: true, evidence: { address: changed, ...evidence } };
      const [elsewhere] = recordsElsewhere(facts, shown);
      return [elsewhere ?? { code: 'dns.record-missing', ...shown }];
    });
}

/** Where others keep the records, the lines that they have to enter; else nothing. */
export function recordsElsewhere(
  { link, host }: Facts,
  candidate: Omit<Candidate, 'code'>,
): Candidate[] {
  const { recordsElsewhere: keptBy, expectedAddresses } = link;
  if (keptBy === undefined) return [];
  const addresses = expectedAddresses.map((cidr) => cidr.split('/')[0] ?? cidr);
  const enter = recordLines(host, addresses).join('; ');
  return [
    {
      ...candidate,
      code: 'dns.kept-elsewhere',
      evidence: { keptBy, enter, ...candidate.evidence },
    },
  ];
}
