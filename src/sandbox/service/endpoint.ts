import { randomBytes } from 'node:crypto';
import type { FaultName } from '../faults/index.js';
import type { Json, JsonObject } from '../json.js';
import type { Application } from './application.js';
import type { ChatStore, PluginAnswer, Token } from './stores.js';

export interface ServiceContext {
  /** Audiences that a JWT may name. */
  readonly apiHosts: readonly string[];
  readonly enterpriseId: string;
  readonly tokens: Map<string, Token>;
  /** The `jti` of the JWTs that were used up. */
  readonly usedJwts: Set<string>;
  readonly chats: ChatStore;
  /** Calls the agent's plugins for a user. */
  readonly callPlugins: (userId: string) => Promise<readonly PluginAnswer[]>;
  readonly faults: () => ReadonlySet<FaultName>;
  readonly application: () => Application;
  /** The service's own clock: Unix time in milliseconds. */
  readonly now: () => number;
}

export interface ApiRequest {
  readonly query: URLSearchParams;
  /** Undefined where the body is not a JSON object. */
  readonly body: JsonObject | undefined;
  readonly logId: string;
  /** The token of the caller. */
  readonly token: Token;
}

/** An answer of the service, before the headers that every answer has. */
export interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent one by one in place of the body. */
  readonly events?: readonly string[];
}

/**
 * The wait that is asked of a client that calls too often; more than the second that a check waits
 * by itself.
 */
export const RETRY_AFTER_SECONDS = '3';

/**
 * A refusal of the token call. Its status is the sandbox's own choice: the specification shows none.
 *
 * @param code absent where the specification states none for the message
 */
export function tokenError(status: number, message: string, code?: string): Reply {
  return { status, body: { ...(code && { error_code: code }), error_message: message } };
}

/** A success of the API in its envelope. */
export function apiReply(data: Json, logId: string): Reply {
  return { status: 200, body: { code: 0, msg: '', data, detail: { logid: logId } } };
}

/** A failure of the API in its envelope. */
export function apiError(status: number, code: number, message: string, logId: string): Reply {
  return { status, body: { code, msg: message, detail: { logid: logId } } };
}

/** The credential in an Authorization header, or '' where there is none. */
export function readBearer(authorization: string): string {
  return /^Bearer ([^\s]+)$/i.exec(authorization)?.[1] ?? '';
}

/** A log id as the service writes them: the time to the second and 20 hexadecimal digits. */
export function newLogId(now: number): string {
  const time = new Date(now).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `${time}${randomBytes(10).toString('hex').toUpperCase()}`;
}
