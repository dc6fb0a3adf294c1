import type { Evidence, ProbeResult } from '../model/verification.js';
import { answerIn } from '../probes/resolvers.js';
import {
  type Candidate,
  type Facts,
  failedAfterDial,
  findProbes,
  pick,
  type Rule,
  weigh,
} from './facts.js';
import { outsideNetwork, pinnedWorks, recordsElsewhere } from './shared-candidates.js';

/** The name is unknown to the DNS server that was asked. */
export const nameNotFound: Rule = (facts) => {
  const turns = alternating(facts);
  if (turns.length > 0) return turns;
  const own = ownAnswers(facts);
  if (own) return [{ code: 'dns.local-override', weight: 95, isShown: true, evidence: own }];
  const known = [...otherServers(facts), ...pinnedWorks(facts, 'dns.record-missing', 92)];
  const isDecided = known.some(({ isShown }) => isShown);
  if (isDecided || facts.link.via !== 'private-network') return known;
  return [
    ...known,
    ...recordsElsewhere(facts, { weight: 70, evidence: {} }),
    ...weigh({ host: facts.host }, { 'endpoint.missing': 60, 'endpoint.not-accepted': 50 }),
    ...outsideNetwork(facts),
  ];
};

/** A server that does not answer is a fault of its own; the name itself may be sound. */
export const serverFails: Rule = (facts) => {
  const own = ownAnswers(facts);
  // They were asked a moment later, so they may only have recovered.
  if (own) return [{ code: 'dns.local-override', weight: 90, evidence: own }];
  return findProbes(facts, 'resolver')
    .filter(({ ok, evidence }) => ok && evidence.isOwn !== true)
    .slice(0, 1)
    .map((probe) => ({ ...otherResolver(probe), weight: 90 }));
};

function otherServers(facts: Facts): Candidate[] {
  return findProbes(facts, 'resolver')
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
  const { addresses = '', isOtherZone } = evidence;
  if (isOtherZone === false) return [];
  const seen = { server: changed, addresses, ...pick(evidence, 'zoneHere', 'zoneThere') };
  return [{ code: 'dns.shadowed', weight: 75, isShown: isOtherZone === true, evidence: seen }];
}

/** A dial that failed at an address which nobody expected, where other DNS servers answer otherwise. */
export function byOtherServers(facts: Facts): Candidate[] {
  const isUnexpected = failedAfterDial(facts) && facts.link.expectedAddresses.length === 0;
  return isUnexpected ? otherwise(facts, 58) : [];
}

/** An address that is wrong, where other DNS servers answer otherwise. */
export function differing(facts: Facts): Candidate[] {
  const turns = alternating(facts);
  if (turns.length > 0) return turns;
  const right = findOtherAnswers(facts).filter(({ evidence }) => evidence.isExpected === true);
  if (right.length === 0) return otherwise(facts, 45);
  const code = isLocal(facts) ? 'dns.local-override' : 'dns.split-horizon';
  return [{ code, weight: 95, isShown: true, evidence: answers(facts, right) }];
}

/** A server that says something else when it is asked again: nothing is shown by what others say. */
function alternating(facts: Facts): Candidate[] {
  return findProbes(facts, 'same-resolver')
    .filter(({ ok, evidence }) => !ok && !isFailure(evidence.answers))
    .slice(0, 1)
    .map(({ changed, evidence: { before = '', answers: again = '' } }) => ({
      code: 'dns.alternating',
      weight: 95,
      isShown: true,
      evidence: { server: changed, answers: `${before}, then ${again}` },
    }));
}

function isFailure(answer: unknown): boolean {
  return typeof answer === 'string' && answer.startsWith('dns.');
}

/** The addresses of the servers that the system is configured with, where its resolver has none. */
function ownAnswers(facts: Facts): Evidence | undefined {
  const own = findOtherAnswers(facts).filter(({ ok, evidence }) => ok && evidence.isOwn === true);
  return own.length > 0 && isLocal(facts) ? answers(facts, own) : undefined;
}

function otherwise(facts: Facts, weight: number): Candidate[] {
  const turns = alternating(facts);
  if (turns.length > 0) return turns.map((turn) => ({ ...turn, weight, isShown: false }));
  const others = findOtherAnswers(facts);
  if (others.length === 0) return [];
  const code = isLocal(facts) ? 'dns.local-override' : 'dns.split-horizon';
  return [{ code, weight, evidence: answers(facts, others) }];
}

/** Servers were asked that the system is configured with, and none of them says what its resolver says. */
function isLocal(facts: Facts): boolean {
  const own = findProbes(facts, 'resolver').filter(({ evidence }) => evidence.isOwn === true);
  return own.length > 0 && own.every((one) => differs(facts, one));
}

/** A foreign server that denies the name may only know less. */
function findOtherAnswers(facts: Facts): readonly ProbeResult[] {
  return findProbes(facts, 'resolver')
    .filter(({ ok, evidence }) => ok || evidence.isOwn === true)
    .filter((one) => differs(facts, one));
}

function differs(facts: Facts, { code, evidence }: ProbeResult): boolean {
  const asked = findAskedServer(facts);
  const answer = answerIn(code, evidence);
  return asked !== undefined && answer !== undefined && answer !== asked.answer;
}

/** What the DNS server of this check said; undefined where none was asked. */
function findAskedServer({ findings }: Facts) {
  const found = findings.find(({ stage }) => stage === 'dns');
  const { server } = found?.evidence ?? {};
  if (found === undefined || server === undefined) return undefined;
  return { server, answer: answerIn(found.code, found.evidence), error: found.evidence.error };
}

function answers(facts: Facts, others: readonly ProbeResult[]): Evidence {
  const { server = '', answer, error = '' } = findAskedServer(facts) ?? {};
  return Object.fromEntries([
    [server, answer ?? error],
    ...others.map(({ changed, code, evidence }) => [changed, answerIn(code, evidence) ?? '']),
  ]);
}
