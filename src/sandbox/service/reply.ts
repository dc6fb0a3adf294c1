import type { Json } from '../json.js';

/** What the service answers, before headers that every answer has. */
export interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent one by one in place of the body. */
  readonly events?: readonly string[];
}

/** What a client that calls too often is told; more than the second that a check waits by itself. */
export const RETRY_AFTER_SECONDS = '3';

/** An error of the token endpoint. */
export function tokenError(status: number, code: string, message: string): Reply {
  return { status, body: { error_code: code, error_message: message, error: code } };
}

/** A success of the API in its envelope. */
export function apiReply(data: Json, logId: string): Reply {
  return { status: 200, body: { code: 0, msg: '', data, detail: { logid: logId } } };
}

/** A failure of the API in its envelope. */
export function apiError(status: number, code: number, message: string, logId: string): Reply {
  return { status, body: { code, msg: message, detail: { logid: logId } } };
}

/** A stream of server-sent events. */
export function streamReply(events: readonly string[]): Reply {
  return { status: 200, body: null, headers: { 'content-type': 'text/event-stream' }, events };
}
