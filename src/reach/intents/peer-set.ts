import { nearestText } from '../../codes/near-text.js';
import { type End, type Name, namesIn } from '../../intents/intents-file.js';
import { invalidIntents } from '../../intents/read-intents.js';
import { isNetworkText, LINK_NETWORK, PRIVATE_NETWORKS, parseNetwork } from '../../net/cidr.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import type { PacketRule } from '../packet-rule.js';
import { combine, everythingOf, type OpenRanges } from '../sets/ranges.js';
import { subtract, union } from '../sets/services.js';
import { everyPacket } from '../ways/pass.js';
import { type At, isWayNamed, knownNames, ruleNames, type Scope } from './scope.js';

/** Names: these, or all but these. */
export interface NameSet {
  readonly isAllBut: boolean;
  readonly names: readonly string[];
}

/** Everybody whom an end of an intent means. */
export interface PeerSet {
  readonly 4: OpenRanges;
  readonly 6: OpenRanges;
  readonly account: NameSet;
  readonly endpoint: NameSet;
  /** Names whose addresses no file says; a set without them is too small, or with `isTooLarge` too large. */
  readonly unclear: readonly string[];
  readonly isTooLarge: boolean;
}

const NO_NAMES: NameSet = { isAllBut: false, names: [] };

export const NOBODY: PeerSet = {
  4: [],
  6: [],
  account: NO_NAMES,
  endpoint: NO_NAMES,
  unclear: [],
  isTooLarge: false,
};

/** The addresses of networks. @throws RangeError naming the broken rule */
export function addressSet(networks: readonly string[]): PeerSet {
  const cidrs = networks.map(parseNetwork);
  return { ...NOBODY, 4: everythingOf(cidrs, 4), 6: everythingOf(cidrs, 6) };
}

export function namedSet(kind: 'account' | 'endpoint', name: string): PeerSet {
  return { ...NOBODY, [kind]: { isAllBut: false, names: [name] } };
}

export function unclearSet(name: string): PeerSet {
  return { ...NOBODY, unclear: [name] };
}

export function uniteSets(sets: readonly PeerSet[]): PeerSet {
  return sets.reduce(
    (a, b) => ({
      4: combine(a[4], b[4], union),
      6: combine(a[6], b[6], union),
      // Neither is one of all names but some.
      account: { isAllBut: false, names: [...a.account.names, ...b.account.names] },
      endpoint: { isAllBut: false, names: [...a.endpoint.names, ...b.endpoint.names] },
      unclear: [...a.unclear, ...b.unclear],
      isTooLarge: a.isTooLarge || b.isTooLarge,
    }),
    NOBODY,
  );
}

export function allBut(set: PeerSet): PeerSet {
  return {
    4: combine(everyPacket(4).packets, set[4], subtract),
    6: combine(everyPacket(6).packets, set[6], subtract),
    account: { ...set.account, isAllBut: true },
    endpoint: { ...set.endpoint, isAllBut: true },
    unclear: set.unclear,
    isTooLarge: set.unclear.length > 0,
  };
}

/** @param hasNames all but some names are somebody there */
export function isNobody(set: PeerSet, hasNames: boolean): boolean {
  const names = [set.account, set.endpoint].flatMap(({ isAllBut, names: own }) =>
    isAllBut && hasNames ? ['*'] : isAllBut ? [] : own,
  );
  return set[4].length + set[6].length + names.length + set.unclear.length === 0;
}

/** Tells whether a set has a name; a rule for `*` is for all of them. */
export function hasName({ isAllBut, names }: NameSet, name: string): boolean {
  if (name === '*') return isAllBut || names.length > 0;
  return names.includes(name) !== isAllBut;
}

/**
 * Everybody whom an end means at a door.
 *
 * @throws ConnectivityError `usage.invalid` for a name that nothing has
 */
export function resolveEnd(end: End, scope: Scope, at: At): PeerSet {
  const { names, isNot } = namesIn(end);
  const set = uniteSets(names.map((name) => resolveName(name, scope, at)));
  return isNot ? allBut(set) : set;
}

function resolveName(name: Name, scope: Scope, at: At): PeerSet {
  if (typeof name === 'object') {
    return 'account' in name
      ? namedSet('account', name.account)
      : namedSet('endpoint', name.endpoint);
  }
  const own = Object.hasOwn(scope.names, name) ? scope.names[name] : undefined;
  // A name of the file means what it says there; in it, built-in names keep their own meaning.
  if (own !== undefined) {
    return uniteSets(own.map((one) => resolveName(one, { ...scope, names: {} }, at)));
  }
  if (isNetworkText(name)) return addressSet([name]);
  if (name === 'internet') {
    const { account, endpoint } = NOBODY;
    return { ...allBut(addressSet(PRIVATE_NETWORKS.map(({ text }) => text))), account, endpoint };
  }
  if (name === 'service') return serviceAt(at);
  if (name === 'workloads') {
    return scope.workloads === undefined ? unclearSet(name) : addressSet(scope.workloads);
  }
  const link = scope.stacks
    .flatMap(({ links }) => links)
    .find((one) => one.name === name || one.host === name);
  if (link?.addresses !== undefined) return addressSet(link.addresses);
  if (link !== undefined || isNamed(name, scope)) return unclearSet(name);
  throw unknownName(name, scope);
}

export function unknownName(name: string, scope: Scope) {
  const known = knownNames(scope);
  return invalidIntents(
    `an end must be an address or something that the stacks have: ${known.join(', ')}, got: "${name}"${nearestText(name, known)}`,
  );
}

/** Tells whether something in the stacks has a name. */
export function isNamed(name: string, { stacks }: Scope): boolean {
  return stacks.some(
    (stack) =>
      stack.ways.some((way) => isWayNamed(way, stack, [name])) ||
      [...stack.named, ...stack.rules].some((rule) => ruleNames(rule, stack).includes(name)),
  );
}

/**
 * The service as it calls through an option, or is called. To call, it has the addresses that are
 * shipped; as a caller, what the access rules of the stack state.
 */
function serviceAt({ stack, via, direction }: At): PeerSet {
  if (direction === 'egress') return addressSet(FIXED_CIDRS);
  const stated = stack.rules.filter(
    (rule) =>
      rule.direction === 'ingress' &&
      SERVICE_VIAS.includes(rule.via) &&
      (via === '' || rule.via === via),
  );
  return uniteSets(stated.map(callerOf));
}

/** The options by which the service calls the enterprise. */
export const SERVICE_VIAS = ['plugin-endpoint-service', 'fixed-ip-ingress'];

function callerOf({ via, peer }: PacketRule): PeerSet {
  if (peer.kind === 'account' || peer.kind === 'endpoint') return namedSet(peer.kind, peer.name);
  // Over a private link every caller has an address of the cloud's own.
  if (via === 'plugin-endpoint-service') return addressSet([LINK_NETWORK]);
  if (peer.kind !== 'addresses') return unclearSet(peer.name);
  return { ...NOBODY, [peer.family]: everythingOf([peer], peer.family) };
}
