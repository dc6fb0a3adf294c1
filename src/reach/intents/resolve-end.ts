import { nearestText } from '../../codes/near-text.js';
import { type End, type Name, namesIn } from '../../intents/intents-file.js';
import { invalidIntents } from '../../intents/read-intents.js';
import { isNetworkText, LINK_NETWORK, PRIVATE_NETWORKS } from '../../net/cidr.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import type { PacketRule } from '../packet-rule.js';
import { everythingOf } from '../sets/ranges.js';
import {
  addressSet,
  allBut,
  NOBODY,
  namedSet,
  type PeerSet,
  unclearSet,
  uniteSets,
} from './peer-set.js';
import { type At, isWayNamed, knownNames, ruleNames, type Scope } from './scope.js';

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
  const addresses = linkNamed(name, scope)?.addresses;
  if (addresses !== undefined) return addressSet(addresses);
  if (isNamed(name, scope)) return unclearSet(name);
  throw unknownName(name, scope);
}

export function unknownName(name: string, scope: Scope) {
  const known = knownNames(scope);
  return invalidIntents(
    `an end must be an address or something that the stacks have: ${known.join(', ')}, got: "${name}"${nearestText(name, known)}`,
  );
}

/** Tells whether something in the stacks has a name. */
export function isNamed(name: string, scope: Scope): boolean {
  const isThere = (stack: Scope['stacks'][number]) =>
    stack.ways.some((way) => isWayNamed(way, stack, [name])) ||
    [...stack.named, ...stack.rules].some((rule) => ruleNames(rule, stack).includes(name));
  return linkNamed(name, scope) !== undefined || scope.stacks.some(isThere);
}

function linkNamed(name: string, { stacks }: Scope) {
  const links = stacks.flatMap((stack) => stack.links);
  return links.find((one) => one.name === name || one.host === name);
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
