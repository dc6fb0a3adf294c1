import { type Cidr, parseCidr } from '../net/cidr.js';
import { isDay } from '../net/duration.js';

/**
 * A rule on who may talk to whom: the one statement from which Terraform, rendered firewalls, the diagram and the
 * digest are made. The digest depends on the canonical order in `access-model.ts`: a change there
 * changes the digest of every deployed stack. `access-file.ts` is the one schema of `access.json`,
 * strict where rules are made from it and tolerant where a review reads it; it alone needs zod.
 */

/** The connection option of the service that a rule belongs to. */
export const ACCESS_VIAS = [
  'service-endpoint',
  'fixed-ip-egress',
  'plugin-endpoint-service',
  'fixed-ip-ingress',
] as const;
export type AccessVia = (typeof ACCESS_VIAS)[number];

/** The directions as seen from the subject: with `egress` the subject calls the peer. */
export const DIRECTIONS = ['ingress', 'egress'] as const;
export const PROTOCOLS = ['tcp', 'udp', 'icmp', 'any'] as const;

/** The other side of a rule. */
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

/** A deviation from the safe default, recorded with the rule. */
export interface AccessException {
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it is valid: `YYYY-MM-DD`. */
  readonly expires: string;
}

/** One statement of who may talk to whom. Anything without a rule is closed. */
export interface AccessRule {
  readonly via: AccessVia;
  readonly direction: (typeof DIRECTIONS)[number];
  /** The resource that the rule opens, under the construct's name for it: `service-endpoint`. */
  readonly subject: string;
  readonly peer: Peer;
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly ports: Ports;
  readonly reason: string;
  /**
   * The enforcement of the rule if no resource of its stack does, in the project's own words: `the
   * firewall of the office`.
   *
   * @default - resources of the stack
   */
  readonly enforcedElsewhere?: string;
  readonly exception?: AccessException;
  /**
   * Terraform's addresses of the resources that enforce the rule, as the constructs write them:
   * `volcenginecc_vpc_security_group.orders`. They are names, so the digest leaves them out.
   *
   * @default - not known
   */
  readonly carriers?: readonly string[];
}

/** The networks among the peers of rules. */
export function peerCidrs(rules: readonly Pick<AccessRule, 'peer'>[]): Cidr[] {
  return rules.flatMap(({ peer }) => (peer.kind === 'cidr' ? [parseCidr(peer.cidr)] : []));
}

/** The subject of what a private plugin is called through: the listener of its load balancer. */
export function listenerSubject(backend: string): string {
  return `${backend}-listener`;
}

/** Tells whether an exception's last day is over. */
export function isExpired({ expires }: AccessException): boolean {
  return expires < new Date().toISOString().slice(0, 10);
}

/** Every way in which an exception lacks what makes it one: a reason, an owner, a day of expiry. */
export function exceptionProblems(property: string, exception: AccessException): string[] {
  const { reason, owner, expires } = exception;
  return [
    ...(reason.trim() === '' ? [`\`${property}.reason\` must say why, got: "${reason}"`] : []),
    ...(owner.trim() === ''
      ? [`\`${property}.owner\` must name who answers, got: "${owner}"`]
      : []),
    ...(isDay(expires)
      ? []
      : [`\`${property}.expires\` must be a day as YYYY-MM-DD, got: "${expires}"`]),
  ];
}
