import type { EffectiveFlow } from '../effective-rules/effective-flow.js';
import type { ReviewedRule } from '../reviewed-rule.js';
import type { RuleLookup } from '../sets/lookup.js';

function subjectOf({ via, direction, subject }: ReviewedRule): string {
  return JSON.stringify([via, direction, subject]);
}

/** Gives each carrier the name that the access rules have for it; without one it keeps its own. */
export function nameFlows(
  stack: string,
  flows: readonly EffectiveFlow[],
  stated: RuleLookup<ReviewedRule>,
): ReviewedRule[] {
  const names = new Map<string, Map<string, { count: number; rule: ReviewedRule }>>();
  const rules = flows.map((flow) => asRule(stack, flow));
  for (const rule of rules) {
    const [match] = findStated(rule, stated);
    if (match === undefined) continue;
    const key = `${rule.direction} ${rule.carrier}`;
    const counts = names.get(key) ?? new Map<string, { count: number; rule: ReviewedRule }>();
    const known = counts.get(subjectOf(match)) ?? { count: 0, rule: match };
    counts.set(subjectOf(match), { ...known, count: known.count + 1 });
    names.set(key, counts);
  }
  return rules.map((rule) => {
    const counts = names.get(`${rule.direction} ${rule.carrier}`)?.values() ?? [];
    const [best] = [...counts].sort((a, b) => b.count - a.count);
    return best === undefined ? rule : { ...rule, via: best.rule.via, subject: best.rule.subject };
  });
}

function findStated(rule: ReviewedRule, stated: RuleLookup<ReviewedRule>): ReviewedRule[] {
  const { peer, services } = rule;
  const range = peer.kind === 'addresses' ? peer : { first: 0n, last: 0n };
  return stated.find(rule, range, services);
}

function asRule(stack: string, flow: EffectiveFlow): ReviewedRule {
  const { kind, carrier, direction, peer, services, resource } = flow;
  const names = { via: '', subject: carrier, reason: '', unknown: [] };
  const isPackets = kind === 'packets' && peer.kind !== 'unknown';
  return { stack, ...names, carrier, direction, peer, services, resource, isPackets };
}
