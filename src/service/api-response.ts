import type { Reason } from '../codes/codes.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import { asObject, type JsonObject, present } from '../files/json.js';
import { recognizeInBothForms } from '../package/shared.js';
import {
  codeOfStatus,
  isHttpStatus,
  isInFormat,
  logIdOf,
  oddRetryAfter,
  readRetryAfter,
  type ServiceResponse,
} from './http/message.js';
import { bodyProblem } from './response-body.js';
import { API_CODES, ERROR_STATUSES, MESSAGES } from './unspecified.js';

/** An error reported by the service itself, with its own code and message in addition to ours. */
export interface ServiceAnswer {
  readonly httpStatus: number;
  /** `invalid_client`, `4101`, …; undefined where the body has none. */
  readonly serviceCode?: string;
  readonly serviceMessage?: string;
  /** The id to quote to the service's support. */
  readonly logId?: string;
  /** Seconds, from the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The header `Retry-After` where it cannot be read. */
  readonly retryAfter?: string;
  /** The target of a redirect. */
  readonly location?: string;
  /** The problem with the body, its content type, its sender's headers and its first words. */
  readonly problem?: string;
  /** A field of the service's formats that a body has although it cannot be used. */
  readonly holds?: string;
}

/** An error that the service answered with. */
export class ServiceError extends ConnectivityError implements ServiceAnswer {
  static {
    recognizeInBothForms(ServiceError, 'ServiceError');
  }

  declare readonly httpStatus: number;
  declare readonly serviceCode?: string;
  declare readonly serviceMessage?: string;
  declare readonly logId?: string;
  declare readonly retryAfterSeconds?: number;
  declare readonly retryAfter?: string;
  declare readonly location?: string;
  declare readonly problem?: string;
  declare readonly holds?: string;

  constructor(reason: Reason, call: string, answer: ServiceAnswer) {
    super(reason, sentence(call, answer));
    Object.assign(this, present(answer));
  }
}

/** Reads what both kinds of envelope have in common. */
export function serviceAnswer(
  response: ServiceResponse,
  code?: unknown,
  message?: unknown,
): ServiceAnswer {
  const isCode = typeof code === 'string' || typeof code === 'number';
  return {
    httpStatus: response.status,
    ...present({
      serviceCode: isCode ? safeText(String(code)) : undefined,
      serviceMessage: typeof message === 'string' && message ? safeText(message) : undefined,
      logId: logIdOf(response),
      retryAfterSeconds: readRetryAfter(response),
      retryAfter: oddRetryAfter(response),
      location: readLocation(response),
    }),
  };
}

/** Reads where a redirect leads, without its query and fragment: a portal's often carry a session. */
export function readLocation({
  status,
  headers,
}: Pick<ServiceResponse, 'status' | 'headers'>): string | undefined {
  if (codeOfStatus(status, headers.location) !== 'http.unexpected-answer: redirect')
    return undefined;
  const [, place = '', rest = ''] = /^([^?#]*)(.?)/s.exec(headers.location ?? '') ?? [];
  return safeText(place + (rest && `${rest}…`)) || undefined;
}

function sentence(call: string, answer: ServiceAnswer): string {
  const parts = [
    `HTTP ${answer.httpStatus}`,
    answer.serviceCode,
    answer.serviceMessage,
    answer.problem,
    answer.location && `location ${answer.location}`,
    answer.logId && `log id ${answer.logId}`,
  ];
  return `${call} failed, got: ${parts.filter(Boolean).join(', ')}`;
}

/** Says what JSON lacks to be an answer of the API. */
export function missingInEnvelope({ json }: Pick<ServiceResponse, 'json'>): string {
  return isHttpStatus(asObject(json)?.code) ? 'a `code` that is no status of HTTP' : ENVELOPE;
}

const ENVELOPE = 'a number `code` and a text `msg`';

/**
 * Opens the envelope of an API answer: the body is read before the status.
 *
 * @param call named in errors: `the chat call`
 * @param notFound what it means that nothing is found; a call without an ID names nothing wrong
 * @throws ServiceError where the body's code is not 0 or the status is none of success
 */
export function openEnvelope(
  response: ServiceResponse,
  call: string,
  notFound: 'api.not-found' | 'api.not-found: call without ID' = 'api.not-found',
): JsonObject {
  const body = asObject(response.json);
  if (body?.code === 0 && response.status < 300) return body;
  const code = body?.code ?? body?.error_code;
  const answer = serviceAnswer(response, code, body?.msg ?? body?.error_message);
  const isContradiction = body?.code === 0;
  // A token, or nothing that is a code, is no error of the API.
  if (isInFormat(response) && code !== undefined && !isContradiction) {
    const known = apiCode(answer);
    throw new ServiceError(known === 'api.not-found' ? notFound : known, call, answer);
  }
  const problem = isContradiction
    ? { problem: 'a success (`code` is 0) under a status of failure', holds: 'code:0' }
    : bodyProblem(response, missingInEnvelope(response));
  const byStatus =
    codeOfStatus(answer.httpStatus, answer.location) ?? 'http.unexpected-answer: API call';
  throw new ServiceError(byStatus, call, { ...answer, ...problem });
}

/**
 * Tells an error in the service's format from any other answer, where no answer before had that
 * format.
 *
 * @throws ServiceError `http.unexpected-answer`
 */
export function fromService(response: ServiceResponse, call: string): ServiceResponse {
  const hasSucceeded = asObject(response.json)?.code === 0;
  const isKnown = hasSucceeded || isInFormat(response);
  if (isKnown || codeOfStatus(response.status, response.headers.location) !== undefined)
    return response;
  throw unexpectedAnswer(response, call, missingInEnvelope(response), 'http.unexpected-answer');
}

/**
 * Builds the error for a success that lacks what the call is for; it follows {@link openEnvelope}.
 */
export function unexpectedAnswer(
  response: ServiceResponse,
  call: string,
  missing: string,
  code: Reason = 'http.unexpected-answer: API call',
): ServiceError {
  const answer = { ...serviceAnswer(response), ...bodyProblem(response, missing) };
  return new ServiceError(code, call, answer);
}

/** The meanings of the service's codes; its specification names none. */
const BY_SERVICE_CODE = new Map<string, Reason>([
  [API_CODES.invalidRequest, 'api.invalid-request'],
  [API_CODES.rateLimited, 'http.rate-limited'],
  [API_CODES.notAuthenticated, 'api.token-rejected'],
  [API_CODES.noPermission, 'api.permission'],
  [API_CODES.notFound, 'api.not-found'],
  [API_CODES.tokenInvalid, 'api.token-rejected'],
]);

/** The code of an API error: by the body's code, and by the status only where that says nothing. */
export function apiCode(answer: ServiceAnswer): Reason {
  const { httpStatus, serviceCode = '', serviceMessage = '' } = answer;
  // The service reports the token of another region under its permission code.
  if (serviceCode === API_CODES.noPermission && MESSAGES.tokenOfElsewhere.test(serviceMessage)) {
    return 'api.token-rejected';
  }
  const byCode = BY_SERVICE_CODE.get(serviceCode);
  if (byCode !== undefined) return byCode;
  if (httpStatus === 401 || httpStatus === 403) return ERROR_STATUSES[httpStatus];
  return codeOfStatus(answer.httpStatus, answer.location) ?? 'api.unknown-error';
}
