import type { Json } from '../reach/read/json.js';
import { list, object, text } from '../reach/read/json.js';

/** An object of the cloud, by its type and identifier. */
export interface CloudName {
  readonly cloudType: string;
  readonly identifier: string;
}

interface Lead {
  /** `Zones/SubnetId` is that property of every member of `Zones`. */
  readonly path: string;
  readonly to: string;
  /** Of members, only those whose `Type` is this. */
  readonly ofType?: string;
}

const [SECURITY_GROUP, SUBNET, ENI] = [
  'Volcengine::VPC::SecurityGroup',
  'Volcengine::VPC::Subnet',
  'Volcengine::VPC::ENI',
];
const [SERVER_GROUP, BOOK] = ['Volcengine::CLB::ServerGroup', 'Volcengine::FWCenter::AddressBook'];

/** References of each type, outward from the objects of a stack. */
const LEADS: Readonly<Record<string, readonly Lead[]>> = {
  'Volcengine::PrivateLink::VpcEndpoint': [
    { path: 'SecurityGroupIds', to: SECURITY_GROUP },
    { path: 'Zones/SubnetId', to: SUBNET },
  ],
  'Volcengine::PrivateLink::EndpointService': [
    { path: 'Resources/ResourceId', to: 'Volcengine::CLB::CLB' },
  ],
  [SECURITY_GROUP]: [
    { path: 'IngressPermissions/PrefixListId', to: 'Volcengine::VPC::PrefixList' },
    { path: 'EgressPermissions/PrefixListId', to: 'Volcengine::VPC::PrefixList' },
  ],
  [SUBNET]: [
    { path: 'NetworkAclId', to: 'Volcengine::VPC::NetworkAcl' },
    { path: 'RouteTable/RouteTableId', to: 'Volcengine::VPC::RouteTable' },
  ],
  [ENI]: [
    { path: 'SecurityGroupIds', to: SECURITY_GROUP },
    { path: 'SubnetId', to: SUBNET },
  ],
  'Volcengine::ECS::Instance': [
    { path: 'PrimaryNetworkInterface/NetworkInterfaceId', to: ENI },
    { path: 'SecondaryNetworkInterfaces/NetworkInterfaceId', to: ENI },
  ],
  'Volcengine::CLB::CLB': [
    { path: 'Listeners/ListenerId', to: 'Volcengine::CLB::Listener' },
    { path: 'ServerGroups/ServerGroupId', to: SERVER_GROUP },
    { path: 'SubnetId', to: SUBNET },
  ],
  'Volcengine::CLB::Listener': [
    { path: 'ServerGroupId', to: SERVER_GROUP },
    { path: 'AclIds', to: 'Volcengine::CLB::ACL' },
  ],
  'Volcengine::CLB::Rule': [{ path: 'ServerGroupId', to: SERVER_GROUP }],
  [SERVER_GROUP]: [
    { path: 'Servers/InstanceId', to: ENI, ofType: 'eni' },
    { path: 'Servers/InstanceId', to: 'Volcengine::ECS::Instance', ofType: 'ecs' },
  ],
  'Volcengine::FWCenter::ControlPolicy': [
    { path: 'Source', to: BOOK },
    { path: 'Destination', to: BOOK },
  ],
};

/** Returns the objects that an object names. */
export function leadsOf({ cloudType }: CloudName, properties: Json): CloudName[] {
  const named = (LEADS[cloudType] ?? []).flatMap(({ path, to, ofType }) => {
    const [first = '', member] = path.split('/');
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
  if (cloudType !== 'Volcengine::CLB::Listener') return [];
  return list(rules).map((rule) => ({
    cloudType: 'Volcengine::CLB::Rule',
    identifier: `${text(listener)}|${text(rule)}`,
  }));
}

/** A policy names addresses in the place where it may name a book of them. */
function isIdentifier(cloudType: string, identifier: string): boolean {
  return cloudType !== BOOK || /^[0-9a-f-]{16,}$/i.test(identifier);
}
