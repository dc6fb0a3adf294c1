import { groupBy } from '../../lists/group-by.js';
import { peerName, type RulePeer, type Verdict } from '../packet-rule.js';
import { identifierReference } from '../read/address.js';
import type { Json } from '../read/json.js';
import { fingerprint, type TerraformResource, type Unread } from '../read/terraform-json.js';
import type { Services } from '../sets/services.js';

/** Packets that Terraform lets through, read without access rules. */
export interface EffectiveFlow {
  /**
   * `packets` are decided by ports; a `link` by account or connection, on the ports of the listeners;
   * a `list` holds for whoever refers to it; `foreign` rules are not in the tree.
   */
  readonly kind: 'packets' | 'link' | 'list' | 'foreign';
  /**
   * The carrier of the rules: an endpoint, a group on its own, a load balancer, the firewall. Digests and
   * fingerprints contain it, so its words stay as they are.
   */
  readonly carrier: string;
  /** `either` of a list, whose users say in which direction it counts. */
  readonly direction: 'ingress' | 'egress' | 'either';
  readonly peer: RulePeer;
  readonly services: Services;
  /** Terraform's address of the resource whose rule lets it through. */
  readonly resource: string;
}

/** An ordered list of rules, which decides for one carrier in one direction. */
export interface RuleList {
  /** A `gate` has no rules of its own: a condition that all packets pass, or none. */
  readonly kind: 'group' | 'firewall' | 'listener' | 'acl' | 'gate';
  /** See {@link EffectiveFlow.carrier}. */
  readonly carrier: string;
  readonly direction: 'ingress' | 'egress';
  readonly rules: readonly Verdict[];
  /** Rules that may be in force: they open and stop nothing for certain. */
  readonly unclear?: readonly Verdict[];
  /** The own side of a firewall's policies. */
  readonly own?: RulePeer;
  /** The sides of a firewall before a place that may have each of them; its rules are those of all. */
  readonly places?: OwnPlaces;
  /** The carrier of the smallest own side, as policies write it, that holds this part of one. */
  readonly side?: string;
  /** True of a listener that is switched off: nothing listens at its port. */
  readonly isOff?: true;
}

/** The rules for an own side, or a part of it; without one for wherever nothing else is for. */
export type OwnSide = Pick<RuleList, 'own' | 'rules' | 'unclear'>;

/** The own sides that a place may have, with the rules for each beside those that are for all. */
export interface OwnPlaces {
  readonly everywhere: OwnSide;
  /** Two or more. */
  readonly sides: readonly OwnSide[];
}

/** The content of a part of a stack. */
export interface Reading {
  readonly flows?: readonly EffectiveFlow[];
  /** The rules that packets are decided by. */
  readonly lists?: readonly RuleList[];
  /** Packets that a firewall, or a group outward, denies: when they become fewer, more passes. */
  readonly denied?: readonly EffectiveFlow[];
  readonly facts?: readonly Fact[];
  readonly unread?: readonly Unread[];
}

export function joinReadings(readings: readonly Reading[]): Required<Reading> {
  return {
    flows: readings.flatMap(({ flows = [] }) => flows),
    lists: readings.flatMap(({ lists = [] }) => lists),
    denied: readings.flatMap(({ denied = [] }) => denied),
    facts: readings.flatMap(({ facts = [] }) => facts),
    unread: readings.flatMap(({ unread = [] }) => unread),
  };
}

/** @param attribute undefined where all of it is unread */
export function unreadValue(
  where: string,
  attribute: string | undefined,
  why: string,
  value: unknown,
): Unread {
  const named = attribute === undefined ? {} : { attribute };
  return { where, ...named, why, fingerprint: fingerprint(value) };
}

/** The members of a body that nothing reads. @param read names of those that something does */
export function unreadMembers(
  where: string,
  body: Json,
  read: readonly string[],
  why: string,
): Unread[] {
  return Object.entries(body)
    .filter(([name]) => !read.includes(name))
    .map(([name, value]) => unreadValue(where, name, why, value));
}

/** The resources of a stack by their addresses, and what an expression refers to. */
export class ResourceIndex {
  readonly #byAddress: ReadonlyMap<string, TerraformResource>;
  readonly #byType: ReadonlyMap<string, readonly TerraformResource[]>;

  constructor(readonly all: readonly TerraformResource[]) {
    this.#byAddress = new Map(all.map((resource) => [resource.address, resource]));
    const resources = all.filter(({ kind }) => kind === 'resource');
    this.#byType = groupBy(resources, ({ type }) => type);
  }

  ofType(type: string): readonly TerraformResource[] {
    return this.#byType.get(type) ?? [];
  }

  /** Finds a resource by Terraform's address. */
  at(address: string): TerraformResource | undefined {
    return this.#byAddress.get(address);
  }

  /** The resource that an expression names, alone, by its identifier. */
  named(value: unknown): TerraformResource | undefined {
    return this.#byAddress.get(identifierReference(value)?.address ?? '');
  }
}

/** Terraform takes `"443"` for a number; undefined where it is none. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

/** Terraform takes `"true"` for a boolean; undefined where it is none. */
export function toBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

/** The meaning of an attribute. */
export interface Meaning {
  /** The kind of decision: the destination of traffic, its control, or a protection. */
  readonly kind: 'destination' | 'safeguard' | 'control';
  /** The changes that need approval; `replaced` is one value for another. */
  readonly guards: 'added' | 'removed' | 'replaced' | 'any';
  /** The consequence of a guarded change, as a clause. */
  readonly consequence: string;
  /** True if the part is also missed after its resource goes away; others go with their resource. */
  readonly isLasting?: true;
  /** The values are networks: what they hold counts, and not how they are written. */
  readonly areNetworks?: true;
}

/** A single value or set of values that decides where traffic ends up, who controls it or what protects it. */
export interface Fact extends Meaning {
  /** Terraform's address of a resource, or a block such as `provider.null`. */
  readonly resource: string;
  /** The parts that tell it from other facts of the resource, however it is worded. */
  readonly id: readonly string[];
  /** The one of several things of the resource that it is of: each comes and goes whole. */
  readonly part?: Readonly<{ name: string; consequenceOfNew: string }>;
  /** The thing that is decided, as a noun phrase: no two facts of a resource have the same. */
  readonly what: string;
  /** In order, without repeats; none where nothing is stated. */
  readonly values: readonly string[];
}

/** A fact, and what a change of it means; by a name that stays when the words change. */
export type FactRows<Name extends string> = Readonly<
  Record<
    Name,
    readonly [what: string, guards: Fact['guards'], consequence: string, form?: 'networks']
  >
>;

interface FactOrigin extends Pick<Fact, 'kind' | 'resource' | 'isLasting' | 'part'> {
  /** The one of several things of the resource that the facts are of; it completes their `what`. */
  readonly of?: string;
}

/** Facts of a resource or block, with what is stated of each: a value, a list, or nothing. */
export function makeFacts<Name extends string>(
  { of, ...origin }: FactOrigin,
  rows: FactRows<Name>,
  stated: Readonly<Record<NoInfer<Name>, unknown>>,
): Fact[] {
  const values = new Map(Object.entries(stated));
  return Object.entries<FactRows<Name>[Name]>(rows).map(
    ([name, [what, guards, consequence, form]]) => ({
      ...{ ...origin, guards, consequence },
      id: of === undefined ? [name] : [name, of],
      what: of === undefined ? what : `${what} ${of}`,
      values: toValues(values.get(name)),
      ...(form && { areNetworks: true }),
    }),
  );
}

/** Describes a safeguard, which is also missed if its resource goes away. */
export function safeguardOf(resource: string): FactOrigin {
  return { kind: 'safeguard', resource, isLasting: true };
}

export function toValues(value: unknown): string[] {
  const all = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return [...new Set(all.map(toText))].sort();
}

/** The same text for the same value, in whatever order its members are written. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The carrier of the policies for an own side. */
export function firewallCarrier(direction: string, own: RulePeer): string {
  return `${FIREWALL}, ${direction} of ${peerName(own)}`;
}

/** Tells whether a carrier is Cloud Firewall. */
export function isOfFirewall(carrier = ''): boolean {
  return carrier.startsWith(FIREWALL);
}

const FIREWALL = 'Cloud Firewall';
