import type { CloudObjects } from '../reach/read/cloud-state.js';
import { type Json, list, object, text } from '../reach/read/json.js';

/** An object of the cloud, by its type and identifier. */
export interface CloudName {
  readonly cloudType: string;
  readonly identifier: string;
}

export const INTERFACE = 'Volcengine::VPC::ENI';
const ENDPOINT = 'Volcengine::PrivateLink::VpcEndpoint';
const GROUP = 'Volcengine::VPC::SecurityGroup';
const SUBNET = 'Volcengine::VPC::Subnet';
const SERVER_GROUP = 'Volcengine::CLB::ServerGroup';
const LISTENER = 'Volcengine::CLB::Listener';
const PREFIX_LIST = 'Volcengine::VPC::PrefixList';
const BOOK = 'Volcengine::FWCenter::AddressBook';

/**
 * References of each type, outward from the objects of a stack: `Zones/SubnetId` is that property of every member of
 * `Zones`, and `Servers/InstanceId/eni` that of the members whose `Type` is `eni`.
 */
const LEADS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [ENDPOINT]: { SecurityGroupIds: GROUP, 'Zones/SubnetId': SUBNET },
  'Volcengine::PrivateLink::EndpointService': { 'Resources/ResourceId': 'Volcengine::CLB::CLB' },
  [GROUP]: {
    'IngressPermissions/PrefixListId': PREFIX_LIST,
    'EgressPermissions/PrefixListId': PREFIX_LIST,
  },
  [SUBNET]: {
    NetworkAclId: 'Volcengine::VPC::NetworkAcl',
    'RouteTable/RouteTableId': 'Volcengine::VPC::RouteTable',
  },
  [INTERFACE]: { SecurityGroupIds: GROUP, SubnetId: SUBNET },
  'Volcengine::ECS::Instance': {
    'PrimaryNetworkInterface/NetworkInterfaceId': INTERFACE,
    'SecondaryNetworkInterfaces/NetworkInterfaceId': INTERFACE,
  },
  'Volcengine::CLB::CLB': {
    'Listeners/ListenerId': LISTENER,
    'ServerGroups/ServerGroupId': SERVER_GROUP,
    SubnetId: SUBNET,
  },
  [LISTENER]: { ServerGroupId: SERVER_GROUP, AclIds: 'Volcengine::CLB::ACL' },
  'Volcengine::CLB::Rule': { ServerGroupId: SERVER_GROUP },
  [SERVER_GROUP]: {
    'Servers/InstanceId/eni': INTERFACE,
    'Servers/InstanceId/ecs': 'Volcengine::ECS::Instance',
  },
  'Volcengine::FWCenter::ControlPolicy': { Source: BOOK, Destination: BOOK },
};

/** Returns the objects that an object names. */
export function leadsOf({ cloudType }: CloudName, properties: Json): CloudName[] {
  const named = Object.entries(LEADS[cloudType] ?? {}).flatMap(([path, to]) => {
    const [first = '', member, ofType] = path.split('/');
    const value = properties[first];
    const holders = Array.isArray(value) ? list(value) : [value];
    const found = member === undefined ? holders : membersOf(holders, member, ofType);
    return found.map((id) => ({ cloudType: to, identifier: text(id) }));
  });
  return [...named, ...rulesOf(cloudType, properties)].filter(
    ({ identifier, cloudType: to }) => identifier !== '' && isIdentifier(to, identifier),
  );
}

function membersOf(holders: readonly unknown[], member: string, ofType: string | undefined) {
  return holders
    .map(object)
    .filter(({ Type: type }) => ofType === undefined || text(type).toLowerCase() === ofType)
    .map((holder) => holder[member]);
}

/** A rule of a listener is identified by both. */
function rulesOf(cloudType: string, { ListenerId: listener, RuleIds: rules }: Json): CloudName[] {
  if (cloudType !== LISTENER) return [];
  return list(rules).map((rule) => ({
    cloudType: 'Volcengine::CLB::Rule',
    identifier: `${text(listener)}|${text(rule)}`,
  }));
}

/** A policy names addresses in the place where it may name a book of them. */
function isIdentifier(cloudType: string, identifier: string): boolean {
  return cloudType !== BOOK || /^[0-9a-f-]{16,}$/i.test(identifier);
}

/** Returns the private addresses of a network interface. */
export function addressesOf({ PrimaryIpAddress: primary, PrivateIpSets: more }: Json): string[] {
  return [primary, ...list(more)]
    .map((one) => text(object(one).PrivateIpAddress))
    .filter((address) => address !== '');
}

/**
 * Leaves one of the interfaces that the same groups and the same subnet guard, named with the number of
 * the others; and none that has just the groups of its endpoint, which stands for it.
 */
export function foldInterfaces(resources: CloudObjects['resources']): CloudObjects['resources'] {
  const { [INTERFACE]: all = {}, [ENDPOINT]: endpoints = {} } = resources;
  const placeOf = ({ SecurityGroupIds: groups, SubnetId: subnet }: Json) =>
    JSON.stringify([text(subnet), ...list(groups).map(text).sort()]);
  const ofEndpoints = new Set(
    Object.values(endpoints).flatMap(({ SecurityGroupIds: groups, Zones: zones }) =>
      list(zones).map((zone) => {
        const { SubnetId: subnet, PrivateIpAddress: address } = object(zone);
        return `${text(address)} ${placeOf({ SecurityGroupIds: groups, SubnetId: subnet })}`;
      }),
    ),
  );
  const alike = new Map<string, string[]>();
  for (const [id, one] of Object.entries(all)) {
    const place = placeOf(one);
    if (addressesOf(one).some((address) => ofEndpoints.has(`${address} ${place}`))) continue;
    alike.set(place, [...(alike.get(place) ?? []), id]);
  }
  const left = [...alike.values()].map(([id = '', ...others]) => [
    others.length === 0 ? id : `${id}_and_${others.length}_more`,
    all[id] ?? {},
  ]);
  return { ...resources, [INTERFACE]: Object.fromEntries(left) };
}
