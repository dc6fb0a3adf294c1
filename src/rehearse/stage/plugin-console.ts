import {
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
} from '../../cloud/table/index.js';
import type { Cloud } from '../../sandbox/cloud/cloud.js';
import { requestedConnection } from '../../sandbox/cloud/types/endpoint-connection.js';
import { textsOf } from '../../sandbox/json.js';

/**
 * Plays the service's administrator, who asks for a connection in the service's console before the
 * stack accepts it. An endpoint asks one endpoint service only: after that service is replaced, its
 * connection cannot be accepted any more, and people have to make another one.
 */
export class PluginConsole {
  #askedBy: ReadonlyMap<string, string> = new Map();

  /** Which endpoint has asked which endpoint service. */
  get requests(): ReadonlyMap<string, string> {
    return this.#askedBy;
  }

  /** Goes back to what was asked at another moment. */
  set requests(requests: ReadonlyMap<string, string>) {
    this.#askedBy = requests;
  }

  /** To be called before the cloud is asked for a connection. */
  readonly beforeUse = (cloud: Cloud, typeName: string, identifier: string): void => {
    if (typeName !== privatelinkVpcEndpointConnection.cloudType) return;
    const [serviceId = '', endpointId = ''] = identifier.split('|');
    const service = cloud.state.resources[privatelinkEndpointService.cloudType]?.[serviceId];
    const isKnown = cloud.state.resources[typeName]?.[identifier] !== undefined;
    if (service === undefined || isKnown || this.#askedBy.has(endpointId)) return;
    this.#askedBy = new Map([...this.#askedBy, [endpointId, serviceId]]);
    cloud.receive(typeName, (scope) => {
      const [accountId = ''] = textsOf(service, 'PermitAccountIds');
      const place = { vpcId: 'vpc-of-the-service', zoneId: scope.place.zones[0] ?? '' };
      return requestedConnection(service, { endpointId, accountId, ...place }, scope);
    });
  };
}
