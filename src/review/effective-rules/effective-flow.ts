import type { ReviewedPeer } from '../reviewed-rule.js';
import type { Services } from '../sets/services.js';

/** Packets that Terraform lets through, read without access rules. */
export interface EffectiveFlow {
  /** Where the rules apply: an endpoint, a group on its own, a load balancer, the firewall. */
  readonly carrier: string;
  readonly direction: 'ingress' | 'egress';
  readonly peer: ReviewedPeer;
  readonly services: Services;
  /** Terraform's address of the resource whose rule lets it through. */
  readonly resource: string;
  /** An account may ask and a connection stands on every port that the listeners open. */
  readonly isLink: boolean;
}
