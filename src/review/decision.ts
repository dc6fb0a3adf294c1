import type { Code } from '../codes/codes.js';

/** What a review comes to, the worst first. */
export const DECISIONS = ['forbidden', 'needs-approval', 'narrower', 'no-change'] as const;

export type Decision = (typeof DECISIONS)[number];

/** What a finding is about, in the order in which a report names them. */
export const FINDING_KINDS = [
  /** Something that is forbidden by default. */
  'policy',
  /** Packets, accounts or connections that one tree lets through and the other does not. */
  'access',
  /** Where traffic ends up: service, backend, what a name resolves to. */
  'destination',
  /** Who decides what Terraform does: provider, role, region, module, provisioner, state. */
  'control',
  /** Something that protects access or availability. */
  'safeguard',
  /** Clients or calls that are cut. */
  'disruption',
  /** `access.json` and Terraform differ. */
  'disagreement',
  /** Something that this review cannot read. */
  'unread',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** One row of a review. */
export interface Finding {
  readonly kind: FindingKind;
  /** What the row alone would come to; `no-change` is information. */
  readonly decision: Decision;
  readonly stack: string;
  /** Through which resource: Terraform's address in the stack, a file, or a block such as `provider.null`. */
  readonly resource: string;
  /** Who, as in "10.0.0.0/8": whoever gains or loses; empty where nobody in particular does. */
  readonly who: string;
  /** What is affected, as in "service-endpoint, tcp 443": a noun phrase. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** Newly (or no longer) reachable addresses, in decimal digits; they can be more than 2^53. */
  readonly addresses?: string;
  /** What follows from it, as a clause: "JWT and token travel unencrypted". */
  readonly consequence?: string;
  /** Reason of the access rule that states it. */
  readonly reason?: string;
  /** The base gives the same reason for other access: it says nothing about this change. */
  readonly isReasonOld?: true;
  /** Exception of the access rule that states it. */
  readonly exception?: string;
  readonly code?: Code;
  /** What a deploy does to the resources of this row, where their plan is given. */
  readonly planned?: PlannedActions;
}

/** How many objects a deploy makes, changes in place, makes anew and removes. */
export interface PlannedActions {
  readonly add: number;
  readonly change: number;
  readonly replace: number;
  readonly destroy: number;
}

/** The worst of all; without any it is no change. */
export function worstOf(decisions: readonly Decision[]): Decision {
  return DECISIONS.find((one) => decisions.includes(one)) ?? 'no-change';
}
