/**
 * What controls who reaches a plugin's backend: a construct of this package, or something of your
 * own, such as a gateway that lets only the service's calls through. The user ID header exists on
 * every plan; private and fixed-IP plugins do not.
 */
export interface BackendGuard {
  /** The backend, in the words of the settings. */
  readonly backend: string;
  /** CIDRs that the service's calls come from, as the backend or its load balancer sees them. */
  readonly callerNetworks: readonly string[];
  /**
   * For a guard of your own: why only the service gets through it, in your own words.
   * @default - a construct needs none
   */
  readonly description?: string;
}
