import type { EffectiveFlow } from '../effective-rules/effective-flow.js';
import type { ReviewedRule } from '../reviewed-rule.js';
import type { RuleLookup } from '../sets/lookup.js';
import { directionKey, toRange } from '../sets/region.js';

/** Gives each carrier the name that the access rules have for it; without one it keeps its own. */
export function nameFlows(
  stack: string,
  flows: readonly EffectiveFlow[],
  stated: RuleLookup<ReviewedRule>,
): ReviewedRule[] {
  const counts = new Map<string, Map<string, { count: number; rule: ReviewedRule }>>();
  const rules = flows.map((flow) => asRule(stack, flow));
  for (const rule of rules) {
    const match = stated.findFirst(directionKey(rule), toRange(rule), rule.services);
    if (match === undefined) continue;
    const key = carrierKey(rule);
    const own = counts.get(key) ?? new Map<string, { count: number; rule: ReviewedRule }>();
    const known = own.get(subjectKey(match)) ?? { count: 0, rule: match };
    own.set(subjectKey(match), { ...known, count: known.count + 1 });
    counts.set(key, own);
  }
  const names = new Map(
    [...counts].map(([key, own]) => [
      key,
      [...own.values()].reduce((best, one) => (one.count > best.count ? one : best)).rule,
    ]),
  );
  return rules.map((rule) => {
    const { via, subject } = names.get(carrierKey(rule)) ?? rule;
    return { ...rule, via, subject };
  });
}

function subjectKey({ via, direction, subject }: ReviewedRule): string {
  return JSON.stringify([via, direction, subject]);
}

function carrierKey({ direction, carrier }: ReviewedRule): string {
  return `${direction} ${carrier}`;
}

function asRule(stack: string, flow: EffectiveFlow): ReviewedRule {
  const { kind, carrier, direction, peer, services, resource } = flow;
  const names = { via: '', subject: carrier, reason: '', unknown: [] };
  const isPackets = kind === 'packets' && peer.kind !== 'unknown';
  return { stack, ...names, carrier, direction, peer, services, resource, isPackets };
}
