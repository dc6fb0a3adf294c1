import { safeText } from '../../codes/redact.js';
import type { Secret } from '../../codes/secret.js';
import { asObject, asText } from '../../files/json.js';
import { LOG_ID_FIELDS, LOG_ID_HEADER } from '../unspecified.js';

/** A request of the service, before it has a connection. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** With the query, from the first slash. */
  readonly path: string;
  /** Sent as a bearer token. */
  readonly credential?: Secret;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly accept?: string;
  /** The size of a header that does nothing but fill packets. @default - no such header */
  readonly fillingBytes?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call. @default 10_000 */
  readonly timeoutMs?: number;
  /** Awaited before the request is sent again, over a new connection or with a new token. @default - nothing */
  readonly beforeRepeat?: () => Promise<unknown>;
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole stream. @default 600_000 */
  readonly timeoutMs?: number;
  /** Milliseconds until the response starts, and between its chunks. @default 60_000 */
  readonly idleTimeoutMs?: number;
}

/** A complete answer of the service, or of whatever answers in its place. */
export interface ServiceResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, with every occurrence of the sent credential removed. */
  readonly text: string;
  /** The body as JSON; undefined where it is not JSON. */
  readonly json: unknown;
  /** Milliseconds since the epoch, before the request was sent. */
  readonly sentAt: number;
  /** Milliseconds since the epoch, when the whole answer was there. */
  readonly receivedAt: number;
  /** Retried, because the service took no further call on the connection of the previous one. */
  readonly isRepeated: boolean;
}

/** A response whose body is still arriving. */
export interface StreamedResponse extends Pick<ServiceResponse, 'status' | 'headers' | 'sentAt'> {
  /** The body, which must be read to its end, or left early, which ends the connection. */
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
  /** Reads the body to its end, if it turns out not to be a stream. */
  readonly whole: () => Promise<ServiceResponse>;
}

/**
 * A connection to the service, or several identical ones. It does not follow redirects. A GET is
 * retried once on a new connection if the service takes no further call on one that answered before;
 * nothing else is retried.
 */
export interface ServiceConnection {
  /** @throws ConnectivityError when no complete answer came; any HTTP status is an answer */
  request(request: ServiceRequest, options?: CallOptions): Promise<ServiceResponse>;
  /** Sends like `request`, but returns as soon as the body starts. */
  stream(request: ServiceRequest, options?: StreamOptions): Promise<StreamedResponse>;
  close(): Promise<void>;
}

/** The service's ID of the request: `detail.logid`, or else the header, which anything in between may set, or `logid`. */
export function logIdOf({ headers, json }: ServiceResponse): string | undefined {
  const body = asObject(json);
  const found =
    asText(asObject(body?.detail)?.logid) ??
    asText(headers[LOG_ID_HEADER]) ??
    asText(body?.[LOG_ID_FIELDS.own]) ??
    asText(asObject(body?.[LOG_ID_FIELDS.error])?.[LOG_ID_FIELDS.own]);
  return found !== undefined && /^[\w.-]{1,128}$/.test(found) ? found : undefined;
}

/**
 * Returns the time of the answer in milliseconds since the epoch: by the service's own clock where it tells the
 * time, so that a wrong clock on this side changes nothing.
 */
export function serverTime({
  headers,
  receivedAt,
}: Pick<ServiceResponse, 'headers' | 'receivedAt'>): number {
  return readDate(headers) ?? receivedAt;
}

/**
 * Reads the header `Date` in milliseconds since the epoch. An answer with `Age` comes out of a cache,
 * and its date is that of an earlier answer.
 *
 * @returns undefined where the answer has no readable date of its own
 */
export function readDate({
  date = '',
  age,
}: {
  readonly date?: string | undefined;
  readonly age?: string | undefined;
}): number | undefined {
  const ms = parseHttpDate(date);
  return age !== undefined || Number.isNaN(ms) ? undefined : ms;
}

/**
 * Reads a date in one of the three forms of RFC 9110, all of which are in GMT, whether they say so or
 * not. The parser of Node.js takes nearly anything for a date, such as a single digit.
 *
 * @returns NaN for any other text
 */
function parseHttpDate(text: string): number {
  if (!/^[A-Z][a-z]+,? /.test(text)) return Number.NaN;
  return Date.parse(/:\d\d( \d{4})?$/.test(text) ? `${text} GMT` : text);
}

/** Seconds; a longer wait means never. */
const MAX_RETRY_AFTER = 1e9;

/**
 * Reads how long the service asks callers to stay away, by the header `Retry-After`: a number of seconds, or
 * a date, which is read by the service's own clock where it tells the time.
 *
 * @returns seconds; undefined where the answer does not say
 */
export function readRetryAfter(
  response: Pick<ServiceResponse, 'headers' | 'receivedAt'>,
): number | undefined {
  const text = response.headers['retry-after']?.trim() ?? '';
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : Math.ceil((parseHttpDate(text) - serverTime(response)) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), MAX_RETRY_AFTER);
}

/** The header `Retry-After` where it says nothing that can be read; undefined where it does, or is missing. */
export function oddRetryAfter(
  response: Pick<ServiceResponse, 'headers' | 'receivedAt'>,
): string | undefined {
  const text = response.headers['retry-after'];
  return text === undefined || readRetryAfter(response) !== undefined
    ? undefined
    : `not readable: "${safeText(text)}"`;
}

/**
 * Tells whether the answer is in one of the service's JSON envelopes, whatever its status. The header of
 * the log id alone proves nothing: whatever is in between may set it or pass it on.
 */
export function isInFormat({ json }: Pick<ServiceResponse, 'json'>): boolean {
  const body = asObject(json);
  if (body === undefined) return false;
  if (typeof body.access_token === 'string' && typeof body.expires_in === 'number') return true;
  if (typeof body.error_code === 'string') return true;
  if (typeof body.code !== 'number' || typeof body.msg !== 'string') return false;
  // A gateway repeats the HTTP status as its code; the service's codes are its own.
  return !isHttpStatus(body.code) || asText(asObject(body.detail)?.logid) !== undefined;
}

export function isHttpStatus(code: unknown): boolean {
  return typeof code === 'number' && code >= 100 && code < 600;
}

/**
 * The code of a status that means the same from every sender; undefined for any other.
 *
 * @param location the header: without it, an answer leads nowhere (304, or a 302 that forgot it)
 */
export function codeOfStatus(status: number, location: string | undefined) {
  if (status >= 300 && status < 400 && location) return 'http.unexpected-answer: redirect';
  if (status === 408) return 'http.timeout: HTTP 408';
  if (status === 407) return 'http.unexpected-answer: HTTP 407';
  if (status === 421) return 'http.unexpected-answer: HTTP 421';
  if (status === 429) return 'http.rate-limited';
  // RFC 6585: sent by what intercepts the call until somebody has logged in.
  if (status === 511) return 'http.unexpected-answer: HTTP 511';
  return status >= 500 && status < 600 ? 'http.server-error' : undefined;
}
