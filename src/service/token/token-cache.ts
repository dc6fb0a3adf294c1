import type { Secret } from '../../codes/secret.js';

/** The lifetime of a token for which no other was asked. */
export const DEFAULT_TOKEN_SECONDS = 900;

/** The longest lifetime of a token. */
export const MAX_TOKEN_SECONDS = 86_399;

export interface AccessToken {
  /** Opaque. */
  readonly value: Secret;
  /** Unix time in seconds. */
  readonly expiresAt: number;
  /** Seconds from the response to the expiry, by the clock that leaves less; at most {@link MAX_TOKEN_SECONDS}. */
  readonly lifetimeSeconds: number;
  readonly logId?: string;
  /** The contradictions of the answer to the specification or itself, a sentence each; absent if there are none. */
  readonly problems?: readonly string[];
}

/**
 * The time before its end from which a token is no longer given out, in seconds, unless the caller
 * says otherwise.
 */
export const RENEW_BEFORE_SECONDS = 60;

/**
 * Computes until when a token may be given out: a margin before its end, at most half of its
 * lifetime.
 *
 * @param askedAt milliseconds since the epoch by this machine's clock, before the token was asked for
 * @returns milliseconds since the epoch by the same clock
 */
export function goodUntil(
  { lifetimeSeconds }: AccessToken,
  askedAt: number,
  renewBeforeSeconds: number = RENEW_BEFORE_SECONDS,
): number {
  const margin = Math.min(renewBeforeSeconds, lifetimeSeconds / 2);
  return askedAt + (lifetimeSeconds - margin) * 1000;
}

/**
 * Access tokens of several callers, each kept as long as it may be used. Nothing is written
 * anywhere.
 */
export class TokenCache {
  readonly #tokens = new Map<string, { readonly token: AccessToken; readonly until: number }>();
  readonly #now: () => number;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param key identifies caller, service and request; holds no secret */
  get(key: string): AccessToken | undefined {
    const kept = this.#tokens.get(key);
    if (kept === undefined || this.#now() < kept.until) return kept?.token;
    this.#tokens.delete(key);
    return undefined;
  }

  /** @param askedAt milliseconds since the epoch, before the token was asked for */
  keep(key: string, token: AccessToken, askedAt: number): void {
    this.#tokens.set(key, { token, until: goodUntil(token, askedAt) });
  }

  /** Retires a token that the service rejected. */
  discard(key: string): void {
    this.#tokens.delete(key);
  }
}
