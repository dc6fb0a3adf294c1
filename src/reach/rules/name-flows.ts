import { groupBy } from '../../lists/group-by.js';
import type { PacketRule } from '../packet-rule.js';
import type { EffectiveFlow, RuleList } from './reading.js';
import { type Fit, type StatedSubjects, statesAll, statesSome } from './stated-subjects.js';

/** The rules that have the names of carriers, by direction and carrier. */
export type CarrierNames = ReadonlyMap<string, PacketRule>;

/**
 * Gives each carrier the name that the access rules have for it; without one it keeps its own. Where several
 * subjects have rules for what it opens, it is the one that fits best.
 *
 * @param addressOf the Terraform address of a carrier, of several subjects that fit alike it has the one in there
 */
export function nameFlows(
  stack: string,
  flows: readonly EffectiveFlow[],
  stated: StatedSubjects,
  addressOf?: AddressOf,
): PacketRule[] {
  return applyNames(stack, flows, nameCarriers(stack, flows, stated, [], addressOf));
}

type AddressOf = (carrier: string) => string;

/**
 * Finds the names of carriers by what they open.
 *
 * @param lists named by what they accept or deny in vain, where nothing else has the name: an address keeps it
 * where a policy denies what its access rule states
 */
export function nameCarriers(
  stack: string,
  flows: readonly EffectiveFlow[],
  stated: StatedSubjects,
  lists: readonly RuleList[] = [],
  addressOf: AddressOf = (carrier) => carrier,
): CarrierNames {
  const taken = new Set<string>();
  const names = new Map<string, PacketRule>();
  for (const [key, own] of groupBy(flows, carrierKey)) {
    const whole = stated.findBest(stack, own, statesAll);
    const fits = whole.length > 0 ? whole : stated.findBest(stack, own, statesSome);
    const address = addressOf(own[0].carrier);
    const [best] = fits.sort((a, b) => betterFit(a, b, address, taken));
    if (best === undefined) continue;
    taken.add(best.key);
    names.set(key, best.rule);
  }
  for (const list of lists) {
    const key = carrierKey(list);
    const fits = names.has(key) ? [] : stated.findBest(stack, verdictFlows(list), statesAll);
    const best = fits.find((fit) => !taken.has(fit.key));
    if (best !== undefined) names.set(key, best.rule);
  }
  return names;
}

function betterFit(a: Fit, b: Fit, address: string, taken: ReadonlySet<string>): number {
  return (
    nameLength(address, b.rule) - nameLength(address, a.rule) ||
    a.missing - b.missing ||
    Number(taken.has(a.key)) - Number(taken.has(b.key))
  );
}

/** The length of a subject's name if whole words of a resource's name are it: `orders-2` fits `orders-2_group` better than `orders`. */
function nameLength(address: string, { subject }: PacketRule): number {
  // A listener shares its name with the group behind it.
  const name = wordsOf(subject.replace(/-listener$/, ''));
  return wordsOf(address.slice(address.indexOf('.') + 1)).includes(name) ? name.length : 0;
}

function wordsOf(text: string): string {
  return ` ${text.split(/[^A-Za-z0-9]+/).join(' ')} `;
}

/** The packets of each rule of a list, whatever the others make of them. */
function verdictFlows({ carrier, direction, rules }: RuleList): EffectiveFlow[] {
  return rules.flatMap(({ peers, services, resource }) =>
    peers.map((peer) => ({ kind: 'packets', carrier, direction, peer, services, resource })),
  );
}

export function applyNames(
  stack: string,
  flows: readonly EffectiveFlow[],
  names: CarrierNames,
): PacketRule[] {
  return flows.map((flow): PacketRule => {
    const { kind, carrier, direction, peer, services, resource } = flow;
    const { via, subject } = names.get(carrierKey(flow)) ?? { via: '', subject: carrier };
    const isPackets = kind === 'packets' && peer.kind !== 'unknown';
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

/** Finds the name of a carrier; only one direction may be stated, and the other is of the same thing. */
export function nameOf(
  names: CarrierNames,
  { carrier, direction }: Pick<RuleList, 'carrier' | 'direction'>,
): PacketRule | undefined {
  const other = direction === 'ingress' ? 'egress' : 'ingress';
  return (
    names.get(carrierKey({ carrier, direction })) ??
    names.get(carrierKey({ carrier, direction: other }))
  );
}

export function carrierKey({
  direction,
  carrier,
}: Readonly<{ direction: string; carrier: string }>): string {
  return `${direction} ${carrier}`;
}
