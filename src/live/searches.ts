import { cidrsOverlap, isPrivateRange, parseNetwork } from '../net/cidr.js';
import { NOBODY } from '../net/special-ranges.js';
import { type Json, list, object, text } from '../reach/read/json.js';
import { addressesOf, type CloudName, INTERFACE } from './leads.js';

/** Objects of a type that no property names: they are listed, and those that are meant are kept. */
export interface Search {
  readonly cloudType: string;
  /** The reason why they matter, for the report of what was not read. */
  readonly what: string;
  /** Properties with which a list says everything, so that the object is not read again. @default - none */
  readonly enough?: readonly string[];
  /** `undefined` where the properties that a list gives do not say it. */
  isMeant(properties: Json): boolean | undefined;
}

const [POLICY, ZONE] = [
  'Volcengine::FWCenter::ControlPolicy',
  'Volcengine::PrivateZone::PrivateZone',
];

/** Finds by a property; that of an object itself is never asked of what a list leaves out. */
function having(
  name: string,
  search: Omit<Search, 'isMeant'>,
  test: (value: unknown, properties: Json) => boolean,
): Search {
  return {
    ...search,
    isMeant: (other) => (name in other ? test(other[name], other) : undefined),
  };
}

/**
 * Returns what acts on an object without being named by it.
 *
 * @param isOwn of the stack: the neighbours of a stranger's object are not the stack's
 */
export function searchesOf(
  { cloudType, identifier }: CloudName,
  properties: Json,
  isOwn: boolean,
): Search[] {
  const vpc = text(properties.VpcId);
  const around = isOwn && vpc !== '' ? namesIn(vpc) : [];
  switch (cloudType) {
    case 'Volcengine::VPC::SecurityGroup':
      return isOwn ? [carriersOf(identifier), ...policiesOf(properties), ...around] : [];
    case 'Volcengine::PrivateLink::VpcEndpoint':
      return isOwn ? [interfacesOf(properties), ...around] : [];
    case 'Volcengine::VPC::Subnet':
      return besideSubnet(text(properties.CidrBlock));
    case 'Volcengine::PrivateLink::EndpointService': {
      const type = 'Volcengine::PrivateLink::VpcEndpointConnection';
      const id = text(properties.ServiceId);
      const enough = ['ServiceId', 'EndpointId', 'ConnectionStatus'];
      const search = { cloudType: type, what: `connections of ${id}`, enough };
      return [having('ServiceId', search, (value) => value === id)];
    }
    case POLICY:
      return isOwn ? [policies(text(properties.Direction))] : [];
    case ZONE:
      return [recordsOf(properties), ...(isOwn ? askedIn(properties) : [])];
    default:
      return around;
  }
}

const ENOUGH = ['SecurityGroupIds', 'SubnetId', 'VpcId', 'PrimaryIpAddress'];

function carriersOf(group: string): Search {
  const search = { cloudType: INTERFACE, what: 'network interfaces', enough: ENOUGH };
  return having('SecurityGroupIds', search, (ids) => list(ids).includes(group));
}

/** The interfaces of an endpoint, which it does not name: they have its addresses. */
function interfacesOf({ Zones: zones }: Json): Search {
  const own = list(zones).map(object);
  const search = { cloudType: INTERFACE, what: 'network interfaces', enough: ENOUGH };
  return having('PrimaryIpAddress', search, (_, one) =>
    own.some(
      ({ SubnetId: subnet, PrivateIpAddress: address }) =>
        subnet === one.SubnetId && addressesOf(one).includes(text(address)),
    ),
  );
}

/** The policies of Cloud Firewall for a group that lets public addresses through. */
function policiesOf({ IngressPermissions: ingress, EgressPermissions: egress }: Json): Search[] {
  return [
    ...(list(ingress).some(isPublic) ? [policies('in')] : []),
    ...(list(egress).some(isPublic) ? [policies('out')] : []),
  ];
}

function policies(direction: string): Search {
  const search = { cloudType: POLICY, what: 'policies of Cloud Firewall' };
  return having('Direction', search, (value) => value === direction);
}

function isPublic(permission: unknown): boolean {
  const { CidrIp: cidr, PrefixListId: prefixes } = object(permission);
  if (text(cidr) === '') return text(prefixes) !== '';
  if (NOBODY.some((nobody) => nobody === cidr)) return false;
  const network = toNetwork(text(cidr));
  return network === undefined || !isPrivateRange(network);
}

/** Finds the zones, resolver rules and accounts that answer names for a VPC. */
function namesIn(vpc: string): Search[] {
  const mentions = (value: unknown) =>
    list(value).some((one) => Object.values(object(one)).includes(vpc));
  const rules = { cloudType: 'Volcengine::PrivateZone::ResolverRule', what: 'resolver rules' };
  const accounts = 'Volcengine::PrivateZone::UserVPCAuthorization';
  return [
    having('Vpcs', { cloudType: ZONE, what: 'private zones' }, mentions),
    having('VPCs', rules, mentions),
    { cloudType: accounts, what: 'accounts that share private zones', isMeant: () => true },
  ];
}

/** A zone is asked in its networks, where others may answer before it. */
function askedIn({ Vpcs: vpcs }: Json): Search[] {
  return list(vpcs).flatMap((one) => namesIn(text(object(one).VpcId)));
}

function recordsOf({ ZID: id, ZoneName: name }: Json): Search {
  const enough = ['ZID', 'RecordId', 'Host', 'Type', 'Value', 'Enable'];
  const cloudType = 'Volcengine::PrivateZone::Record';
  const search = { cloudType, what: `records of ${text(name)}`, enough };
  // A zone has its number as text.
  return having('ZID', search, (value) => String(value) === String(id));
}

/** Finds DNAT entries that lead into a subnet, and rules of firewalls before it. */
function besideSubnet(cidr: string): Search[] {
  const subnet = toNetwork(cidr);
  if (subnet === undefined) return [];
  const isAbout = (type: unknown, value: unknown) => {
    const networks = type === 'net' ? text(value).split(',').map(toNetwork) : [undefined];
    return networks.some((one) => one === undefined || cidrsOverlap(one, subnet));
  };
  return [
    having(
      'InternalIp',
      { cloudType: 'Volcengine::NatGateway::Dnatentry', what: 'DNAT entries' },
      (value) => isAbout('net', value),
    ),
    having(
      'Source',
      { cloudType: 'Volcengine::FWCenter::VpcFirewallAclRule', what: 'rules of VPC firewalls' },
      (source, one) =>
        one.Status !== false &&
        (isAbout(one.SourceType, source) || isAbout(one.DestinationType, one.Destination)),
    ),
  ];
}

/** Parses a network; undefined for anything else, such as a name. */
function toNetwork(value: string) {
  try {
    return parseNetwork(value);
  } catch {
    return undefined;
  }
}
