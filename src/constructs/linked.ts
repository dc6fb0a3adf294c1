import type { ITerraformDependable } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { Link, Plugin } from '../link/link.js';

/** A link as a construct defines it; strings may contain tokens. */
export type MadeLink = Omit<Link, 'expectedAddresses'> & {
  /** Addresses known when the stack is written, or a Terraform expression that gives a list of them. */
  readonly expectedAddresses: readonly string[] | { readonly expression: string };
};

/** A construct with links that can be checked. */
export interface Linked {
  /** All of them. */
  readonly links: readonly MadeLink[];
  /** What must exist before the links work, including rules. */
  readonly resources: readonly ITerraformDependable[];
  /** CIDRs that may call over the links. @default - any, or not known */
  readonly callers?: readonly string[] | undefined;
}

/** Whether a construct is {@link Linked}. */
export function isLinked(construct: IConstruct): construct is IConstruct & Linked {
  return 'links' in construct && Array.isArray(construct.links) && 'resources' in construct;
}

/** A connection of the service to a private plugin; strings may contain tokens. */
export interface AcceptedLink {
  readonly name: string;
  readonly serviceId: string;
  readonly endpointId: string;
  readonly ownerAccountId: string;
  /** As of the deploy. */
  readonly status: string;
}

/**
 * A construct whose connections from the service are reported as of the deploy, and whose servers
 * are checked.
 */
export interface Connected {
  readonly connections: readonly AcceptedLink[];
  /**
   * Plugins whose servers are checked wherever they can be reached; strings may contain tokens.
   * @default - none
   */
  readonly plugins?: readonly Plugin[];
  readonly resources: readonly ITerraformDependable[];
}
