import { groupBy } from '../../lists/group-by.js';
import type { PacketRule, Packets } from '../packet-rule.js';
import type { RuleLookup } from '../sets/lookup.js';
import { directionKey, toRange } from '../sets/region.js';
import { subtract } from '../sets/services.js';
import type { EffectiveFlow } from './reading.js';

/**
 * Gives each carrier the name that the access rules have for it; without one it keeps its own. Where several
 * subjects have rules for what it opens, it is the one that fits best.
 */
export function nameFlows(
  stack: string,
  flows: readonly EffectiveFlow[],
  stated: RuleLookup<PacketRule>,
): PacketRule[] {
  const sizes = new Map(
    [...groupBy(stated.all(), subjectKey)].map(([key, all]) => [key, all.length]),
  );
  const taken = new Set<string>();
  const names = new Map(
    [...groupBy(flows, carrierKey)].map(([key, own]) => {
      const [best] = fits(stack, own, stated, sizes).sort((a, b) => betterFit(a, b, taken));
      if (best !== undefined) taken.add(best.key);
      return [key, best?.rule];
    }),
  );
  return flows.map((flow): PacketRule => {
    const { kind, carrier, direction, peer, services, resource } = flow;
    const { via, subject } = names.get(carrierKey(flow)) ?? { via: '', subject: carrier };
    const isPackets = kind === 'packets' && peer.kind !== 'unknown';
    // Written out: V8 gives each object that is made by a spread a hidden class, larger than itself.
    return {
      stack,
      via,
      direction,
      subject,
      carrier,
      resource,
      peer,
      services,
      isPackets,
      reason: '',
      unknown: NOTHING,
    };
  });
}

const NOTHING: readonly never[] = [];

/** A subject whose rules meet those of a carrier. */
interface Fit {
  readonly key: string;
  readonly rule: PacketRule;
  /** Rules of the carrier that it has stated. */
  readonly met: number;
  /** Rules of the subject that the carrier does not open. */
  readonly missing: number;
  readonly isNamed: boolean;
}

function fits(
  stack: string,
  own: readonly EffectiveFlow[],
  stated: RuleLookup<PacketRule>,
  sizes: ReadonlyMap<string, number>,
): Fit[] {
  const all = own.flatMap((rule) => {
    const found = stated.find(directionKey({ ...rule, stack }), toRange(rule), rule.services);
    return found.filter((of) => canCarry(rule, of)).map((of) => ({ rule, of }));
  });
  const whole = all.filter(({ rule, of }) => speaksOf(of, rule));
  const met = whole.length > 0 ? whole : all;
  return [...groupBy(met, ({ of }) => subjectKey(of))].map(([key, all]) => ({
    key,
    rule: all[0].of,
    met: new Set(all.map(({ rule }) => rule)).size,
    missing: (sizes.get(key) ?? 0) - new Set(all.map(({ of }) => of)).size,
    isNamed: own[0]?.carrier.includes(all[0].of.subject) === true,
  }));
}

/** Whatever it opens, a firewall is no listener, and a listener no group of servers. */
function canCarry({ carrier, resource }: EffectiveFlow, { via, subject }: PacketRule): boolean {
  if (carrier.startsWith('Cloud Firewall')) return via.startsWith('fixed-ip-');
  const isListener = resource.startsWith('volcenginecc_clb_listener.');
  return via !== 'plugin-endpoint-service' || subject.endsWith('-listener') === isListener;
}

/** Tells whether a rule speaks of all these packets: what a firewall passes beside it names nothing. */
function speaksOf(stated: Packets, rule: Packets): boolean {
  const [a, b] = [toRange(stated), toRange(rule)];
  const isWithin = a.first <= b.first && b.last <= a.last;
  return isWithin && subtract(b.services, a.services).length === 0;
}

function betterFit(a: Fit, b: Fit, taken: ReadonlySet<string>): number {
  return (
    b.met - a.met ||
    a.missing - b.missing ||
    Number(b.isNamed) - Number(a.isNamed) ||
    Number(taken.has(a.key)) - Number(taken.has(b.key))
  );
}

function subjectKey({ via, direction, subject }: PacketRule): string {
  return JSON.stringify([via, direction, subject]);
}

function carrierKey({ direction, carrier }: EffectiveFlow): string {
  return `${direction} ${carrier}`;
}
