import type { JsonObject } from '../json.js';
import type { Token } from './token-store.js';

/** A call of the API, as an endpoint needs it. */
export interface ApiRequest {
  readonly query: URLSearchParams;
  /** Undefined where the body is not a JSON object. */
  readonly body: JsonObject | undefined;
  readonly logId: string;
  /** Of the caller. */
  readonly token: Token;
}
