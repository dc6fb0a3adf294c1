import { groupBy } from '../group-by.js';
import type { PacketRule } from '../packet-rule.js';
import type { RuleLookup } from '../sets/lookup.js';
import { directionKey, toRange } from '../sets/region.js';
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
