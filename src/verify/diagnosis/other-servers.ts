import type { Evidence, ProbeResult } from '../verification.js';
import type { Candidate, Facts } from './facts.js';
import { firstFailure, probesOf } from './facts.js';

/** A dial that failed at an address which nobody expected, where other DNS servers answer otherwise. */
export function byOtherServers(facts: Facts): Candidate[] {
  const { stage = '' } = firstFailure(facts) ?? {};
  const isDialled = ['tcp', 'tls', 'http'].includes(stage);
  return isDialled && facts.link.expectedAddresses.length === 0 ? otherwise(facts, 58) : [];
}

/** An address that is wrong, where other DNS servers answer otherwise. */
export function differing(facts: Facts): Candidate[] {
  const right = othersOf(facts).filter(({ evidence }) => evidence.isExpected === true);
  if (right.length === 0) return otherwise(facts, 45);
  const code = isLocal(facts) ? 'dns.local-override' : 'dns.split-horizon';
  return [{ code, weight: 95, isShown: true, evidence: answers(facts, right) }];
}

/** The addresses of the servers that the system is configured with, where its resolver has none. */
export function ownAnswers(facts: Facts): Evidence | undefined {
  const own = othersOf(facts).filter(({ ok, evidence }) => ok && evidence.isOwn === true);
  return own.length > 0 && isLocal(facts) ? answers(facts, own) : undefined;
}

function otherwise(facts: Facts, weight: number): Candidate[] {
  const others = othersOf(facts);
  if (others.length === 0) return [];
  const code = isLocal(facts) ? 'dns.local-override' : 'dns.split-horizon';
  return [{ code, weight, evidence: answers(facts, others) }];
}

/** Servers were asked that the system is configured with, and none of them says what its resolver says. */
function isLocal(facts: Facts): boolean {
  const own = probesOf(facts, 'resolver').filter(({ evidence }) => evidence.isOwn === true);
  return own.length > 0 && own.every((one) => differs(facts, one));
}

/** A foreign server that denies the name may only know less. */
function othersOf(facts: Facts): readonly ProbeResult[] {
  return probesOf(facts, 'resolver')
    .filter(({ ok, evidence }) => ok || evidence.isOwn === true)
    .filter((one) => differs(facts, one));
}

function differs(facts: Facts, { code, evidence }: ProbeResult): boolean {
  const asked = askedOf(facts);
  const told = said(code, evidence);
  return asked !== undefined && told !== undefined && told !== asked.told;
}

/** What the DNS server of this check said; undefined where none was asked. */
function askedOf({ findings }: Facts) {
  const found = findings.find(({ stage }) => stage === 'dns');
  const { server } = found?.evidence ?? {};
  if (found === undefined || server === undefined) return undefined;
  return { server, told: said(found.code, found.evidence), error: found.evidence.error };
}

/** A name that does not exist is an answer, a server that fails is none. */
function said(code: string | undefined, { addresses }: Evidence): string | undefined {
  if (code === 'dns.not-found') return 'no address';
  return addresses === undefined ? undefined : String(addresses);
}

function answers(facts: Facts, others: readonly ProbeResult[]): Evidence {
  const { server = '', told, error = '' } = askedOf(facts) ?? {};
  return Object.fromEntries([
    [server, told ?? error],
    ...others.map(({ changed, code, evidence }) => [changed, said(code, evidence) ?? '']),
  ]);
}
