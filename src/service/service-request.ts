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
