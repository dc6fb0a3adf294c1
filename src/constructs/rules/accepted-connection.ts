import type { TerraformProvider } from 'cdktf';
import { Construct } from 'constructs';
import { cloud } from '../../cloud/resource.js';
import { Remembered } from '../replacement.js';

interface AcceptedConnectionProps {
  readonly serviceId: string;
  readonly endpointId: string;
  /**
   * Attributes of the endpoint service and its load balancer that are fixed once a connection is
   * accepted.
   */
  readonly generations: { readonly service: string; readonly loadBalancer: string };
  /** The account that must own the endpoint. */
  readonly ownerAccountId: string;
  /** Megabits a second, 100 to 20000. @default - the cloud's */
  readonly bandwidthMbps?: number;
  readonly provider?: TerraformProvider;
}

/** States that do not turn into `Connected` by themselves; the provider would wait for a day. */
const FINAL_STATES = ['Rejected', 'Failed', 'PartialFailed', 'ServiceDeleted', 'Disconnecting'];

/**
 * Accepts one endpoint connection: only if its endpoint belongs to the named account, which is
 * asserted before, and only if it ends up connected. Destroying it cuts the connection.
 */
export function acceptedConnection(scope: Construct, props: AcceptedConnectionProps) {
  const { serviceId, endpointId, ownerAccountId, provider, bandwidthMbps } = props;
  const place = new Construct(scope, endpointId);
  const memory = new Remembered(place, 'accepted', remembered(props));
  const pending = new cloud.PrivatelinkVpcEndpointConnectionData(place, 'pending', {
    id: `${serviceId}|${endpointId}`,
    lifecycle: {
      postcondition: [ownedBy(endpointId, ownerAccountId), notFinal(endpointId)],
    },
    provider,
  });
  return new cloud.PrivatelinkVpcEndpointConnection(place, 'Default', {
    serviceId,
    endpointId,
    bps: bandwidthMbps,
    dependsOn: [pending],
    lifecycle: {
      precondition: memory.preconditions,
      postcondition: [connected(endpointId)],
    },
    provider,
  });
}

/** Lists changes that would cut the connection; only the service can request another one. */
function remembered({ endpointId, ownerAccountId, generations }: AcceptedConnectionProps) {
  const inTwoDeploys = `First take ${endpointId} out of acceptedEndpointIds and deploy, which cuts the connection; then make the change and deploy; then delete the private connection in the service's console, add it again, and accept its new endpoint.`;
  return {
    account: {
      value: ownerAccountId,
      refusal: (before: string) =>
        `The connection of ${endpointId} was accepted for account ${before}, not for ${ownerAccountId}. ${inTwoDeploys}`,
    },
    service: {
      value: generations.service,
      refusal: () =>
        `This change replaces the endpoint service that ${endpointId} is connected to. ${inTwoDeploys}`,
    },
    load_balancer: {
      value: generations.loadBalancer,
      refusal: () =>
        `This change replaces the load balancer that serves the connection of ${endpointId}. ${inTwoDeploys}`,
    },
  };
}

function ownedBy(endpointId: string, account: string) {
  return {
    condition: `\${self.endpoint_owner_account_id == "${account}"}`,
    errorMessage: `The endpoint ${endpointId} belongs to account \${self.endpoint_owner_account_id}, not to the service's account ${account}: it is not accepted. Remove it from acceptedEndpointIds, and reject it in the cloud's console.`,
  };
}

function notFinal(endpointId: string) {
  const states = FINAL_STATES.map((state) => `"${state}"`).join(', ');
  return {
    condition: `\${!contains([${states}], self.connection_status)}`,
    errorMessage: `The connection of ${endpointId} is \${self.connection_status} and does not recover by itself. Delete the private connection in the service's console, add it again with the same service id, and put the new endpoint's id in place of ${endpointId} in acceptedEndpointIds.`,
  };
}

function connected(endpointId: string) {
  return {
    condition: '${self.connection_status == "Connected"}',
    errorMessage: `The connection of ${endpointId} is \${self.connection_status} after it was accepted, not Connected. Check the endpoint service in the cloud's console, then deploy again.`,
  };
}
