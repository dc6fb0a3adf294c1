import { type Reason, reasonOf } from '../../codes/codes.js';
import type { Evidence, ProbeResult } from '../model/verification.js';
import { answerIn, firstAnswer, isPrivate } from '../probes/resolvers.js';
import {
  type Candidate,
  type Facts,
  failedAfterDial,
  findProbes,
  listAddresses,
  outsideNetwork,
  pick,
  pinnedWorks,
  type Rule,
  type Rules,
  recordsElsewhere,
  shownCause,
  weigh,
} from './candidates.js';

/** The name is unknown to the DNS server that was asked. */
const nameNotFound: Rule = (facts) => {
  const turns = alternating(facts);
  if (turns.length > 0) return turns;
  const own = ownAnswers(facts);
  if (own) return [shownCause('dns.local-override', 95, own)];
  const aliases = ownAliases(facts);
  const known = [...aliases, ...otherServers(facts), ...pinnedWorks(facts, 'dns.record-wrong', 92)];
  if (isDecided(known) || facts.link.via !== 'service-endpoint') return known;
  return [
    ...known,
    ...recordsElsewhere(facts, 70),
    ...weigh({ host: facts.host }, { 'endpoint.missing': 60, 'endpoint.not-accepted': 50 }),
    ...outsideNetwork(facts),
  ];
};

/** A server that does not answer is a fault of its own; the name itself may be sound. */
const serverFails: Rule = (facts, failures) => {
  const code = reasonOf(failures[0]);
  const here = pick(failures[0].evidence, 'own', 'server', 'error');
  const passing = findProbes(facts, 'same-resolver').find(isAnswerNow);
  if (passing !== undefined && code !== undefined) {
    const seen = { server: passing.changed, answers: `${code}, then ${passing.evidence.answers}` };
    return [shownCause(code, 95, seen)];
  }
  const own = ownAnswers(facts);
  // They were asked a moment later, so they may only have recovered.
  if (own) return [{ code: 'dns.local-override', weight: 90, evidence: own }];
  const other = findProbes(facts, 'resolver').find(({ ok, evidence }) => ok && !evidence.isOwn);
  if (other !== undefined) return [{ ...otherResolver(other), weight: 90 }];
  // Not more than possible: a DNS server on this machine may fail by itself.
  return here.own === undefined ? [] : weigh(here, { 'tcp.unreachable: no route': 99 });
};

/** The server failed, and answered when it was asked again. */
function isAnswerNow({ ok, evidence: { before, answers: now } }: ProbeResult): boolean {
  return !ok && isFailure(before) && !isFailure(now);
}

function isFailure(answer: unknown): boolean {
  return String(answer).startsWith('dns.');
}

/** The name is known, and what it is an alias of has no address. */
const aliasToNothing: Rule = (facts, failures) => {
  const evidence = pick(failures[0].evidence, 'server', 'error');
  const shown: Candidate = shownCause('dns.not-found: empty alias', 96, evidence);
  return [shown, ...nameNotFound(facts, failures)];
};

/** The system's resolver does not tell of aliases; the DNS servers that it asks do. */
function ownAliases(facts: Facts): Candidate[] {
  return findProbes(facts, 'resolver')
    .filter(
      (probe) => reasonOf(probe) === 'dns.not-found: empty alias' && probe.evidence.isOwn === true,
    )
    .slice(0, 1)
    .map(({ changed, evidence: { detail = '' } }) =>
      shownCause('dns.not-found: empty alias', 96, { server: changed, alias: detail }),
    );
}

function otherServers(facts: Facts): Candidate[] {
  const known = findProbes(facts, 'resolver').filter(({ ok }) => ok);
  return known.flatMap((probe) => {
    const { isPrivate, isExpected } = probe.evidence;
    const isRight = isPrivate || isExpected || facts.link.via !== 'service-endpoint';
    return isRight ? [otherResolver(probe)] : shadowed(probe);
  });
}

function otherResolver({ changed, evidence }: ProbeResult): Candidate {
  const { isExpected, addresses = '' } = evidence;
  return shownCause('dns.other-resolver', isExpected === true ? 95 : 85, {
    server: changed,
    addresses,
  });
}

/** A server that only knows less, such as one without a way to the internet, hides nothing. */
function shadowed({ changed, evidence: { addresses = '' } }: ProbeResult): Candidate[] {
  return weigh({ server: changed, addresses }, { 'dns.record-wrong: hiding private zone': 45 });
}

/** A dial that failed at an address which nobody expected, where other DNS servers answer otherwise. */
export function byOtherServers(facts: Facts): Candidate[] {
  const isUnexpected = failedAfterDial(facts) && facts.link.expectedAddresses.length === 0;
  return isUnexpected ? otherwise(facts, 58) : [];
}

/** An address that is wrong, where other DNS servers answer otherwise. */
function differing(facts: Facts): Candidate[] {
  const turns = alternating(facts);
  if (turns.length > 0) return turns;
  const right = findOtherAnswers(facts).filter(({ evidence }) => evidence.isExpected === true);
  if (right.length === 0) return otherwise(facts, 45);
  return [{ ...compareAnswers(facts, right), weight: 95, isShown: true }];
}

/** A server that says something else when it is asked again: nothing is shown by what others say. */
function alternating(facts: Facts): Candidate[] {
  return findProbes(facts, 'same-resolver')
    .filter(({ ok, evidence }) => !ok && ![evidence.before, evidence.answers].some(isFailure))
    .slice(0, 1)
    .map(({ changed, evidence: { before = '', answers: again = '' } }) =>
      shownCause('dns.alternating', 95, { server: changed, answers: `${before}, then ${again}` }),
    );
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
  return others.length > 0 ? [{ ...compareAnswers(facts, others), weight }] : [];
}

function compareAnswers(facts: Facts, others: readonly ProbeResult[]) {
  const evidence = answers(facts, others);
  const code = isLocal(facts) ? 'dns.local-override' : 'dns.other-resolver: another address';
  return { code, evidence } as const;
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

function differs(facts: Facts, probe: ProbeResult): boolean {
  const asked = firstAnswer(facts);
  const answer = answerIn(probe);
  return asked.server !== undefined && answer !== undefined && answer !== asked.answer;
}

function answers(facts: Facts, others: readonly ProbeResult[]): Evidence {
  const { server = '', answer, error = '' } = firstAnswer(facts);
  return Object.fromEntries([
    [server, answer ?? error],
    ...others.map((one) => [one.changed, answerIn(one) ?? '']),
  ]);
}

/** The owner of the record that leads to an address. */
function aliasOf({ findings }: Facts): Evidence {
  return pick(findings.find(({ stage }) => stage === 'dns')?.evidence ?? {}, 'alias');
}

/** A private link whose name leads to the internet. */
const publicAddress: Rule = (facts, failures) => {
  const known = chooseKnown(facts, 'dns.record-wrong');
  const beside = pick(failures[0].evidence, 'family', 'right');
  const evidence = { address: listAddresses(failures), ...aliasOf(facts), ...beside };
  // Where another record is right, the private records are seen from here.
  const areSeen = beside.right !== undefined;
  const reason = areSeen ? 'address.unexpected: others right' : 'address.unexpected: public';
  const seen = shownCause(reason, 70, evidence);
  if (isDecided(known) || areSeen) return [...known, seen];
  return [...known, seen, ...recordsElsewhere(facts, 65), ...outsideNetwork(facts)];
};

/** A name that leads to an address that no endpoint and no public service can have. */
const specialAddress: Rule = (facts) => {
  if (facts.link.via !== 'service-endpoint') return differing(facts);
  const known = chooseKnown(facts, 'dns.record-wrong');
  return isDecided(known) ? known : [...known, ...recordsElsewhere(facts, 65)];
};

/** An address that nobody declared. */
const unexpectedAddress: Rule = (facts, failures) => {
  const evidence = {
    address: listAddresses(failures),
    ...aliasOf(facts),
    expected: [...facts.link.expectedAddresses, ...facts.link.expectedNetworks].join(', '),
  };
  const known = chooseKnown(facts, 'dns.record-wrong: earlier endpoint');
  if (isDecided(known)) return known;
  const gone = findProbes(facts, 'pinned-address').filter(({ ok }) => !ok);
  const dialled = gone.map((one) => [one.changed, `fails with ${reasonOf(one)}`]);
  const seen = { ...evidence, ...Object.fromEntries(dialled) };
  return [
    ...known,
    ...recordsElsewhere(facts, 65),
    ...weigh(evidence, { 'dns.record-wrong: earlier endpoint': 50 }),
    ...weigh(seen, {
      'address.list-outdated: endpoint replaced': gone.length > 0 ? 60 : 45,
    }),
  ];
};

/** An address that is in no list of fixed ones. No endpoint has to do with it. */
const unlistedAddress: Rule = (facts, failures) => {
  const others = differing(facts);
  if (isDecided(others)) return others;
  const evidence = { host: facts.host, ...aliasOf(facts), address: listAddresses(failures) };
  // The service can be reached from the internet, so what it adds is routed there.
  const isInside = failures.every(({ address = '' }) => isPrivate(address));
  const outdated = isInside ? {} : { 'address.list-outdated': 60 };
  return [...others, ...weigh(evidence, { ...outdated, 'address.unexpected: another host': 50 })];
};

/** Chooses another cause than the record if another DNS server has the right addresses. */
function chooseKnown(facts: Facts, ofRecord: Reason): Candidate[] {
  const others = differing(facts);
  return isDecided(others) ? others : [...others, ...pinnedWorks(facts, ofRecord, 90)];
}

function isDecided(known: readonly Candidate[]): boolean {
  return known.some(({ isShown }) => isShown);
}

/** Rules for a name that leads nowhere, or elsewhere than to the service. */
export const NAME_RULES: Rules = {
  'dns.not-found': nameNotFound,
  'dns.not-found: empty alias': aliasToNothing,
  'dns.server-failed': serverFails,
  'dns.server-failed: no answer': serverFails,
  'dns.server-failed: no recursion': serverFails,
  'address.unexpected: public': publicAddress,
  'address.unexpected: others right': publicAddress,
  'address.unexpected: special': specialAddress,
  'address.unexpected': unexpectedAddress,
  'address.unexpected: not listed': unlistedAddress,
  'address.unexpected: this machine': differing,
};
