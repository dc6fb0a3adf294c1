import type { Reason } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import { Secret } from '../../codes/secret.js';
import { asObject, asText, type JsonObject, present } from '../../files/json.js';
import { ServiceError, serviceAnswer } from '../api-response.js';
import {
  codeOfStatus,
  isInFormat,
  logIdOf,
  type ServiceResponse,
  serverTime,
} from '../http/message.js';
import { bodyProblem, contradictions } from '../response-body.js';
import { ACCESS_DENIED, API_CODES, MESSAGES, OAUTH_ERROR } from '../unspecified.js';
import { type AccessToken, DEFAULT_TOKEN_SECONDS, MAX_TOKEN_SECONDS } from './token-cache.js';

const CALL = 'the token call';

/**
 * Reads the answer to a token request: the body before the status. A token whose time is over by its
 * answer is given all the same, as the service may accept it; it is not kept.
 *
 * @param askedSeconds the lifetime that was asked for
 * @throws ServiceError
 */
export function readToken(
  response: ServiceResponse,
  askedSeconds: number = DEFAULT_TOKEN_SECONDS,
): AccessToken {
  const body = asObject(response.json);
  const token = asText(body?.access_token);
  const expiresIn = toNumber(body?.expires_in);
  const isWhole = body !== undefined && token !== undefined && Number.isFinite(expiresIn);
  if (!isWhole || response.status >= 300) throw refusal(response, isWhole);
  if (!SENDABLE.test(token)) {
    throw unusable(response, '`access_token` holds characters that no header can carry');
  }
  const isLifetime = expiresIn < YEAR_SECONDS;
  const expiresAt = isLifetime ? secondsOf(serverTime(response)) + expiresIn : expiresIn;
  const left = isLifetime
    ? { longest: expiresIn, likely: expiresIn }
    : lifetimesOf(expiresAt, response);
  const problems = [
    ...tokenProblems(body, left, askedSeconds),
    ...(token.length > MAX_HEADER_LENGTH ? [tooLong(token)] : []),
    ...contradictions(response),
  ];
  return {
    value: new Secret(token),
    expiresAt,
    lifetimeSeconds: Math.min(left.likely, MAX_TOKEN_SECONDS),
    ...present({
      logId: logIdOf(response),
      problems: problems.length > 0 ? problems : undefined,
    }),
  };
}

/** The least Unix time; a number below is the lifetime that OAuth has in its place (RFC 6749, 5.1). */
const YEAR_SECONDS = 31_536_000;

/** A number, which may be written as a text; `Number` also takes true, a list and no text at all. */
function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number(asText(value)?.trim() || Number.NaN);
}

/** Builds the error of an answer without a token that can be used. @param hasToken under a status of failure */
function refusal(response: ServiceResponse, hasToken: boolean): ServiceError {
  const body = asObject(response.json);
  const code = body?.error_code ?? oauthError(body) ?? body?.code;
  const answer = serviceAnswer(response, code, body?.error_message ?? body?.msg);
  const { serviceCode, serviceMessage = '' } = answer;
  const byBody = isInFormat(response)
    ? tokenCode(serviceCode, serviceMessage)
    : codeOfMessage(WITHOUT_CODE, body?.error_message);
  if (byBody !== undefined) return new ServiceError(byBody, CALL, answer);
  const what = body?.access_token === undefined ? '`access_token`' : 'a text `access_token`';
  const missing = asText(body?.access_token) === undefined ? what : 'a number `expires_in`';
  const problem = hasToken
    ? { problem: 'a token under a status of failure', holds: 'access_token' }
    : bodyProblem(response, missing, { mayBeToken: response.status < 300 });
  return new ServiceError(judgeStatus(response), CALL, { ...answer, ...problem });
}

/** A code as those of RFC 6749, 5.2; other frameworks write a text for people in the same field. */
function oauthError(body: JsonObject | undefined): string | undefined {
  const code = asText(body?.[OAUTH_ERROR]);
  return code !== undefined && /^[a-z_]+$/.test(code) ? code : undefined;
}

/**
 * The seconds that are left by the server's clock and by this machine's, of which one may be wrong: the most, and
 * those to count on.
 */
function lifetimesOf(expiresAt: number, response: ServiceResponse) {
  const since = (now: number) => expiresAt - secondsOf(now);
  const [byServer, byOwn] = [since(serverTime(response)), since(response.receivedAt)];
  const longest = Math.max(byServer, byOwn);
  return { longest, likely: byServer > 0 && byOwn > 0 ? Math.min(byServer, byOwn) : longest };
}

function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Characters of a header that servers take; many take no more. */
const MAX_HEADER_LENGTH = 8_000;

function tooLong({ length }: string): string {
  return `\`access_token\` has ${length} characters: many servers refuse so long a header`;
}

function tokenProblems(
  body: JsonObject,
  { longest, likely }: ReturnType<typeof lifetimesOf>,
  askedSeconds: number,
): string[] {
  const { expires_in: expiresIn, error_code: errorCode, token_type: type } = body;
  const isWhole = typeof expiresIn === 'number' && Number.isInteger(expiresIn);
  const time = `\`expires_in\` is ${Number(expiresIn)}`;
  const isLifetime = Number(expiresIn) < YEAR_SECONDS;
  // As much as the clocks may differ without a word.
  const isTooLong = likely > MAX_TOKEN_SECONDS + SKEW_SECONDS;
  const isTooShort = longest > 0 && longest < askedSeconds / 2;
  return [
    ...(isWhole ? [] : [`\`expires_in\` is no whole number, got: ${JSON.stringify(expiresIn)}`]),
    ...(isLifetime
      ? [`${time}, read as a lifetime in seconds: the specification has a Unix time`]
      : likely > 0
        ? []
        : [`${time}, a Unix time that is over`]),
    ...(isTooLong ? [`${time}, in ${likely} s: no token lasts so long`] : []),
    ...(isTooShort ? [`${time}, in ${longest} s, and ${askedSeconds} s were asked for`] : []),
    ...(/^(bearer)?$/i.test(String(type ?? ''))
      ? []
      : [
          `\`token_type\` is ${safeText(JSON.stringify(type))}, and calls carry it as a bearer token`,
        ]),
    ...((errorCode ?? '') === ''
      ? []
      : [`an \`error_code\` is beside the token: ${safeText(JSON.stringify(errorCode))}`]),
  ];
}

const SKEW_SECONDS = 60;

/** Text that a header can carry. */
const SENDABLE = /^[\x21-\x7e]+$/;

function unusable(response: ServiceResponse, problem: string): ServiceError {
  const answer = { ...serviceAnswer(response), problem, holds: 'access_token' };
  return new ServiceError('http.unexpected-answer: token call', CALL, answer);
}

type Messages = readonly (readonly [RegExp, Reason])[];

const UNKNOWN_KEY: Messages = [[MESSAGES.unknownKey, 'token.invalid-client: unknown key ID']];

/** Messages of errors for which the specification shows no code. */
const WITHOUT_CODE: Messages = [
  [/invalid app type/i, 'token.application: wrong type'],
  [/login session invalid/i, 'token.application: login session'],
];

const DEACTIVATED: Messages = [[/deactivated/i, 'token.application: deactivated']];

/** The specification has one cause for the code, so without a message it is that one. */
const DENIED: Messages = [
  ...DEACTIVATED,
  ...WITHOUT_CODE,
  [/^$/, 'token.application: deactivated'],
];

/** The meanings of the service's codes, and of messages with a narrower meaning. */
const BY_SERVICE_CODE = new Map<string, readonly [Reason, Messages?]>([
  ['invalid_request', ['api.invalid-request: token call']],
  ['invalid_client', ['token.invalid-client', UNKNOWN_KEY]],
  ['unsupported_grant_type', ['token.application: grant type']],
  ['access_deny', ['token.application', DENIED]],
  [ACCESS_DENIED, ['token.application', DENIED]],
  ['internal_error', ['http.server-error: token call']],
  [API_CODES.rateLimited, ['http.rate-limited: token call']],
]);

/** Meanings by the message alone, if the code is not known. */
const BY_MESSAGE: Messages = [
  ...DEACTIVATED,
  ...WITHOUT_CODE,
  ...UNKNOWN_KEY,
  [/not supported grant type/i, 'token.application: grant type'],
  [/service internal error/i, 'http.server-error: token call'],
];

function tokenCode(serviceCode: string | undefined, message: string): Reason | undefined {
  const [code, narrower = []] = BY_SERVICE_CODE.get(serviceCode ?? '') ?? [undefined, BY_MESSAGE];
  return codeOfMessage(narrower, message) ?? code;
}

function codeOfMessage(messages: Messages, message: unknown): Reason | undefined {
  const text = asText(message) ?? '';
  return messages.find(([pattern]) => pattern.test(text))?.[1];
}

function judgeStatus(response: ServiceResponse): Reason {
  const byStatus = codeOfStatus(response.status, response.headers.location);
  if (byStatus === 'http.rate-limited') return 'http.rate-limited: token call';
  if (byStatus !== undefined) return byStatus;
  const body = asObject(response.json);
  const has = (field: string) => body?.[field] !== undefined;
  const isSuccess =
    response.status < 300 && (body?.code === 0 || typeof body?.expires_in === 'number');
  if (isSuccess || has('access_token')) return 'http.unexpected-answer: token call';
  return isInFormat(response) ? 'api.unknown-error: token call' : 'http.unexpected-answer';
}
