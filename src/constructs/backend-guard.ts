/** A construct that decides who reaches a plugin's backend. */
export interface BackendGuard {
  /** The backend, in the words of the settings. */
  readonly backend: string;
  /** CIDRs that calls of the service come from when they reach the backend or its load balancer. */
  readonly callerNetworks: readonly string[];
}
