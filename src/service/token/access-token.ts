import type { Code } from '../../codes/codes.js';
import { Secret } from '../../codes/secrets.js';
import { bodyProblem, ServiceError, serviceAnswer } from '../api-response.js';
import { isFromService, logIdOf, type ServiceResponse, serverTime } from '../http/message.js';
import { asObject, asText, present } from '../json.js';

const CALL = 'the token call';

/** `expires_in` is a Unix time by the specification; a value this small can only be a lifetime. */
const SMALLEST_UNIX_TIME = 1e9;

export interface AccessToken {
  /** Opaque. */
  readonly value: Secret;
  /** Unix time in seconds. */
  readonly expiresAt: number;
  /** Seconds from the response to the expiry, by the service's own clock if it sends the time. */
  readonly lifetimeSeconds: number;
  readonly logId?: string;
}

/** Reads the answer to a token request: the body before the status. @throws ServiceError */
export function readToken(response: ServiceResponse): AccessToken {
  const body = asObject(response.json);
  const token = asText(body?.access_token);
  const expiresIn = Number(body?.expires_in ?? Number.NaN);
  if (token !== undefined && Number.isFinite(expiresIn) && response.status < 300) {
    if (!SENDABLE.test(token)) {
      throw unusable(response, '`access_token` holds characters that no header can carry');
    }
    const answeredAt = Math.floor(response.receivedAt / 1000);
    const expiresAt = expiresIn > SMALLEST_UNIX_TIME ? expiresIn : answeredAt + expiresIn;
    const sentAt = Math.floor(serverTime(response) / 1000);
    const lifetimeSeconds = expiresAt === expiresIn ? expiresAt - sentAt : expiresIn;
    if (lifetimeSeconds <= 0) {
      throw unusable(response, `\`expires_in\` is ${expiresIn}: the token has expired already`);
    }
    const value = new Secret(token);
    return { value, expiresAt, lifetimeSeconds, ...present({ logId: logIdOf(response) }) };
  }
  const code = body?.error_code ?? asText(body?.error) ?? body?.code;
  const answer = serviceAnswer(response, code, body?.error_message ?? body?.msg);
  const { serviceCode, serviceMessage = '' } = answer;
  const byBody = isFromService(response)
    ? tokenCode(serviceCode, serviceMessage)
    : codeOfMessage(WITHOUT_CODE, body?.error_message);
  if (byBody !== undefined) throw new ServiceError(byBody, CALL, answer);
  const missing = token === undefined ? '`access_token`' : 'a number `expires_in`';
  const problem = bodyProblem(response, missing);
  throw new ServiceError(judgeStatus(response), CALL, { ...answer, problem });
}

/** What a header can carry. */
const SENDABLE = /^[\x21-\x7e]+$/;

function unusable(response: ServiceResponse, problem: string): ServiceError {
  const answer = serviceAnswer(response);
  return new ServiceError('token.unexpected-answer', CALL, { ...answer, problem });
}

type Messages = readonly (readonly [RegExp, Code])[];

const UNKNOWN_KEY: Messages = [[/\bkid\b.*regist/i, 'token.kid-unknown']];

/** For some errors the specification has a message alone. */
const WITHOUT_CODE: Messages = [
  [/invalid app type/i, 'token.app-type'],
  [/login session invalid/i, 'token.login-session'],
];

const DEACTIVATED: Messages = [[/deactivated/i, 'token.app-deactivated']];

/** What a code of the service means, and which of its messages mean something narrower. */
const BY_SERVICE_CODE: Readonly<Record<string, readonly [Code, Messages?]>> = {
  invalid_request: ['token.invalid-request'],
  invalid_client: ['token.invalid-client', UNKNOWN_KEY],
  unsupported_grant_type: ['token.unsupported-grant-type'],
  access_deny: ['token.access-denied', [...DEACTIVATED, ...WITHOUT_CODE]],
  access_denied: ['token.access-denied', [...DEACTIVATED, ...WITHOUT_CODE]],
  internal_error: ['token.internal-error'],
  '4013': ['token.rate-limited'],
};

/** Where the code is not known, the message alone decides. */
const BY_MESSAGE: Messages = [
  ...DEACTIVATED,
  ...WITHOUT_CODE,
  ...UNKNOWN_KEY,
  [/not supported grant type/i, 'token.unsupported-grant-type'],
  [/service internal error/i, 'token.internal-error'],
];

function tokenCode(serviceCode: string | undefined, message: string): Code | undefined {
  const [code, narrower = []] = BY_SERVICE_CODE[serviceCode ?? ''] ?? [undefined, BY_MESSAGE];
  return codeOfMessage(narrower, message) ?? code;
}

function codeOfMessage(messages: Messages, message: unknown): Code | undefined {
  const text = asText(message) ?? '';
  return messages.find(([pattern]) => pattern.test(text))?.[1];
}

function judgeStatus(response: ServiceResponse): Code {
  const { status } = response;
  if (status >= 300 && status < 400) return 'http.redirect';
  if (status === 429) return 'token.rate-limited';
  if (status >= 500) return 'http.server-error';
  const body = asObject(response.json);
  const has = (field: string) => body?.[field] !== undefined;
  const isSuccess =
    status < 300 &&
    (body?.code === 0 || has('access_token') || typeof body?.expires_in === 'number');
  if (isSuccess) return 'token.unexpected-answer';
  return isFromService(response) ? 'token.unknown-error' : 'http.not-the-service';
}

/** How long before its end a token is no longer given out, in seconds, unless the caller says otherwise. */
export const RENEW_BEFORE_SECONDS = 60;

/**
 * Until when a token may be given out: some time before its end, at most half of its lifetime.
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

  /** @param key who asks, where and for what; no secret */
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
