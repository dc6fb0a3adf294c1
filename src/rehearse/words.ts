import type { Change } from '../review/changes.js';
import type { WayState } from './timeline/routes.js';

/** What people call a resource of the cloud. */
const NOUNS: Readonly<Record<string, string>> = {
  'Volcengine::VPC::VPC': 'VPC',
  'Volcengine::VPC::Subnet': 'subnet',
  'Volcengine::VPC::SecurityGroup': 'security group',
  'Volcengine::VPC::PrefixList': 'prefix list',
  'Volcengine::PrivateLink::VpcEndpoint': 'endpoint',
  'Volcengine::PrivateLink::EndpointService': 'endpoint service',
  'Volcengine::PrivateLink::VpcEndpointConnection': 'connection',
  'Volcengine::PrivateZone::PrivateZone': 'private zone',
  'Volcengine::PrivateZone::Record': 'DNS record',
  'Volcengine::CLB::CLB': 'load balancer',
  'Volcengine::CLB::Listener': 'listener',
  'Volcengine::CLB::ServerGroup': 'server group',
  'Volcengine::CLB::ACL': 'access list',
  'Volcengine::FWCenter::AddressBook': 'address book',
  'Volcengine::FWCenter::ControlPolicy': 'firewall policy',
};

export function nounOf(typeName: string): string {
  return NOUNS[typeName] ?? typeName.replace('Volcengine::', '');
}

/** Why a way is not open. */
const REASONS: Readonly<Record<Exclude<WayState, 'open'>, string>> = {
  'no-name': 'its name is gone',
  'no-route': 'nothing is at its address',
  'not-connected': 'it is not connected',
  dropped: 'packets are dropped',
  partly: 'some addresses or clients are cut off',
  unreachable: 'no server is behind it',
};

export function reasonOf(state: WayState): string {
  return state === 'open' ? 'open' : REASONS[state];
}

/** `10.0.0.0/8 may reach orders:8443`. */
export function accessText({ direction, peer, subject, services }: Change): string {
  const [from, to] = direction === 'egress' ? [subject, peer] : [peer, subject];
  const [, port] = /^tcp (\d+)$/.exec(services) ?? [];
  return port === undefined
    ? `${from} may reach ${to}, ${services}`
    : `${from} may reach ${to}:${port}`;
}

/** `steps 4 to 6`, `step 4`, `step 4 on`. */
export function stepsText(from: number, until: number | undefined): string {
  if (until === undefined) return `from step ${from} on`;
  return until - from <= 1 ? `during step ${from}` : `from step ${from} until step ${until}`;
}
