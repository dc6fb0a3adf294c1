import type { Candidate, Facts } from './facts.js';
import { probesOf } from './facts.js';

/**
 * That the check runs outside the private network. It is never proven by this alone; only a private
 * link has an outside, and a machine with an address inside is not there.
 */
export function outsideNetwork(facts: Facts): Candidate[] {
  if (facts.link.via !== 'private-network') return [];
  const [own] = probesOf(facts, 'own-address');
  if (own === undefined) return [{ code: 'host.outside-network', weight: 30, evidence: {} }];
  if (own.ok) return [];
  const { own: addresses = '', networks = '' } = own.evidence;
  return [{ code: 'host.outside-network', weight: 65, evidence: { own: addresses, networks } }];
}
