import { isIPv4 } from 'node:net';
import * as z from 'zod/mini';
import { usageError } from '../codes/connectivity-error.js';
import { issueText, parsedBy } from '../codes/issue-text.js';
import { parseCidr } from '../net/cidr.js';
import { isOrigin } from '../net/host-name.js';
import { VIAS } from './via.js';

export { VIAS, type Via } from './via.js';

const cidr = z.string().check(z.superRefine(parsedBy(parseCidr)));

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .check(
    z.refine(
      (text) => !URL.canParse(text) || isOrigin(new URL(text)),
      'must be scheme, host and port only',
    ),
  );

/** Shown in reports, where a terminal may obey it. */
const text = z
  .string()
  .check(z.minLength(1), z.regex(/^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u, 'must be one line of text'));

const server = z
  .string()
  .check(
    z.regex(/^\d+(\.\d+){3}:\d{1,5}$/, 'must be an IPv4 address and a port'),
    z.refine(isServer, 'must be an IPv4 address and a port from 1 to 65535'),
  );

function isServer(hostAndPort: string): boolean {
  const [host = '', port] = hostAndPort.split(':');
  return isIPv4(host) && Number(port) >= 1 && Number(port) <= 65_535;
}

/** One way to the service's API, as the stack built it and the verifier checks it. */
export const linkSchema = z.strictObject({
  /** Distinguishes the links of one stack, and names them in reports. */
  name: text,
  via: z.enum(VIAS),
  /** Scheme, host and port; paths are the service's own. */
  baseUrl,
  /** The audience of the JWT: always the service's public API host, whichever host is called. */
  apiHost: text,
  /** Exactly these addresses are expected (host CIDRs); empty if they are not known. */
  expectedAddresses: z.array(cidr),
  /** The addresses must be in these networks; empty if any address is acceptable. */
  expectedNetworks: z.array(cidr),
  /** The zone of each network, which names an unreachable address. */
  zones: z.optional(z.array(z.strictObject({ name: text, network: cidr }))),
  /**
   * True if a private zone resolves the API host inside the VPC: it is then the host of the base
   * URL.
   */
  privateZone: z.optional(z.boolean()),
  /**
   * The people who manage the records of the base URL's host, in the words of the stack. Absent if the stack
   * does.
   */
  recordsElsewhere: z.optional(text),
  /** The server name (SNI) sent and verified in TLS. Default: the host of the base URL. */
  tlsServerName: z.optional(text),
});

export type Link = z.infer<typeof linkSchema>;

/** A connection of the service to a private plugin, as the deploy left it; it may change later. */
export const connectionSchema = z.strictObject({
  /** Distinguishes the plugins of one stack. */
  name: text,
  serviceId: text,
  endpointId: text,
  /** The account that was asserted to own the endpoint before it was accepted. */
  ownerAccountId: text,
  /** The cloud's word for the state when the deploy ended: `Connected`. */
  status: text,
});

export type Connection = z.infer<typeof connectionSchema>;

/** A path that a request can carry as it is. */
export const HEALTH_CHECK_PATH = /^\/[!-~]*$/;

/** A private plugin's servers behind its load balancer, and how the load balancer checks them. */
export const pluginSchema = z.strictObject({
  /** Distinguishes the plugins of one stack. */
  name: text,
  serviceId: text,
  /** CIDRs of the servers' network; they cannot be seen from outside it. */
  networks: z.array(cidr),
  /** `ADDRESS:PORT` of each that calls are sent to; empty where the stack does not know them. */
  servers: z.array(server),
  /** Absent if the load balancer is not the stack's. */
  healthCheck: z.optional(
    z.strictObject({
      protocol: z.enum(['TCP', 'HTTP']),
      /** Only for HTTP: answered with 2xx. */
      path: z.optional(
        z
          .string()
          .check(z.regex(HEALTH_CHECK_PATH, 'must start with / and have only printable ASCII')),
      ),
      timeoutSeconds: z.number().check(z.positive()),
    }),
  ),
});

export type Plugin = z.infer<typeof pluginSchema>;

/** Seconds; short, for the addresses change when the endpoint is replaced. */
export const RECORD_TTL = 60;

/** The lines of a zone file that lead a host to addresses, those of IPv6 included. */
export function recordLines(host: string, addresses: readonly string[]): string[] {
  return addresses.map(
    (address) => `${host}. ${RECORD_TTL} IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}`,
  );
}

export const LINKS_SCHEMA = 'secure-connectivity/links@3';

const linksSchema = z.strictObject({
  schema: z.literal(LINKS_SCHEMA),
  /** SHA-256 of the rules in `access.json` beside the links; hexadecimal. */
  rulesDigest: z.string(),
  links: z.array(linkSchema),
  connections: z.optional(z.array(connectionSchema)),
  plugins: z.optional(z.array(pluginSchema)),
});

/**
 * The data that a stack passes to the verifier: its output `connectivity`, and the environment of its check.
 */
export interface Links {
  readonly rulesDigest: string;
  readonly links: readonly Link[];
  /** Connections of the service to private plugins, as of the deploy. */
  readonly connections?: readonly Connection[] | undefined;
  /** Private plugins whose servers can be checked from inside their network. */
  readonly plugins?: readonly Plugin[] | undefined;
}

/** Writes links as one line of JSON. */
export function encodeLinks(links: Links): string {
  const { rulesDigest, links: own, connections, plugins } = links;
  return JSON.stringify({ schema: LINKS_SCHEMA, rulesDigest, links: own, connections, plugins });
}

/**
 * Reads what {@link encodeLinks} wrote.
 *
 * @param source named in errors: a file, a variable, a stack
 * @throws ConnectivityError `usage.invalid`
 */
export function decodeLinks(text: string, source: string): Links {
  const value = parseJson(text, source);
  refuseOtherVersion(value, source);
  const result = linksSchema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `  ${issueText(issue)}`);
  throw usageError(`${source} holds no links:\n${problems.join('\n')}`);
}

const versionedSchema = z.object({
  schema: z.string().check(z.regex(/^secure-connectivity\/links@\d+$/)),
});

function refuseOtherVersion(value: unknown, source: string): void {
  const { success, data } = versionedSchema.safeParse(value);
  if (!success || data.schema === LINKS_SCHEMA) return;
  throw usageError(
    `${source} holds links of another version of this package: \`schema\` must be "${LINKS_SCHEMA}", got: "${data.schema}"; deploy the stack once with this version`,
  );
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError(`${source} is not JSON`, {
      cause,
    });
  }
}
