import type { Secret } from './secret.js';

/** A request of the service, before it has a connection. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** With the query, from the first slash. */
  readonly path: string;
  /** Sent as bearer credential. */
  readonly credential?: Secret;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly accept?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call. @default 10_000 */
  readonly timeoutMs?: number;
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole stream. @default 600_000 */
  readonly timeoutMs?: number;
  /** Milliseconds until the answer begins, and from each piece of it to the next. @default 60_000 */
  readonly idleTimeoutMs?: number;
}
