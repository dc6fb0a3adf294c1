import { groupBy } from '../group-by.js';
import type { PacketRule } from '../packet-rule.js';
import type { RuleLookup } from '../sets/lookup.js';
import { directionKey, toRange } from '../sets/region.js';
import { subtract } from '../sets/services.js';
import type { EffectiveFlow } from './reading.js';

/** Gives each carrier the name that the access rules have for it; without one it keeps its own. */
export function nameFlows(
  stack: string,
  flows: readonly EffectiveFlow[],
  stated: RuleLookup<PacketRule>,
): PacketRule[] {
  const rules = flows.map((flow) => asRule(stack, flow));
  const names = new Map(
    [...groupBy(rules, carrierKey)].map(([key, own]) => {
      const exact = own.flatMap((rule) => statedBy(rule, stated));
      const met = exact.length > 0 ? exact : own.flatMap((rule) => meeting(rule, stated));
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

/** A rule that speaks of all these packets: what a firewall passes beside it names nothing. */
function statedBy(rule: PacketRule, stated: RuleLookup<PacketRule>): PacketRule[] {
  const { first, last, services } = toRange(rule);
  const found = stated.find(directionKey(rule), { first, last: first }, services);
  const isWhole = (one: PacketRule) =>
    toRange(one).last >= last && subtract(services, one.services).length === 0;
  return found.filter(isWhole).slice(0, 1);
}

function meeting(rule: PacketRule, stated: RuleLookup<PacketRule>): PacketRule[] {
  return stated.find(directionKey(rule), toRange(rule), rule.services, 1);
}

function subjectKey({ via, direction, subject }: PacketRule): string {
  return JSON.stringify([via, direction, subject]);
}

function carrierKey({ direction, carrier }: PacketRule): string {
  return `${direction} ${carrier}`;
}

function asRule(stack: string, flow: EffectiveFlow): PacketRule {
  const { kind, carrier, direction, peer, services, resource } = flow;
  const isPackets = kind === 'packets' && peer.kind !== 'unknown';
  const rule = { stack, via: '', direction, subject: carrier, reason: '', unknown: [] };
  return { ...rule, carrier, peer, services, resource, isPackets };
}
