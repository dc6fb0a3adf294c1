import type { Candidate, Facts } from './facts.js';
import { firstFailure, probesOf } from './facts.js';

/** What the other of the two ways, direct and through a proxy, tells of a failure on the first. */
export function byOtherWay(facts: Facts): Candidate[] {
  const [other] = probesOf(facts, 'proxy');
  if (other === undefined || !other.ok) return [];
  const evidence = {
    [facts.usesProxy ? 'directly' : `through ${other.changed}`]: 'the service answers',
    ...other.evidence,
  };
  if (facts.usesProxy) return [{ code: 'proxy.catches-host', weight: 99, isShown: true, evidence }];
  if (wasDialled(facts)) return [{ code: 'proxy.needed', weight: 65, isShown: true, evidence }];
  return facts.link.via === 'private-network'
    ? [{ code: 'proxy.leaves-network', weight: 20, evidence }]
    : [{ code: 'proxy.needed', weight: 20, evidence }];
}

/** Only a dial that failed shows that the direct way does not lead to the service. */
function wasDialled(facts: Facts): boolean {
  return ['tcp', 'tls', 'http'].includes(firstFailure(facts)?.stage ?? '');
}
