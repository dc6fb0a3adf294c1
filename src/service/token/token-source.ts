import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { ServiceConnection } from '../http/connection.js';
import { TimedOut } from '../http/limits.js';
import type { CallOptions } from '../http/message.js';
import { present } from '../json.js';
import { SingleFlight } from '../single-flight.js';
import { type AccessToken, readToken } from './read-token.js';
import { notSigned } from './signing-key.js';
import { goodUntil, RENEW_BEFORE_SECONDS } from './token-cache.js';
import { callToken, type TokenCredentials } from './token-call.js';

export type TokenSourceOptions = TokenCredentials & {
  /**
   * How long before its end a token is no longer given out, in seconds; at most half of its lifetime.
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
  checkRenewBefore(renewBeforeSeconds);
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
    const call = { signal, ...present({ timeoutMs: options.timeoutMs }), onSigned };
    const token = readToken((await callToken(connection, options, call)).response);
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

function checkRenewBefore(seconds: number): void {
  if (Number.isFinite(seconds) && seconds >= 0) return;
  throw new ConnectivityError(
    'usage.invalid',
    `\`renewBeforeSeconds\` must be a number from 0, got: ${seconds}`,
  );
}
