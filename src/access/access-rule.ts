/** The connection option of the service that a rule belongs to. */
export type AccessVia = 'private-network' | 'fixed-ip' | 'private-plugin' | 'fixed-ip-plugin';

/** Who is on the other side. */
export type Peer =
  | { readonly kind: 'cidr'; readonly cidr: string }
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'endpoint'; readonly endpoint: string }
  | { readonly kind: 'group'; readonly group: string };

/** Ports from first to last, both included. */
export interface Ports {
  readonly first: number;
  readonly last: number;
}

/** A deviation from what is safe by default, written where the rule is written. */
export interface AccessException {
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it holds: `YYYY-MM-DD`. */
  readonly expires: string;
}

/** One statement of who may talk to whom. What no rule states is closed. */
export interface AccessRule {
  readonly via: AccessVia;
  /** As seen from the subject: `egress` is the subject calling the peer. */
  readonly direction: 'ingress' | 'egress';
  /** What of ours the rule opens, in the words of the construct: `service-endpoint`. */
  readonly subject: string;
  readonly peer: Peer;
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'any';
  readonly ports: Ports;
  readonly reason: string;
  readonly exception?: AccessException;
}
