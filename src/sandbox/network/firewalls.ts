import { fwcenterAddressBook, fwcenterControlPolicy } from '../../cloud/table/fwcenter.js';
import { vpcNetworkAcl } from '../../cloud/table/read-only.js';
import { parseAddress } from '../../net/address.js';
import { cidrContains, hostCidr, isPrivateAddress, parseCidr } from '../../net/cidr.js';
import { type CloudState, findResource, listResources } from '../cloud/cloud-state.js';
import { bookEntries, portSpan } from '../cloud/types/firewall.js';
import { type JsonObject, readObjects, readText } from '../json.js';
import { isPublicNetwork } from '../surroundings.js';

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
 * Returns what a set of rules of one direction says: the lowest priority number that matches decides, at
 * equal priority `drop` does; undefined where nothing matches.
 */
export function decide(
  rules: readonly JsonObject[],
  connection: PeerConnection,
): 'accept' | 'drop' | undefined {
  const matching = rules.filter((rule) => ruleMatches(rule, connection));
  const first = Math.min(...matching.map((rule) => Number(rule.Priority)));
  const deciding = matching.filter((rule) => Number(rule.Priority) === first);
  if (deciding.length === 0) return undefined;
  return deciding.every((rule) => rule.Policy === 'accept') ? 'accept' : 'drop';
}

function ruleMatches(
  rule: JsonObject,
  { peer, peerGroups, port, networksOf }: PeerConnection,
): boolean {
  if (rule.Protocol !== 'tcp' && rule.Protocol !== 'all') return false;
  const [first, last] = [Number(rule.PortStart), Number(rule.PortEnd)];
  if (first !== -1 && (port < first || port > last)) return false;
  // With several peers in one rule the cloud lets the block win, then the group, then the list.
  const cidr = readText(rule, 'CidrIp');
  if (cidr !== '') return within(peer, [cidr]);
  const group = readText(rule, 'SourceGroupId');
  if (group !== '') return peerGroups.includes(group);
  return within(peer, networksOf(readText(rule, 'PrefixListId')));
}

/** Tells whether an address lies in one of the networks. */
export function within(address: string, networks: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return networks.some((network) => cidrContains(parseCidr(network), parsed));
}

/** A TCP connection between a VPC and the internet. */
interface BorderConnection {
  readonly direction: 'in' | 'out';
  readonly from: string;
  readonly to: string;
  /** Names that lead to the destination, for policies that name a domain. */
  readonly names: readonly string[];
  readonly port: number;
}

/**
 * Returns what the internet border firewall does: the first policy that matches decides. Position 1 is looked
 * at first and a newer policy before an older one of the same position; position 0 comes last, oldest first. What
 * nothing matches passes, so an accept alone restricts nothing; what stays inside it does not see.
 */
export function passesBorder(cloud: CloudState, connection: BorderConnection): boolean {
  const other = connection.direction === 'out' ? connection.to : connection.from;
  if (isPrivateAddress(parseAddress(other))) return true;
  const [deciding] = findPolicies(cloud, connection.direction)
    .sort((a, b) => a.rank - b.rank)
    .filter(({ policy }) => policy.Action !== 'monitor')
    .filter(({ policy }) => policyMatches(cloud, policy, connection));
  return deciding?.policy.Action !== 'deny';
}

/** Tells whether any policy of a direction is in force. */
export function isGuarded(cloud: CloudState, direction: BorderConnection['direction']): boolean {
  return findPolicies(cloud, direction).length > 0;
}

function findPolicies(cloud: CloudState, direction: BorderConnection['direction']) {
  const all = listResources(cloud, fwcenterControlPolicy).filter(
    (policy) => policy.Direction === direction && policy.Status === true && policy.IpType !== 'v6',
  );
  return all.map((policy, index) => {
    const position = Number(policy.Prio);
    const rank =
      position === 0 ? Number.MAX_SAFE_INTEGER - all.length + index : position - index / all.length;
    return { policy, rank };
  });
}

function policyMatches(
  cloud: CloudState,
  policy: JsonObject,
  connection: BorderConnection,
): boolean {
  if (policy.Proto !== 'TCP' && policy.Proto !== 'ANY') return false;
  return (
    sideMatches(cloud, policy, 'Source', connection) &&
    sideMatches(cloud, policy, 'Destination', connection) &&
    (policy.Proto === 'ANY' || portMatches(cloud, policy, connection.port))
  );
}

function sideMatches(
  cloud: CloudState,
  policy: JsonObject,
  side: 'Source' | 'Destination',
  connection: BorderConnection,
): boolean {
  const value = readText(policy, side);
  const names = side === 'Destination' ? connection.names : [];
  const kind = readText(policy, `${side}Type`);
  // Regions of the world do not exist in the sandbox.
  if (kind === 'location') return false;
  const { entries, type } =
    kind === 'group' ? readBook(cloud, value) : { entries: [value], type: kind };
  if (type === 'domain') return names.some((name) => entries.some((e) => isNamed(name, e)));
  return holds(entries.map(toNetwork), side, connection);
}

/**
 * Tells whether networks hold one side of a connection. The firewall at the border sees a workload's public
 * address, and no type of the sandbox's cloud gives one: every public network on our side is ours.
 */
function holds(
  networks: readonly string[],
  side: 'Source' | 'Destination',
  { direction, from, to }: BorderConnection,
): boolean {
  const address = side === 'Source' ? from : to;
  if (within(address, networks)) return true;
  const isOurs = (direction === 'out') === (side === 'Source');
  return isOurs && isPrivateAddress(parseAddress(address)) && networks.some(isPublicNetwork);
}

function portMatches(cloud: CloudState, policy: JsonObject, port: number): boolean {
  const value = readText(policy, 'DestPort');
  const texts = policy.DestPortType === 'group' ? readBook(cloud, value).entries : [value];
  return texts.some((text) => {
    const span = portSpan(text);
    return span !== undefined && span[0] <= port && port <= span[1];
  });
}

function readBook(cloud: CloudState, id: string): { entries: string[]; type: string } {
  const book = findResource(cloud, fwcenterAddressBook, id);
  return { entries: bookEntries(book), type: readText(book, 'GroupType') };
}

function toNetwork(entry: string): string {
  return entry.includes('/') ? entry : hostCidr(entry).text;
}

function isNamed(name: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
}

/** Tells whether the subnet's network ACLs let a connection in: of each the first matching entry decides. */
export function passesAcls(
  cloud: CloudState,
  subnets: readonly string[],
  { from, port }: { readonly from: string; readonly port: number },
): boolean {
  const guarding = listResources(cloud, vpcNetworkAcl).filter((acl) =>
    readObjects(acl, 'Resources').some((one) => subnets.includes(readText(one, 'ResourceId'))),
  );
  return guarding.every((acl) => aclEntriesFor(acl, from, port)[0]?.Policy !== 'drop');
}

function aclEntriesFor(acl: JsonObject, from: string, port: number): JsonObject[] {
  return readObjects(acl, 'IngressAclEntries').filter((entry) => {
    const [first = -1, last = first] = readText(entry, 'Port').split('/').map(Number);
    const isPort = first === -1 || (first <= port && port <= last);
    const isTcp = entry.Protocol === 'all' || entry.Protocol === 'tcp';
    return isTcp && isPort && within(from, [readText(entry, 'CidrIp')]);
  });
}
