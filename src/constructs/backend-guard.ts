/**
 * What decides who reaches a plugin's backend: a construct of this package, or something of your own,
 * such as a gateway that lets only the service's calls through. The user ID header exists on every
 * plan; private and fixed-IP plugins do not.
 */
export interface BackendGuard {
  /** The backend, in the words of the settings. */
  readonly backend: string;
  /** CIDRs that calls of the service come from when they reach the backend or its load balancer. */
  readonly callerNetworks: readonly string[];
  /** In your own words, for a guard of your own: why nobody but the service gets through it. @default - a construct needs none */
  readonly description?: string;
}
