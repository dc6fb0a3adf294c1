import { parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';
import { type JsonObject, textOf } from '../json.js';

/** A TCP connection as a security group sees it, on its way in or out. */
interface PeerConnection {
  /** The other side's address. */
  readonly peer: string;
  /** The security groups that the other side is in. */
  readonly peerGroups: readonly string[];
  readonly port: number;
  /** The networks of a prefix list, by its identifier. */
  readonly networksOf: (prefixListId: string) => readonly string[];
}

/**
 * What a set of rules of one direction says: the lowest priority number that matches decides, at
 * equal priority `drop` does, and what nothing matches is dropped.
 */
export function decide(
  rules: readonly JsonObject[],
  connection: PeerConnection,
): 'accept' | 'drop' {
  const matching = rules.filter((rule) => matches(rule, connection));
  const first = Math.min(...matching.map((rule) => Number(rule.Priority)));
  const deciding = matching.filter((rule) => Number(rule.Priority) === first);
  return deciding.length > 0 && deciding.every((rule) => rule.Policy === 'accept')
    ? 'accept'
    : 'drop';
}

function matches(
  rule: JsonObject,
  { peer, peerGroups, port, networksOf }: PeerConnection,
): boolean {
  if (rule.Protocol !== 'tcp' && rule.Protocol !== 'all') return false;
  const [first, last] = [Number(rule.PortStart), Number(rule.PortEnd)];
  if (first !== -1 && (port < first || port > last)) return false;
  // With several peers in one rule the cloud lets the block win, then the group, then the list.
  const cidr = textOf(rule, 'CidrIp');
  if (cidr !== '') return within(peer, [cidr]);
  const group = textOf(rule, 'SourceGroupId');
  if (group !== '') return peerGroups.includes(group);
  return within(peer, networksOf(textOf(rule, 'PrefixListId')));
}

/** Whether an address lies in one of the networks. */
export function within(address: string, networks: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return networks.some((network) => cidrContains(parseCidr(network), parsed));
}
