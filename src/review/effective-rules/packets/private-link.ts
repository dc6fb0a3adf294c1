import { isUnknown, list, object, text } from '../../read/json.js';
import type { TerraformResource } from '../../read/terraform-json.js';
import { EVERYTHING, type Services, union } from '../../sets/services.js';
import { type Reading, type ResourceIndex, unreadValue } from '../reading.js';
import { listenerServices } from './listener.js';

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
  return {
    flows: accounts.map((account) => ({
      kind: 'link',
      carrier: address,
      direction: 'ingress',
      peer: { kind: 'account', name: text(account) },
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
