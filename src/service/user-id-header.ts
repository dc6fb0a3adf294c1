import { tryAddress, unmapped } from '../net/address.js';
import { anyContains, parseCidr } from '../net/cidr.js';
import { MAX_USER_ID_LENGTH } from './unspecified.js';

/** The header in which the service passes on the `user_id` of the chat call; specification, part 5. */
export const USER_ID_HEADER = 'X-Aiplugin-Connector-Identifier';

export interface UserIdOptions {
  /**
   * CIDRs that the service calls from: 100.64.0.0/10 for a private plugin, the vendor's list for a
   * fixed-IP plugin.
   */
  readonly trustedNetworks: readonly string[];
  /** CIDRs of your own proxies whose `X-Forwarded-For` names the caller. @default - none */
  readonly trustedProxies?: readonly string[];
  /**
   * The address that the request came from; needed if the request does not have it.
   * @default - of the request's socket
   */
  readonly remoteAddress?: string;
}

/** A request of Node (`IncomingMessage`), of Express, or of fetch (`Request`). */
export interface HeaderedRequest {
  readonly headers:
    | Readonly<Record<string, string | readonly string[] | undefined>>
    | { get(name: string): string | null };
  /** Names and values in turn, as received; tells a repeated header from one value. */
  readonly rawHeaders?: readonly string[];
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

export type UserIdRefusal =
  | 'untrusted-caller'
  | 'unknown-caller'
  | 'several-values'
  | 'empty'
  | 'too-long'
  | 'control-characters';

/** The user of a request; for authorization, only `user` names one. */
export type UserIdResult =
  | { readonly kind: 'user'; readonly userId: string; readonly caller: string }
  | { readonly kind: 'absent'; readonly caller: string | undefined }
  | {
      readonly kind: 'refused';
      readonly reason: UserIdRefusal;
      readonly caller: string | undefined;
    };

/**
 * Reads the user ID of a plugin call. The header is unsigned: it is trusted only from the networks
 * that the options name, and its value is whatever the caller of the chat API chose to send.
 *
 * @throws RangeError for a network of the options that is not a CIDR
 */
export function readUserId(request: HeaderedRequest, options: UserIdOptions): UserIdResult {
  const believed = options.trustedNetworks.map(parseCidr);
  const caller = findCaller(request, options);
  const values = readValues(request, USER_ID_HEADER);
  if (values.length === 0) return { kind: 'absent', caller };
  const refused = (reason: UserIdRefusal): UserIdResult => ({ kind: 'refused', reason, caller });
  const address = caller === undefined ? undefined : tryAddress(caller);
  if (caller === undefined || address === undefined) return refused('unknown-caller');
  if (!anyContains(believed, address)) return refused('untrusted-caller');
  const [value = '', ...others] = values;
  if (others.length > 0) return refused('several-values');
  const problem = findProblem(value);
  return problem === undefined ? { kind: 'user', userId: value, caller } : refused(problem);
}

function findProblem(value: string): UserIdRefusal | undefined {
  if (value.trim() === '') return 'empty';
  if (/\p{Cc}/u.test(value)) return 'control-characters';
  return [...value].length > MAX_USER_ID_LENGTH ? 'too-long' : undefined;
}

/** The nearest address that is not one of the own proxies. */
function findCaller(request: HeaderedRequest, options: UserIdOptions): string | undefined {
  const proxies = (options.trustedProxies ?? []).map(parseCidr);
  const hops = readValues(request, 'X-Forwarded-For')
    .flatMap((value) => value.split(','))
    .map((hop) => unmapped(hop.trim()));
  // A socket that listens on both families gives IPv4 callers in their IPv6 spelling.
  const peer = options.remoteAddress ?? request.socket?.remoteAddress;
  let caller = peer === undefined ? undefined : unmapped(peer);
  while (caller !== undefined && hops.length > 0) {
    const address = tryAddress(caller);
    if (address === undefined || !anyContains(proxies, address)) return caller;
    caller = hops.pop();
  }
  return caller;
}

/** Every value of a header, repeated headers apart where the request tells them apart. */
function readValues({ headers, rawHeaders }: HeaderedRequest, name: string): string[] {
  const wanted = name.toLowerCase();
  if (rawHeaders !== undefined) {
    return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === wanted);
  }
  if (isFetchHeaders(headers)) {
    const joined = headers.get(name);
    // Fetch joins repeated headers with a comma; a user ID with a comma cannot be distinguished from two.
    return joined === null ? [] : joined.split(',').map((value) => value.trim());
  }
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
  if (entry === undefined) return [];
  return typeof entry === 'string' ? [entry] : [...entry];
}

function isFetchHeaders(
  headers: HeaderedRequest['headers'],
): headers is { get(name: string): string | null } {
  return typeof Reflect.get(headers, 'get') === 'function';
}
