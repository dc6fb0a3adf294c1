import type { RulePeer, Verdict } from '../packet-rule.js';
import { isUnknown, list, object, text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { EVERYTHING, readPorts, type Services, union } from '../sets/services.js';
import { EVERYONE, joinPeers, listedPeers, unclearRules } from './peers.js';
import { type Reading, type ResourceIndex, toNumber, unreadValue } from './reading.js';

export function readListener({ address, body }: TerraformResource, index: ResourceIndex): Reading {
  const { value: services, unread } = listenerServices({ address, body });
  const isOff = body.enabled === 'off';
  const balancer = index.named(body.load_balancer_id);
  const lists = body.acl_status === 'on' ? list(body.acl_ids) : [];
  const listed = joinPeers(lists.map((id) => listedPeers(id, index, [address, 'acl_ids'])));
  const isDualStack = balancer?.body.address_ip_version === 'DualStack';
  const everyone = isDualStack ? EVERYONE : EVERYONE.slice(0, 1);
  const reachable = balancer?.body.type === 'private' ? 'private' : 'public or made elsewhere';
  const rule = (priority: number, isAccept: boolean, peers: readonly RulePeer[]): Verdict => {
    const who = `access list ${text(body.acl_type)}`;
    const written = body.acl_status === 'on' ? who : 'no access list';
    const said = isOff ? 'the listener is off' : written;
    return { priority, isAccept, peers, services, resource: address, text: said };
  };
  const hidden = listed.peers.filter(({ kind }) => kind !== 'addresses');
  const known = listed.peers.filter((peer) => !hidden.includes(peer));
  const rules = isOff
    ? [rule(1, false, [...known, ...everyone])]
    : body.acl_status !== 'on'
      ? [rule(1, true, everyone)]
      : body.acl_type === 'white'
        ? [rule(1, true, listed.peers)]
        : [rule(1, false, known), rule(2, true, everyone)];
  const isBlack = body.acl_status === 'on' && body.acl_type !== 'white';
  const settings = [
    ...unread,
    ...unreadValues({ address, body }, SWITCHES),
    ...(balancer === undefined ? [] : unreadValues(balancer, FAMILIES)),
  ];
  const carrier = `${balancer?.address ?? text(body.load_balancer_id)} (${reachable})`;
  if (isOff)
    return { lists: [{ kind: 'listener', carrier, direction: 'ingress', rules, isOff }], unread };
  const unclear = [
    ...(isBlack && hidden.length > 0 ? [rule(1, false, hidden)] : []),
    ...(settings.length > 0 ? unclearRules(address, `Whom does ${address} admit, and where?`) : []),
  ];
  return {
    lists: [{ kind: 'listener', carrier, direction: 'ingress', rules, unclear }],
    unread: [...listed.unread, ...settings],
  };
}

const SWITCHES = {
  acl_status: ['on', 'off', ''],
  acl_type: ['white', 'black', ''],
  enabled: ['on', 'off', ''],
};

const FAMILIES = { address_ip_version: ['ipv4', 'DualStack', ''] };

function unreadValues(
  { address, body }: Pick<TerraformResource, 'address' | 'body'>,
  known: Readonly<Record<string, readonly string[]>>,
) {
  return Object.entries(known)
    .filter(([name, values]) => !values.includes(text(body[name])))
    .map(([name]) => unreadValue(address, name, 'the value is not understood', body[name]));
}

const PROTOCOLS: Readonly<Record<string, 'tcp' | 'udp'>> = {
  TCP: 'tcp',
  UDP: 'udp',
  HTTP: 'tcp',
  HTTPS: 'tcp',
};

/** The port, or the ports from first to last that a listener takes over. */
function listenerServices({ address, body }: Pick<TerraformResource, 'address' | 'body'>) {
  const protocol = PROTOCOLS[text(body.protocol)];
  const port = toNumber(body.port);
  const first = toNumber(body.start_port) ?? port;
  const last = toNumber(body.end_port) ?? port;
  const value = protocol && readPorts(protocol, first, last);
  if (value !== undefined) return { value, unread: [] };
  const written = [body.protocol, body.port, body.start_port, body.end_port];
  return {
    value: EVERYTHING,
    unread: [unreadValue(address, 'port', 'the port or protocol is not understood', written)],
  };
}

/** The accounts that may ask for a connection, and the connections that are let in. */
export function readPrivateLinks(index: ResourceIndex): Reading[] {
  return [
    ...index
      .ofType('volcenginecc_privatelink_endpoint_service')
      .map((service) => readService(service, index)),
    ...index
      .ofType('volcenginecc_privatelink_vpc_endpoint_connection')
      .map((connection) => readConnection(connection, index)),
  ];
}

function readService(service: TerraformResource, index: ResourceIndex): Reading {
  const { address, body } = service;
  const accounts = list(body.permit_account_ids);
  const services = servedBy(service, index);
  const isAccepted = acceptsByItself(body) && accounts.length > 0;
  const peers = [
    ...accounts.map((account) => ({ kind: 'account', name: text(account) }) as const),
    ...(isAccepted ? [{ kind: 'endpoint', name: '*' } as const] : []),
  ];
  return {
    flows: peers.map((peer) => ({
      kind: 'link',
      carrier: address,
      direction: 'ingress',
      peer,
      services,
      resource: address,
    })),
    unread: accounts
      .filter(isUnknown)
      .map((account) =>
        unreadValue(
          address,
          'permit_account_ids',
          'the account is not known before the deploy',
          account,
        ),
      ),
  };
}

/** Every endpoint of an account on the list is then accepted; what is not known before the deploy may be on. */
function acceptsByItself({ auto_accept_enabled: own }: TerraformResource['body']): boolean {
  return own !== undefined && own !== null && text(own) !== 'false';
}

function readConnection({ address, body }: TerraformResource, index: ResourceIndex): Reading {
  const { endpoint_id: endpoint, service_id: id } = body;
  const service = index.named(id);
  return {
    flows: [
      {
        kind: 'link',
        carrier: service?.address ?? text(id),
        direction: 'ingress',
        peer: { kind: 'endpoint', name: text(endpoint) },
        services: service === undefined ? EVERYTHING : servedBy(service, index),
        resource: address,
      },
    ],
    unread: Object.entries({
      endpoint_id: isUnknown(endpoint),
      service_id: isUnknown(id) && service === undefined,
    })
      .filter(([, isUnread]) => isUnread)
      .map(([name]) => unreadValue(address, name, 'it is not known before the deploy', body[name])),
  };
}

/** The ports of the listeners behind a service; everything where its balancer is not in the tree. */
function servedBy({ body }: TerraformResource, index: ResourceIndex): Services {
  const balancers = list(body.resources).map(
    (one) => index.named(object(one).resource_id)?.address,
  );
  const listeners = index
    .ofType('volcenginecc_clb_listener')
    .filter((listener) => listener.body.enabled !== 'off')
    .filter((listener) => {
      const balancer = index.named(listener.body.load_balancer_id)?.address;
      return balancer !== undefined && balancers.includes(balancer);
    });
  return balancers.includes(undefined) || listeners.length === 0
    ? EVERYTHING
    : listeners.map((listener) => listenerServices(listener).value).reduce(union);
}
