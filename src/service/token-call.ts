import type { ServiceConnection } from './connection.js';
import { type JwtClaims, type JwtOptions, signJwt } from './jwt.js';
import { REQUEST_TIMEOUT_MS } from './limits.js';
import { present } from './present.js';
import type { ServiceResponse } from './response.js';
import type { CallOptions } from './service-request.js';
import { checkTokenOptions, tokenRequest } from './token.js';

/** Who asks for an access token, and for what kind. */
export type TokenCredentials = JwtOptions & {
  readonly enterpriseId: string;
  /** Lifetime asked for, 1 to 86399 seconds. @default the service's own: 900 */
  readonly durationSeconds?: number;
};

export interface TokenAnswer {
  /** To be read by `readToken`. */
  readonly response: ServiceResponse;
  /** Of the JWT that was sent. */
  readonly claims: JwtClaims;
}

export interface TokenCallOptions extends CallOptions {
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
  { signal, timeoutMs = REQUEST_TIMEOUT_MS, onSigned }: TokenCallOptions = {},
): Promise<TokenAnswer> {
  const { enterpriseId, durationSeconds } = credentials;
  const asked = { enterpriseId, ...present({ durationSeconds }) };
  checkTokenOptions(asked);
  const end = performance.now() + timeoutMs;
  const { jwt, claims } = await signJwt(credentials, { ...present({ signal }), timeoutMs });
  onSigned?.();
  const leftMs = Math.max(1, end - performance.now());
  const call = { ...present({ signal }), timeoutMs: leftMs };
  return { response: await connection.request(tokenRequest({ ...asked, jwt }), call), claims };
}
