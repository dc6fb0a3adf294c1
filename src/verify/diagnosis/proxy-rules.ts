import type { Candidate, Facts } from './facts.js';
import { probesOf } from './facts.js';

/** What the other of the two ways, direct and through a proxy, tells of a failure on the first. */
export function byOtherWay(facts: Facts): Candidate[] {
  const [other] = probesOf(facts, 'proxy');
  if (other === undefined || !other.ok) return [];
  const evidence = {
    [facts.usesProxy ? 'directly' : `through ${other.changed}`]: 'the service answers',
    ...other.evidence,
  };
  return facts.usesProxy
    ? [{ code: 'proxy.catches-host', weight: 99, isShown: true, evidence }]
    : [{ code: 'proxy.needed', weight: 65, isShown: true, evidence }];
}
