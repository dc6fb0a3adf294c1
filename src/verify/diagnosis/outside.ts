import type { Evidence } from '../verification.js';
import { type Facts, probesOf } from './facts.js';

/** How much speaks for a check outside the private network. It is never proven by this alone. */
export function outsideWeight(facts: Facts): { weight: number; evidence: Evidence } {
  const [own] = probesOf(facts, 'own-address');
  if (own === undefined) return { weight: 30, evidence: {} };
  const { inside, own: addresses = '', networks = '' } = own.evidence;
  return own.ok
    ? { weight: 10, evidence: { inside: inside ?? '', networks } }
    : { weight: 65, evidence: { own: addresses, networks } };
}

/** Whether this machine has an address in the networks of the link. */
export function isSeenInside(facts: Facts): boolean {
  return probesOf(facts, 'own-address').some(({ ok }) => ok);
}
