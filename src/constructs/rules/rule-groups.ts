import { canonicalRules } from '../../access/access-model.js';
import type { AccessRule } from '../../access/access-rule.js';

/** Rules that differ in their peer only, with every peer's CIDR in canonical order. */
export interface RuleGroup {
  readonly rule: AccessRule;
  readonly cidrs: readonly string[];
}

/** Groups rules by direction, protocol and ports: what one rule over a list of peers can say. */
export function ruleGroups(rules: readonly AccessRule[]): RuleGroup[] {
  const groups = new Map<string, { rule: AccessRule; cidrs: string[] }>();
  for (const rule of canonicalRules(rules)) {
    const { direction, protocol, ports, peer } = rule;
    const key = JSON.stringify([direction, protocol, ports]);
    const group = groups.get(key) ?? { rule, cidrs: [] };
    if (peer.kind === 'cidr') group.cidrs.push(peer.cidr);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The CIDRs of all rules, each once, in canonical order. */
export function cidrsOf(rules: readonly AccessRule[]): string[] {
  return [...new Set(ruleGroups(rules).flatMap(({ cidrs }) => cidrs))];
}
