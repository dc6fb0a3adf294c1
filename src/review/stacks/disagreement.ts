import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import type { PacketRule, Packets } from '../../reach/packet-rule.js';
import { addressesIn } from '../../reach/read/address.js';
import { list, object, text } from '../../reach/read/json.js';
import type { SynthesizedStack } from '../../reach/read/read-tree.js';
import { carrierKey, listKey } from '../../reach/rules/carriers.js';
import type { EffectiveFlow } from '../../reach/rules/reading.js';
import { combine } from '../../reach/sets/ranges.js';
import { cellKey, type PeerClass, peerOf, toRegion } from '../../reach/sets/region.js';
import { EVERYTHING, subtract } from '../../reach/sets/services.js';
import { type Change, changeId, findChanges } from '../packet-changes.js';

/** Differences between the Terraform JSON and the access rules of a stack. */
export type Disagreement = ReturnType<typeof compareWithRules>;

/**
 * Compares packet by packet; what is unknown is reported as unread, and is no disagreement.
 *
 * @param denied packets that what also opens some denies
 */
export function compareWithRules(
  { flows, denied }: Readonly<Record<'flows' | 'denied', readonly EffectiveFlow[]>>,
  rules: readonly PacketRule[],
) {
  const known = flows.filter(isKnown);
  const hasUnknown = known.length < flows.filter(({ kind }) => kind !== 'list').length;
  const opened = known.map(comparable);
  const { unstated, unopened } = compareSets(opened, rules);
  const carriers = groupBy(known, listKey);
  const named = rulesByCarrier(rules);
  return {
    /** Terraform opens it, and no rule states it. */
    unstated,
    /** A rule states it, and nothing in Terraform opens it. */
    unopened: hasUnknown ? [] : unopened,
    /** The same as rules: they count as open, for firewalls are rendered from them. */
    unopenedRules: unopened.length === 0 ? [] : findUnopened(known, rules),
    /** Packets that a resource opens and that only rules state which name others. */
    foreign: unstated.length > 0 ? [] : findForeign(carriers, named, rules),
    /** Rules that a resource does not open that they name. */
    uncarried:
      hasUnknown || unopened.length > 0
        ? []
        : findUncarried(carriers, named, [...known, ...denied]),
  };
}

function compareSets(opened: readonly Packets[], rules: readonly Packets[]) {
  const stated = rules.map(comparable);
  const changes = findChanges({
    a: { region: toRegion(stated), rules: stated },
    b: { region: toRegion(opened), rules: opened },
  });
  return {
    unstated: changes.filter(({ effect }) => effect === 'widens'),
    unopened: changes.filter(({ effect }) => effect === 'narrows'),
  };
}

function isKnown({ kind, peer }: EffectiveFlow): boolean {
  return (kind === 'packets' || kind === 'link') && peer.kind !== 'unknown';
}

/** Returns what of each subject's rules is not open, whoever opens it. */
export function findUnopened(
  flows: readonly EffectiveFlow[],
  rules: readonly PacketRule[],
): PacketRule[] {
  const opened = toRegion(flows.filter(isKnown).map(comparable));
  return [...toRegion(rules).values()].flatMap((cell) => {
    const { stack, via, direction, subject, peer, ranges } = cell;
    const there = opened.get(cellKey({ direction, peer }))?.ranges ?? [];
    if (isLink(peer) && there.length > 0) return [];
    return combine(ranges, there, subtract).map((range) => ({
      stack,
      via,
      direction,
      subject,
      reason: '',
      unknown: [],
      peer: peerOf(cell, range),
      services: range.services,
    }));
  });
}

/** Packets of each carrier: a firewall opens them for an own address through all its policies together. */
type Carriers = ReadonlyMap<string, NonEmpty<EffectiveFlow>>;

function addressesOf({ carrier, resource }: EffectiveFlow): string[] {
  return [...addressesIn(carrier), ...addressesIn(resource)];
}

/** Finds rules of one subject that slipped into the group of another. What no rule names carries those that name nothing. */
function findForeign(carriers: Carriers, named: Naming, rules: readonly PacketRule[]) {
  if (named.size === 0) return [];
  return [...carriers.values()].flatMap((own) => {
    const naming = addressesOf(own[0]).flatMap((address) => named.get(address) ?? []);
    const stated = naming.length > 0 ? naming : rules.filter(({ carriers }) => !carriers);
    const [foreign] = compareSets(own.map(comparable), stated).unstated;
    return foreign === undefined ? [] : [{ resource: own[0].resource, change: foreign }];
  });
}

/** Finds rules that name a resource which does not let their packets through, or is not there. */
function findUncarried(carriers: Carriers, named: Naming, all: readonly EffectiveFlow[]) {
  if (named.size === 0) return [];
  // One text names the resources of thousands of flows.
  const alike = [...groupBy(all, ({ resource }) => resource).values()].flatMap((same) =>
    [...groupBy(same, carrierKey).values()].map(([flow]) => flow),
  );
  const lists = groupBy(
    alike.flatMap((flow) => addressesOf(flow).map((address) => ({ address, key: listKey(flow) }))),
    ({ address }) => address,
  );
  return [...named].flatMap(([address, stated]) => {
    const keys = new Set(lists.get(address)?.map(({ key }) => key));
    const opened = [...keys].flatMap((key) => carriers.get(key) ?? []).map(comparable);
    const [missing] = compareSets(opened, stated).unopened;
    return missing === undefined ? [] : [{ address, change: missing }];
  });
}

/** Rules by each address that they name as their carrier. */
type Naming = ReturnType<typeof rulesByCarrier>;

function rulesByCarrier(rules: readonly PacketRule[]) {
  const named = rules.flatMap((rule) => (rule.carriers ?? []).map((one) => ({ ...rule, one })));
  return groupBy(named, ({ one }) => one);
}

/** Through a private link the ports are the listeners'; an account or a connection is all or nothing. */
function comparable({ direction = '', peer, services }: Packets): Packets {
  return { direction, peer, services: isLink(peer) ? EVERYTHING : services };
}

function isLink({ kind }: PeerClass): boolean {
  return kind === 'account' || kind === 'endpoint';
}

/** Each by names and values, and as a sentence. */
export function describeDisagreement(
  stack: SynthesizedStack,
  { unstated, unopened, foreign, uncarried }: Disagreement,
) {
  return [
    ...unstated.map((change) => ({
      identity: changeId(change),
      message: `Terraform opens ${flowText(change)}, and no access rule states it`,
    })),
    ...unopened.map((change) => ({
      identity: changeId(change),
      message: `an access rule states ${flowText(change)}; Terraform does not open it, and \`enforcedElsewhere\` names nothing that does`,
    })),
    ...foreign.map(({ resource, change }) => ({
      identity: ['foreign', resource],
      message: `${resource} opens ${flowText(change)}, and no access rule that names it as its carrier states it`,
    })),
    ...uncarried.map(({ address, change }) => ({
      identity: ['uncarried', address],
      message: `an access rule names ${address} as its carrier, which does not open ${flowText(change)}`,
    })),
    ...wrongDigests(stack),
    ...wrongAddresses(stack),
  ];
}

/** `ingress from 10.0.0.0/8, tcp 443`. */
export function flowText({ direction, peer, services, at }: Change): string {
  const ports = isLink(at.peer) ? '' : `, ${services}`;
  return `${direction} ${direction === 'ingress' ? 'from' : 'to'} ${peer}${ports}`;
}

/** Firewalls of clients are rendered from the addresses of endpoints. */
function wrongAddresses({ access, terraform: { resources } }: SynthesizedStack) {
  const own = new Set(
    resources
      .filter(({ type }) => type === 'volcenginecc_privatelink_vpc_endpoint')
      .flatMap(({ body }) => list(body.zones).map((zone) => object(zone).private_ip_address)),
  );
  return list(object(access).endpoints).flatMap((endpoint) => {
    const subject = text(object(endpoint).subject);
    return list(object(endpoint).addresses)
      .filter((address) => !own.has(address))
      .map((address) => ({
        identity: ['address', subject, text(address)],
        message: `access.json has the address ${text(address)} for ${subject}, and no endpoint of Terraform has it`,
      }));
  });
}

/** The digest of the access rules makes a check run again, and is what clients compare. */
function wrongDigests({ access, rulesDigest, terraform }: SynthesizedStack) {
  if (access === undefined) return [];
  const { digest } = access;
  const read = (name: string) => object(terraform.outputs[name]).value;
  const linkDigest = (name: string) => /"rulesDigest":"([^"]*)"/.exec(text(read(name)))?.[1];
  const own = {
    identity: ['digest', 'access.json'],
    message: `access.json states the digest ${digest}, and its rules have ${rulesDigest}`,
  };
  const stated = Object.entries({
    'output.rules-digest': read('rules-digest'),
    'output.connectivity': linkDigest('connectivity'),
    'output.connections': linkDigest('connections'),
  });
  return [
    ...(rulesDigest !== undefined && rulesDigest !== digest ? [own] : []),
    ...stated
      .filter(([, value]) => value !== undefined && text(value) !== digest)
      .map(([where, value]) => ({
        identity: ['digest', where],
        message: `${where} is ${text(value) || 'empty'}, and access.json has ${digest}`,
      })),
  ];
}
