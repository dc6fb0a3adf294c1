import type { AccessException } from '../../access/access-rule.js';
import type { IPrivateNetwork } from '../network-props.js';
import type { CommonProps } from '../props-and-outputs.js';
import type { NewLoadBalancer } from './private-load-balancer.js';

/** An existing private load balancer; nothing in it is changed, including its listener. */
export interface ExistingLoadBalancer {
  readonly loadBalancerId: string;
  /** The listener's port that plugin calls go to; the listener's ACL must allow 100.64.0.0/10. */
  readonly port: number;
}

export interface PluginEndpointServiceProps extends CommonProps {
  /** Prefix for the names of the resources. */
  readonly name: string;
  /** The plugin's backend, in the words of the settings. */
  readonly backend: string;
  readonly loadBalancer:
    | ExistingLoadBalancer
    | (NewLoadBalancer & { readonly network: IPrivateNetwork });
  /** The service's cloud account, as its documentation for enterprises gives it. */
  readonly serviceAccountId: string;
  /** Accounts that may connect. @default - only the service's account */
  readonly permittedAccountIds?: readonly string[];
  /** Allows accounts other than the service's. @default - refused */
  readonly permittedAccountsException?: AccessException;
  /**
   * The payer of the link; changing it later replaces the endpoint service and every connection.
   */
  readonly payer: 'Endpoint' | 'EndpointService';
  /**
   * Endpoints whose connections are accepted, as literals; `acceptConnection` adds to them, and
   * removing one disconnects it.
   * @default - none yet
   */
  readonly acceptedEndpointIds?: readonly string[];
  /** Megabits per second for each connection, 100 to 20000. @default - the cloud's */
  readonly bandwidthMbps?: number;
  /**
   * True if Terraform refuses to destroy it; a new one has a new id that every plugin must switch
   * to.
   * @default true
   */
  readonly preventDestroy?: boolean;
}
