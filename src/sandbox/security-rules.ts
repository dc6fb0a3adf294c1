import { parseAddress } from '../net/address.js';
import { cidrContains, parseCidr } from '../net/cidr.js';
import { type JsonObject, textOf } from './json.js';

/** A TCP connection as a security group sees it arrive. */
export interface Arrival {
  readonly from: string;
  /** The security groups that the sender is in. */
  readonly fromGroups: readonly string[];
  readonly port: number;
}

/**
 * What a set of ingress rules says: the lowest priority number that matches decides, at equal
 * priority `drop` does, and what nothing matches is dropped.
 */
export function decide(rules: readonly JsonObject[], arrival: Arrival): 'accept' | 'drop' {
  const matching = rules.filter((rule) => matches(rule, arrival));
  const first = Math.min(...matching.map((rule) => Number(rule.Priority)));
  const deciding = matching.filter((rule) => Number(rule.Priority) === first);
  return deciding.length > 0 && deciding.every((rule) => rule.Policy === 'accept')
    ? 'accept'
    : 'drop';
}

function matches(rule: JsonObject, { from, fromGroups, port }: Arrival): boolean {
  if (rule.Protocol !== 'tcp' && rule.Protocol !== 'all') return false;
  const [first, last] = [Number(rule.PortStart), Number(rule.PortEnd)];
  if (first !== -1 && (port < first || port > last)) return false;
  // With several peers in one rule the cloud lets the address block win.
  const cidr = textOf(rule, 'CidrIp');
  if (cidr !== '') return cidrContains(parseCidr(cidr), parseAddress(from));
  return fromGroups.includes(textOf(rule, 'SourceGroupId'));
}
