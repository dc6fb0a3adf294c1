import { type EffectiveAccess, readEffectiveAccess } from '../effective-rules/effective-access.js';
import { type Checkout, findCheckout } from '../effective-rules/programs/check-steps.js';
import type { EffectiveFlow } from '../effective-rules/reading.js';
import type { SynthesizedStack, SynthesizedTree } from '../read/read-tree.js';
import { type ReviewedRule, reviewedRule, UNNAMED } from '../reviewed-rule.js';
import { RuleLookup } from '../sets/lookup.js';
import { directionKey, groupBy, type Region, toRange, toRegion } from '../sets/region.js';
import { compareWithRules, type Disagreement } from './disagreement.js';

/** A stack with what Terraform opens, and what its access rules say of it. */
export interface ReviewedStack extends SynthesizedStack {
  /** What `access.json` states. */
  readonly rules: readonly ReviewedRule[];
  readonly effective: EffectiveAccess;
  /** What is open: through Terraform, and what is stated though Terraform does not open it. */
  readonly open: readonly ReviewedRule[];
  /** What a firewall of the stack denies. */
  readonly denied: readonly ReviewedRule[];
  readonly disagreement: Disagreement;
  /** Finds the access rules that speak of the same packets. */
  readonly stated: RuleLookup<ReviewedRule>;
}

/** A whole tree, ready to be compared. */
export interface ReviewedTree {
  readonly stacks: readonly ReviewedStack[];
  readonly open: readonly ReviewedRule[];
  readonly region: Region;
}

export function reviewedTree(tree: SynthesizedTree): ReviewedTree {
  const checkout = findCheckout([...tree.values()].map(({ terraform }) => terraform));
  const stacks = [...tree.values()].map((stack) => reviewedStack(stack, checkout));
  const open = stacks.flatMap((stack) => stack.open);
  return { stacks, open, region: toRegion(open) };
}

function reviewedStack(stack: SynthesizedStack, checkout: Checkout): ReviewedStack {
  const own = new Set(stack.terraform.resources.map(({ address }) => address));
  const rules = (stack.access?.rules ?? []).map((rule) => reviewedRule(stack.name, rule, own));
  const effective = readEffectiveAccess(stack.terraform, checkout);
  const stated = new RuleLookup(rules, directionKey);
  const flows = nameFlows(stack.name, effective.flows, stated);
  const isElsewhere = ({ enforcedElsewhere }: ReviewedRule) => enforcedElsewhere !== undefined;
  const disagreement = compareWithRules(
    effective.flows,
    rules.filter((rule) => !isElsewhere(rule)),
  );
  return {
    ...stack,
    rules,
    effective,
    open: [...flows, ...rules.filter(isElsewhere), ...disagreement.unopenedRules],
    denied: nameFlows(stack.name, effective.denied, stated),
    disagreement,
    stated,
  };
}

/** Gives each carrier the name that the access rules have for it; without one it keeps its own. */
export function nameFlows(
  stack: string,
  flows: readonly EffectiveFlow[],
  stated: RuleLookup<ReviewedRule>,
): ReviewedRule[] {
  const rules = flows.map((flow) => asRule(stack, flow));
  const names = new Map(
    [...groupBy(rules, carrierKey)].map(([key, own]) => {
      const met = own.flatMap((rule) =>
        stated.find(directionKey(rule), toRange(rule), rule.services, 1),
      );
      const [commonest] = [...groupBy(met, subjectKey).values()].sort(
        (a, b) => b.length - a.length,
      );
      return [key, commonest?.[0]];
    }),
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
  const isPackets = kind === 'packets' && peer.kind !== 'unknown';
  const names = { ...UNNAMED, stack, subject: carrier };
  return { ...names, carrier, direction, peer, services, resource, isPackets };
}
