import type { ITerraformDependable } from 'cdktf';
import type { IConstruct } from 'constructs';
import { kind } from '../cloud/props/kinds.js';
import { isObject } from '../files/json.js';
import { type Connection, encodeLinks, type Link, type Plugin } from '../link/link.js';

/** A link as a construct defines it; strings may contain tokens. */
export type MadeLink = Omit<Link, 'expectedAddresses'> & {
  /** Addresses known when the stack is written, or a Terraform expression that gives a list of them. */
  readonly expectedAddresses: readonly string[] | { readonly expression: string };
};

/** A construct with links that can be checked. */
export interface Linked {
  /** All of them. */
  readonly links: readonly MadeLink[];
  /** Resources that must exist before the links work, including rules. */
  readonly resources: readonly ITerraformDependable[];
  /** CIDRs that may call over the links. @default - any, or not known */
  readonly callers?: readonly string[] | undefined;
}

/** Tells whether a construct is {@link Linked}. */
export function isLinked(construct: IConstruct): construct is IConstruct & Linked {
  return 'links' in construct && Array.isArray(construct.links) && 'resources' in construct;
}

export const linked = kind('a construct with links, such as a ServiceEndpoint', hasLinks);

function hasLinks(value: unknown): value is Linked {
  return isObject(value) && Array.isArray(value.links) && Array.isArray(value.resources);
}

export const connected = kind('a PluginEndpointService', hasConnections);

function hasConnections(value: unknown): value is Connected {
  return isObject(value) && Array.isArray(value.connections) && Array.isArray(value.resources);
}

/** A connection of the service to a private plugin; strings may contain tokens. */
export interface AcceptedLink extends Readonly<Connection> {}

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

/** The links that a stack passes to the verifier, as its constructs define them. */
interface MadeLinks {
  readonly rulesDigest: string;
  readonly links: readonly MadeLink[];
  readonly connections: readonly AcceptedLink[];
  readonly plugins: readonly Plugin[];
}

/**
 * Links as one line of JSON that Terraform completes: the encoding of the verifier, with
 * expressions where a value is known only after the deploy.
 */
export function linksExpression({ rulesDigest, links, connections, plugins }: MadeLinks) {
  let text = encodeLinks({
    rulesDigest,
    links: links.map((link) => ({ ...link, expectedAddresses: listAddresses(link) })),
    ...(connections.length > 0 && { connections }),
    ...(plugins.length > 0 && { plugins }),
  });
  for (const link of links) {
    if (!('expression' in link.expectedAddresses)) continue;
    const expression = `\${jsonencode(${link.expectedAddresses.expression})}`;
    text = text.replace(JSON.stringify(listAddresses(link)), () => expression);
  }
  return text;
}

/** The addresses of a link; an expression as a text, whose list is then replaced by what Terraform computes. */
function listAddresses({ expectedAddresses }: MadeLink): string[] {
  return 'expression' in expectedAddresses
    ? [expectedAddresses.expression]
    : [...expectedAddresses];
}
