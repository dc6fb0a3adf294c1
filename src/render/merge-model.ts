import { type AccessModel, canonicalRules } from '../access/access-model.js';
import type { AccessRule } from '../access/access-rule.js';
import { type Cidr, parseCidr } from '../net/cidr.js';
import { mergeCidrs } from './cidr-set.js';
import { openingOf, serviceKey } from './opening.js';

/**
 * The model with neighbouring addresses of equal rules written as one prefix, only where the prefix
 * holds these addresses and no other. Reasons are joined; the digest stays that of the whole model.
 */
export function mergeModel(model: AccessModel): AccessModel {
  const groups = new Map<string, { rules: AccessRule[]; cidrs: Cidr[] }>();
  const others: AccessRule[] = [];
  for (const rule of model.rules) {
    if (rule.peer.kind !== 'cidr') {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.via, serviceKey(openingOf(rule)), rule.exception]);
    const group = groups.get(key) ?? { rules: [], cidrs: [] };
    group.rules.push(rule);
    group.cidrs.push(parseCidr(rule.peer.cidr));
    groups.set(key, group);
  }
  return {
    ...model,
    rules: canonicalRules([...others, ...[...groups.values()].flatMap(mergedRules)]),
  };
}

function mergedRules({ rules, cidrs }: { rules: AccessRule[]; cidrs: Cidr[] }): AccessRule[] {
  const [first] = rules;
  if (first === undefined) return [];
  return mergeCidrs(cidrs).map(({ text, first: low, last: high, family }) => {
    const inside = rules.filter(({ peer }) => {
      if (peer.kind !== 'cidr') return false;
      const cidr = parseCidr(peer.cidr);
      return cidr.family === family && low <= cidr.first && cidr.last <= high;
    });
    const reason = [...new Set(inside.map((rule) => rule.reason))].join('; ');
    return { ...first, peer: { kind: 'cidr', cidr: text }, reason };
  });
}
