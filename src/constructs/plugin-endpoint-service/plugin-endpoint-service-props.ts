import type { AccessException } from '../../access/access-rule.js';
import type { CommonProps } from '../common-props.js';
import type { IPrivateNetwork } from '../network/network-props.js';
import type { NewLoadBalancer } from './private-load-balancer.js';

/** A private load balancer that exists; nothing in it is changed, its listener included. */
export interface ExistingLoadBalancer {
  readonly loadBalancerId: string;
  /** The listener's port that plugin calls go to; its ACL must let 100.64.0.0/10 in. */
  readonly port: number;
}

export interface PluginEndpointServiceProps extends CommonProps {
  /** First part of the names of what is made. */
  readonly name: string;
  /** The plugin's backend, in the words of the settings. */
  readonly backend: string;
  readonly loadBalancer:
    | ExistingLoadBalancer
    | (NewLoadBalancer & { readonly network: IPrivateNetwork });
  /** The service's cloud account, as its documentation for enterprises gives it. */
  readonly serviceAccountId: string;
  /** Who may connect. @default - the service's account and nobody else */
  readonly permittedAccountIds?: readonly string[];
  /** Allows other accounts than exactly the service's. @default - refused */
  readonly permittedAccountsException?: AccessException;
  /** Who pays for the link: a later change replaces the endpoint service and every connection. */
  readonly payer: 'Endpoint' | 'EndpointService';
  /** Endpoints whose connections are accepted, as literals; `acceptConnection` adds to them, and removing one cuts its connection. @default - none yet */
  readonly acceptedEndpointIds?: readonly string[];
  /** Megabits a second of each connection, 100 to 20000. @default - the cloud's */
  readonly bandwidthMbps?: number;
  /** Whether Terraform refuses to destroy it: a new one has a new id for every plugin. @default true */
  readonly preventDestroy?: boolean;
}
