import type { ITerraformDependable } from 'cdktf';
import type { Link } from '../link/link.js';

/** A construct that makes a link which can be checked. */
export interface Linked {
  /** The link; texts may hold tokens, `expectedAddresses` may be an expression. */
  readonly link: Omit<Link, 'expectedAddresses'> & {
    /** Addresses known when the stack is written, or a Terraform expression that gives a list of them. */
    readonly expectedAddresses: readonly string[] | { readonly expression: string };
  };
  /** What must be there before the link works, rules included. */
  readonly resources: readonly ITerraformDependable[];
}

/** A connection of the service to a private plugin; texts may hold tokens. */
export interface AcceptedLink {
  readonly name: string;
  readonly serviceId: string;
  readonly endpointId: string;
  readonly ownerAccountId: string;
  /** As of the deploy. */
  readonly status: string;
}

/** A construct whose connections from the service are reported as of the deploy. */
export interface Connected {
  readonly connections: readonly AcceptedLink[];
  readonly resources: readonly ITerraformDependable[];
}
