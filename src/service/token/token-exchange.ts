import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import type { Secret } from '../../codes/secret.js';
import { checkGiven } from '../given-text.js';
import { REQUEST_TIMEOUT_MS, TimedOut } from '../http/limits.js';
import type {
  CallOptions,
  ServiceConnection,
  ServiceRequest,
  ServiceResponse,
} from '../http/message.js';
import { SingleFlight } from '../single-flight.js';
import { MIN_TOKEN_SECONDS } from '../unspecified.js';
import { readToken } from './access-token.js';
import { checkId, type JwtClaims, type JwtOptions, signJwt } from './jwt.js';
import { notSigned } from './signing-key.js';
import {
  type AccessToken,
  goodUntil,
  MAX_TOKEN_SECONDS,
  RENEW_BEFORE_SECONDS,
} from './token-cache.js';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface TokenRequestOptions {
  readonly enterpriseId: string;
  /** Signed for this request alone. */
  readonly jwt: Secret;
  /** Requested lifetime, 1 to 86399 seconds; sent only if set. @default the service's own: 900 */
  readonly durationSeconds?: number;
}

/**
 * Exchanges a JWT for an access token. The token cannot be refreshed: a new token needs a new JWT.
 *
 * @throws ServiceError with one of the codes `token.*` or `http.*`
 */
export async function exchangeToken(
  connection: ServiceConnection,
  options: TokenRequestOptions,
  call?: CallOptions,
): Promise<AccessToken> {
  return readToken(await connection.request(tokenRequest(options), call), options.durationSeconds);
}

/** @throws ConnectivityError `usage.invalid` */
export function tokenRequest(options: TokenRequestOptions): ServiceRequest {
  const { enterpriseId, jwt, durationSeconds } = options;
  checkTokenOptions(options);
  return {
    method: 'POST',
    path: `/api/permission/oauth2/enterprise_id/${encodeURIComponent(enterpriseId)}/token`,
    credential: jwt,
    body: {
      grant_type: GRANT_TYPE,
      ...(durationSeconds !== undefined && { duration_seconds: durationSeconds }),
    },
  };
}

/** @param names what errors call the fields @throws ConnectivityError `usage.invalid` */
export function checkTokenOptions(
  { enterpriseId, durationSeconds: seconds }: Omit<TokenRequestOptions, 'jwt'>,
  names: Readonly<Record<string, string>> = {},
): void {
  const field = names.enterpriseId ?? 'enterpriseId';
  checkGiven(field, enterpriseId);
  checkId(field, enterpriseId);
  // A URL parser would take these two for the folder itself and the one above.
  if (enterpriseId === '.' || enterpriseId === '..') {
    throw usageError(
      `\`${field}\` must be the ID shown in the organization settings, got: "${enterpriseId}"`,
    );
  }
  if (seconds === undefined) return;
  if (!Number.isInteger(seconds) || seconds < MIN_TOKEN_SECONDS || seconds > MAX_TOKEN_SECONDS) {
    throw usageError(
      `\`${names.durationSeconds ?? 'durationSeconds'}\` must be a whole number from ${MIN_TOKEN_SECONDS} to ${MAX_TOKEN_SECONDS}, got: ${seconds}`,
    );
  }
}

/** The identity that requests an access token, and the kind of token. */
export type TokenCredentials = JwtOptions & {
  readonly enterpriseId: string;
  /** Lifetime asked for, 1 to 86399 seconds. @default the service's own: 900 */
  readonly durationSeconds?: number;
};

export interface TokenAnswer {
  /** The response, for `readToken`. */
  readonly response: ServiceResponse;
  /** The claims of the JWT that was sent. */
  readonly claims: JwtClaims;
}

interface TokenCallOptions extends CallOptions {
  /** The JWT is signed, and is sent now. */
  readonly onSigned?: () => void;
}

/**
 * Signs a JWT and asks for an access token with it, both within the time of the call. A JWT can be
 * used once, so another call signs another one.
 *
 * @throws ConnectivityError `preflight.*`, `key.*`, and of the transport
 */
export async function callToken(
  connection: Pick<ServiceConnection, 'request'>,
  credentials: TokenCredentials,
  call?: TokenCallOptions,
): Promise<TokenAnswer> {
  return await sendJwt(connection, credentials, (own) => signJwt(credentials, own), call);
}

/**
 * Does the same with a JWT that is signed elsewhere.
 *
 * @param sign gives the JWT, within the time of the call
 */
export async function sendJwt(
  connection: Pick<ServiceConnection, 'request'>,
  asked: Omit<TokenRequestOptions, 'jwt'>,
  sign: (call: CallOptions) => Promise<{ readonly jwt: Secret; readonly claims: JwtClaims }>,
  { signal, timeoutMs = REQUEST_TIMEOUT_MS, onSigned }: TokenCallOptions = {},
): Promise<TokenAnswer> {
  checkTokenOptions(asked);
  const end = performance.now() + timeoutMs;
  const { jwt, claims } = await sign({ signal, timeoutMs });
  onSigned?.();
  const leftMs = Math.max(1, end - performance.now());
  const request = tokenRequest({ ...asked, jwt });
  return { response: await connection.request(request, { signal, timeoutMs: leftMs }), claims };
}

export type TokenSourceOptions = TokenCredentials & {
  /**
   * The time before its end from which a token is no longer given out, in seconds; at most half of its lifetime.
   *
   * @default 60
   */
  readonly renewBeforeSeconds?: number;
  /** Milliseconds for one exchange, the signature of its JWT included. @default 10_000 */
  readonly timeoutMs?: number;
};

/** Supplies access tokens, and exchanges JWTs no more often than necessary. */
export interface TokenSource {
  /**
   * The current token, or a new one if there is none or it is about to expire. However many callers
   * wait, there is one exchange; a caller that gives up leaves it to the others.
   *
   * @throws ServiceError with one of the codes `token.*` or `http.*`
   * @throws ConnectivityError `key.*`, `preflight.*`, and of the transport
   */
  token(call?: CallOptions): Promise<AccessToken>;
  /** Retires a token that the service rejected. */
  discard(token: AccessToken): void;
}

/** @param connection carries the exchanges; it stays the caller's to close */
export function createTokenSource(
  connection: ServiceConnection,
  options: TokenSourceOptions,
): TokenSource {
  const { renewBeforeSeconds = RENEW_BEFORE_SECONDS, now = Date.now } = options;
  if (!Number.isFinite(renewBeforeSeconds) || renewBeforeSeconds < 0) {
    throw usageError(`\`renewBeforeSeconds\` must be a number from 0, got: ${renewBeforeSeconds}`);
  }
  let current: AccessToken | undefined;
  let isGoodUntil = 0;
  let isSigning = false;
  const exchange = new SingleFlight<AccessToken>();
  const ask = async (signal: AbortSignal) => {
    const before = now();
    isSigning = true;
    const onSigned = () => {
      isSigning = false;
    };
    const call = { signal, timeoutMs: options.timeoutMs, onSigned };
    const { response } = await callToken(connection, options, call);
    const token = readToken(response, options.durationSeconds);
    isGoodUntil = goodUntil(token, before, renewBeforeSeconds);
    current = token;
    return token;
  };
  return {
    token: async (call) => {
      call?.signal?.throwIfAborted();
      if (current !== undefined && now() < isGoodUntil) return current;
      try {
        return await exchange.join(ask, call);
      } catch (error) {
        if (!(error instanceof TimedOut)) throw error;
        if (isSigning) throw notSigned(error.timeoutMs);
        throw new ConnectivityError('http.timeout', `no access token came: ${error.message}`);
      }
    },
    discard: (token) => {
      if (token === current) current = undefined;
    },
  };
}
