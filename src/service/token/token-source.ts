import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { ServiceConnection } from '../http/connection.js';
import { TimedOut, withTimeout } from '../http/limits.js';
import type { CallOptions } from '../http/message.js';
import { present } from '../json.js';
import { type AccessToken, readToken } from './read-token.js';
import { notSigned } from './signing-key.js';
import { callToken, type TokenCredentials } from './token-call.js';

const RENEW_BEFORE_SECONDS = 60;

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

/** Gives access tokens, and exchanges no more often than it must. */
export interface TokenSource {
  /**
   * The token in use, or a new one where there is none or it is about to end. However many callers
   * wait, there is one exchange; a caller that gives up leaves it to the others.
   *
   * @throws ServiceError with one of the codes `token.*` or `http.*`
   * @throws ConnectivityError `key.*`, `preflight.*`, and of the transport
   */
  token(call?: CallOptions): Promise<AccessToken>;
  /** Takes a token out of use that the service rejected. */
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
  let goodUntil = 0;
  let isSigning = false;
  const exchange = new SingleFlight(async (signal) => {
    const before = now();
    isSigning = true;
    const onSigned = () => {
      isSigning = false;
    };
    const call = { signal, ...present({ timeoutMs: options.timeoutMs }), onSigned };
    const token = readToken((await callToken(connection, options, call)).response);
    const margin = Math.min(renewBeforeSeconds, token.lifetimeSeconds / 2);
    goodUntil = before + (token.lifetimeSeconds - margin) * 1000;
    current = token;
    return token;
  });
  return {
    token: async (call) => {
      call?.signal?.throwIfAborted();
      if (current !== undefined && now() < goodUntil) return current;
      try {
        return await exchange.join(call);
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

interface Running<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that is done once for all who want its result at the same time. */
class SingleFlight<T> {
  readonly #work: (signal: AbortSignal) => Promise<T>;
  #running: Running<T> | undefined;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#work = work;
  }

  /** Waits for the running work, or starts it. When the last who waits gives up, it is aborted. */
  async join({ signal, timeoutMs }: CallOptions = {}): Promise<T> {
    this.#running ??= this.#start();
    const running = this.#running;
    running.waiting += 1;
    try {
      return await this.#wait(running.result, signal, timeoutMs);
    } finally {
      running.waiting -= 1;
      if (running.waiting === 0) {
        this.#forget(running);
        running.controller.abort();
      }
    }
  }

  #wait(result: Promise<T>, signal?: AbortSignal, timeoutMs?: number): Promise<T> {
    if (signal === undefined && timeoutMs === undefined) return result;
    return withTimeout(timeoutMs ?? 2 ** 31 - 1, signal, () => result);
  }

  #start(): Running<T> {
    const controller = new AbortController();
    const result = this.#work(controller.signal);
    const running: Running<T> = { result, controller, waiting: 0 };
    const forget = () => this.#forget(running);
    result.then(forget, forget);
    return running;
  }

  #forget(running: Running<T>): void {
    if (this.#running === running) this.#running = undefined;
  }
}
