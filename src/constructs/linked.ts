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
