import * as z from 'zod/mini';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { issueText } from '../codes/issue-text.js';
import {
  type Connection,
  connectionSchema,
  type Link,
  linkSchema,
  type Plugin,
  pluginSchema,
} from './link.js';

export const LINKS_SCHEMA = 'secure-connectivity/links@1';

const linksSchema = z.strictObject({
  schema: z.literal(LINKS_SCHEMA),
  /** SHA-256 of the access rules that were deployed with the links; hexadecimal. */
  accessDigest: z.string(),
  links: z.array(linkSchema),
  connections: z.optional(z.array(connectionSchema)),
  plugins: z.optional(z.array(pluginSchema)),
});

/**
 * What a stack passes to the verifier: its output `connectivity`, and the environment of its check.
 */
export interface Links {
  readonly accessDigest: string;
  readonly links: readonly Link[];
  /** Connections of the service to private plugins, as of the deploy. */
  readonly connections?: readonly Connection[] | undefined;
  /** Private plugins whose servers can be checked from inside their network. */
  readonly plugins?: readonly Plugin[] | undefined;
}

/** Writes links as one line of JSON. */
export function encodeLinks({ accessDigest, links, connections, plugins }: Links): string {
  return JSON.stringify({ schema: LINKS_SCHEMA, accessDigest, links, connections, plugins });
}

/**
 * Reads what {@link encodeLinks} wrote.
 *
 * @param source named in errors: a file, a variable, a stack
 * @throws ConnectivityError `link.invalid`
 */
export function decodeLinks(text: string, source: string): Links {
  const result = linksSchema.safeParse(parseJson(text, source), { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `  ${issueText(issue)}`);
  throw new ConnectivityError('link.invalid', `${source} holds no links:\n${problems.join('\n')}`);
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectivityError('link.invalid', `${source} is not JSON`, { cause });
  }
}
