import { groupBy } from '../../lists/group-by.js';
import type { Name, PacketRule } from '../packet-rule.js';
import { addressesIn, firstAddress } from '../read/address.js';
import { text } from '../read/json.js';
import { type EffectiveFlow, isOfFirewall, type ResourceIndex } from './reading.js';

/** Rules of one carrier, in order or as the packets that they let through. */
type Carried = Readonly<Record<'carrier' | 'direction', string>>;

/**
 * The names of carriers. The access rules say what carries them, so that a name is looked up; what none of
 * them names has its own. Names are labels: they decide nothing.
 */
export class CarrierNames {
  readonly #stated: ReadonlyMap<string, readonly Stated[]>;
  readonly #own: ReadonlyMap<string, readonly string[]>;
  /** By the resources that let packets through: one text for thousands of flows. */
  readonly #ofFlows = new Map<string, Map<string, Name>>();

  /** @param addressOf Terraform's address for one of the index. @default - they are the same */
  constructor(
    rules: readonly PacketRule[],
    private readonly index: ResourceIndex,
    private readonly addressOf: (address: string) => string = (address) => address,
  ) {
    const carried = rules.flatMap((rule) => (rule.carriers ?? []).map((one) => ({ ...rule, one })));
    const alike = groupBy(carried, ({ one, direction, via, subject }) =>
      JSON.stringify([one, direction, via, subject]),
    );
    const stated = [...alike.values()].map((all) => ({
      one: all[0].one,
      name: all[0],
      rules: all,
    }));
    this.#stated = groupBy(stated, ({ one }) => one);
    const named = index.all.flatMap(({ body }) => OWN_NAMES.map((name) => text(body[name])));
    this.#own = groupBy([...rules.map(({ subject }) => subject), ...named], (name) => name);
  }

  /** Returns the access rules that name what carries a list: those of its direction, if there are some. */
  statedBy({ carrier, direction }: Carried, resources: readonly string[]): readonly Stated[] {
    const addresses = new Set([...addressesIn(carrier), ...resources].map(this.addressOf));
    const all = [...addresses].flatMap((address) => this.#stated.get(address) ?? []);
    const own = all.filter(({ name }) => name.direction === direction);
    return own.length > 0 ? own : all;
  }

  /** Names a carrier as all access rules do that name it, else as it is called itself. */
  nameOf(carried: Carried, resources: readonly string[]): Name {
    const [name, ...others] = namesOf(this.statedBy(carried, resources));
    return name === undefined || others.length > 0 ? this.ownName(carried) : name;
  }

  /** Names the carrier of packets that pass. */
  nameOfFlow(flow: EffectiveFlow): Name {
    const { carrier, direction, resource } = flow;
    const known = this.#ofFlows.get(resource) ?? new Map<string, Name>();
    this.#ofFlows.set(resource, known);
    const key = carrierKey({ carrier, direction });
    const name =
      known.get(key) ??
      this.nameOf(flow, [
        // Identifiers of a cloud may begin with a digit, which no address does.
        ...resource.split(', '),
        ...addressesIn(resource),
      ]);
    known.set(key, name);
    return name;
  }

  /** The name that the thing has in the cloud, where nothing else is called so; else Terraform's address. */
  ownName({ carrier }: Pick<Carried, 'carrier'>): Name {
    const body = this.index.at(firstAddress(carrier))?.body ?? {};
    const [name = ''] = OWN_NAMES.flatMap((attribute) => body[attribute] ?? []).map(text);
    const isItsAlone = this.#own.get(name)?.length === 1;
    const isName = isItsAlone && WORD.test(name) && !RESERVED.includes(name);
    return { subject: isName ? name : carrier, via: '' };
  }
}

/** Access rules of one name in one direction, which name the same carrier. */
interface Stated {
  readonly name: Name & Pick<PacketRule, 'direction'>;
  readonly rules: readonly PacketRule[];
}

/** The attributes in which carriers have their names. */
const OWN_NAMES = [
  'security_group_name',
  'endpoint_name',
  'load_balancer_name',
  'network_interface_name',
];

/** A name that is taken for nothing else: no address, no sentence. */
const WORD = /^\p{L}[\p{L}\p{N}_-]*$/u;
const RESERVED = ['service', 'internet', 'workloads'];

/** The names that rules are stated for, each once. */
export function namesOf(stated: readonly Stated[]): Name[] {
  const alike = groupBy(stated, ({ name }) => nameKey(name));
  return [...alike.values()].map(([{ name }]) => ({ subject: name.subject, via: name.via }));
}

export function nameKey({ subject, via }: Name): string {
  return JSON.stringify([via, subject]);
}

/** Makes rules of the packets that carriers let through, under their names. */
export function applyNames(
  stack: string,
  flows: readonly EffectiveFlow[],
  names?: CarrierNames,
): PacketRule[] {
  return flows.map((flow): PacketRule => {
    const name = names?.nameOfFlow(flow) ?? { via: '', subject: flow.carrier };
    const isPackets = flow.kind === 'packets' && flow.peer.kind !== 'unknown';
    return { ...flow, stack, ...name, isPackets, reason: '', unknown: NOTHING };
  });
}

const NOTHING: readonly never[] = [];

/** Tells lists apart: those of listeners, which have one balancer, and a firewall's, whose policies decide together. */
export function listKey({ carrier, direction, resource }: Carried & { resource: string }): string {
  return JSON.stringify([carrier, direction, isOfFirewall(carrier) || resource]);
}

export function carrierKey({ direction, carrier }: Carried): string {
  return `${direction} ${carrier}`;
}
