import { groupBy } from '../../lists/group-by.js';
import type { PacketRule, Packets } from '../../reach/packet-rule.js';
import { list, object, text } from '../../reach/read/json.js';
import type { SynthesizedStack } from '../../reach/read/read-tree.js';
import type { EffectiveFlow } from '../../reach/rules/reading.js';
import { RuleLookup } from '../../reach/sets/lookup.js';
import { combine } from '../../reach/sets/ranges.js';
import {
  cellKey,
  directionKey,
  type PeerClass,
  peerOf,
  toRange,
  toRegion,
} from '../../reach/sets/region.js';
import { EVERYTHING, subtract } from '../../reach/sets/services.js';
import { type Change, changeId, findChanges } from '../packet-changes.js';

/** Differences between the Terraform JSON and the access rules of a stack. */
export type Disagreement = ReturnType<typeof compareWithRules>;

/** Compares packet by packet; what is unknown is reported as unread, and is no disagreement. */
export function compareWithRules(flows: readonly EffectiveFlow[], rules: readonly PacketRule[]) {
  const known = flows.filter(isKnown);
  const hasUnknown = known.length < flows.filter(({ kind }) => kind !== 'list').length;
  const opened = known.map(comparable);
  const { unstated, unopened } = compareSets(opened, rules);
  return {
    /** Terraform opens it, and no rule states it. */
    unstated,
    /** A rule states it, and nothing in Terraform opens it. */
    unopened: hasUnknown ? [] : unopened,
    /** The same as rules: they count as open, for firewalls are rendered from them. */
    unopenedRules: unopened.length === 0 ? [] : findUnopened(known, rules),
    /** Carriers that open what is stated for several subjects apart. */
    mixed: unstated.length > 0 ? [] : mixedCarriers(known, rules),
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

/** Rules of one subject that slipped into the group of another. */
function mixedCarriers(flows: readonly EffectiveFlow[], rules: readonly PacketRule[]): string[] {
  const stated = new RuleLookup(subjectParts(rules), directionKey);
  return [...groupBy(flows, ({ carrier }) => carrier)].flatMap(([, own]) => {
    const opened = own.map(comparable);
    const met = new Set(
      opened.flatMap((rule) => stated.find(directionKey(rule), toRange(rule), rule.services)),
    );
    const subjects = [...groupBy([...met], ({ subject }) => subject).values()];
    // Everything is stated, and by nobody else.
    if (subjects.length === 1) return [];
    const isOfOne = subjects.some((some) => compareSets(opened, some).unstated.length === 0);
    return isOfOne ? [] : [...new Set(own.map(({ resource }) => resource))];
  });
}

/** Returns what is stated for each subject, all its rules together: as many parts as it has networks. */
function subjectParts(rules: readonly PacketRule[]): Packets[] {
  const named = rules.map((rule) => ({
    ...comparable(rule),
    subject: JSON.stringify([rule.via, rule.subject]),
  }));
  return [...toRegion(named).values()].flatMap((cell) =>
    cell.ranges.map((range) => {
      const { direction, subject } = cell;
      return { direction, subject, peer: peerOf(cell, range), services: range.services };
    }),
  );
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
  { unstated, unopened, mixed }: Disagreement,
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
    ...mixed.map((resource) => ({
      identity: ['mixed', resource],
      message: `${resource} opens what the access rules state for several subjects apart`,
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
  const linkDigest = (name: string) => /"accessDigest":"([^"]*)"/.exec(text(read(name)))?.[1];
  const own = {
    identity: ['digest', 'access.json'],
    message: `access.json states the digest ${digest}, and its rules have ${rulesDigest}`,
  };
  const stated = Object.entries({
    'output.access-digest': read('access-digest'),
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
