import { firstAddress } from '../read/address.js';
import { list, object } from '../read/json.js';
import type { ResourceIndex } from '../rules/reading.js';
import type { Way } from './door.js';

/** A private link of the enterprise's own: others call an endpoint service, and get to its listeners. */
export interface PrivateLink {
  /** Terraform's address of the endpoint service. */
  readonly service: string;
  /** Tells whether a connection is accepted. */
  readonly isConnected: boolean;
  /** The ways on from the load balancers of the service, each with what is behind it. */
  readonly listeners: readonly Way[];
}

/** Finds the endpoint services of a stack, with what calls to them get to. */
export function findPrivateLinks(index: ResourceIndex, ways: readonly Way[]): PrivateLink[] {
  const connections = index.ofType('volcenginecc_privatelink_vpc_endpoint_connection');
  const connected = new Set(connections.map(({ body }) => index.named(body.service_id)?.address));
  return index.ofType('volcenginecc_privatelink_endpoint_service').map(({ address, body }) => {
    const balancers = list(body.resources).map(
      (one) => index.named(object(one).resource_id)?.address,
    );
    const isIts = ({ kind, carrier }: Way['series'][number]['list']) =>
      kind === 'listener' && balancers.includes(firstAddress(carrier));
    return {
      service: address,
      isConnected: connected.has(address),
      listeners: ways.filter(({ series }) => series.some(({ list }) => isIts(list))),
    };
  });
}
