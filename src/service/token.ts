import type { Code } from '../codes/codes.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { bodyProblem } from './body-problem.js';
import type { ServiceConnection } from './connection.js';
import { asObject, asText, isFromService, logIdOf, type ServiceResponse } from './response.js';
import { Secret } from './secret.js';
import { ServiceError, serviceAnswer } from './service-error.js';
import type { CallOptions, ServiceRequest } from './service-request.js';

const CALL = 'the token call';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const LONGEST_TOKEN_SECONDS = 86_399;

/** `expires_in` is a Unix time by the specification; a value this small can only be a lifetime. */
const SMALLEST_UNIX_TIME = 1e9;

export interface TokenRequestOptions {
  readonly enterpriseId: string;
  /** Signed for this request alone. */
  readonly jwt: Secret;
  /** Lifetime asked for, 1 to 86399 seconds; sent only when set. @default the service's own: 900 */
  readonly durationSeconds?: number;
}

export interface AccessToken {
  /** Opaque. */
  readonly value: Secret;
  /** Unix time in seconds. */
  readonly expiresAt: number;
  /** Seconds from the answer to the expiry, by the service's own clock where it tells the time. */
  readonly lifetimeSeconds: number;
  readonly logId?: string;
}

/**
 * Exchanges a JWT for an access token. The token cannot be refreshed: another needs a new JWT.
 *
 * @throws ServiceError with one of the codes `token.*` or `http.*`
 */
export async function exchangeToken(
  connection: ServiceConnection,
  options: TokenRequestOptions,
  call?: CallOptions,
): Promise<AccessToken> {
  return readToken(await connection.request(tokenRequest(options), call));
}

/** @throws ConnectivityError `preflight.invalid` */
export function tokenRequest(options: TokenRequestOptions): ServiceRequest {
  const { enterpriseId, jwt, durationSeconds } = options;
  checkTokenOptions(options);
  return {
    method: 'POST',
    path: `/api/permission/oauth2/enterprise_id/${encodeURIComponent(enterpriseId)}/token`,
    credential: jwt,
    body: {
      grant_type: GRANT_TYPE,
      ...(durationSeconds !== undefined && { duration_seconds: durationSeconds }),
    },
  };
}

/** @param names what errors call the fields @throws ConnectivityError `preflight.invalid` */
export function checkTokenOptions(
  { enterpriseId, durationSeconds: seconds }: Omit<TokenRequestOptions, 'jwt'>,
  names: Readonly<Record<string, string>> = {},
): void {
  // A URL parser would take these two for the folder itself and the one above.
  if (enterpriseId.trim() === '' || enterpriseId === '.' || enterpriseId === '..') {
    throw new ConnectivityError(
      'preflight.invalid',
      `\`${names.enterpriseId ?? 'enterpriseId'}\` must be the ID shown in the organization settings, got: "${enterpriseId}"`,
    );
  }
  const fits = seconds === undefined || (Number.isInteger(seconds) && seconds >= 1);
  if (!fits || (seconds ?? 1) > LONGEST_TOKEN_SECONDS) {
    throw new ConnectivityError(
      'preflight.invalid',
      `\`${names.durationSeconds ?? 'durationSeconds'}\` must be a whole number from 1 to ${LONGEST_TOKEN_SECONDS}, got: ${seconds}`,
    );
  }
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
    const logId = logIdOf(response);
    const answeredAt = Math.floor(response.receivedAt / 1000);
    const expiresAt = expiresIn > SMALLEST_UNIX_TIME ? expiresIn : answeredAt + expiresIn;
    const lifetimeSeconds = expiresAt === expiresIn ? expiresAt - serverTime(response) : expiresIn;
    if (lifetimeSeconds <= 0) {
      throw unusable(response, `\`expires_in\` is ${expiresIn}: the token has expired already`);
    }
    const value = new Secret(token);
    return { value, expiresAt, lifetimeSeconds, ...(logId !== undefined && { logId }) };
  }
  const code = body?.error_code ?? asText(body?.error) ?? body?.code;
  const answer = serviceAnswer(response, code, body?.error_message ?? body?.msg);
  const { serviceCode, serviceMessage = '' } = answer;
  const byBody = isFromService(response) ? tokenCode(serviceCode, serviceMessage) : undefined;
  if (byBody !== undefined) throw new ServiceError(byBody, CALL, answer);
  const missing = token === undefined ? '`access_token`' : 'a number `expires_in`';
  const problem = bodyProblem(response, missing);
  throw new ServiceError(codeOfStatus(response), CALL, { ...answer, problem });
}

/** What a header can carry. */
const SENDABLE = /^[\x21-\x7e]+$/;

function unusable(response: ServiceResponse, problem: string): ServiceError {
  const answer = serviceAnswer(response, undefined, undefined);
  return new ServiceError('token.unexpected-answer', CALL, { ...answer, problem });
}

/** Unix time in seconds. A wrong clock on this side must not make a good token look expired. */
function serverTime({ headers, receivedAt }: ServiceResponse): number {
  const date = Date.parse(headers.date ?? '');
  return Math.floor((Number.isNaN(date) ? receivedAt : date) / 1000);
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
  return narrower.find(([pattern]) => pattern.test(message))?.[1] ?? code;
}

function codeOfStatus(response: ServiceResponse): Code {
  const { status } = response;
  if (status >= 300 && status < 400) return 'http.redirect';
  if (status === 429) return 'token.rate-limited';
  if (status >= 500) return 'http.server-error';
  const body = asObject(response.json);
  const isSuccess = status < 300 && (body?.code === 0 || body?.access_token !== undefined);
  if (isSuccess) return 'token.unexpected-answer';
  return isFromService(response) ? 'token.unknown-error' : 'http.not-the-service';
}
