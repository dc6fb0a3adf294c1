import type { Code } from '../codes/codes.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import { asObject, type JsonObject, present } from '../files/json.js';
import { duplicateKeys } from '../files/json-text.js';
import { recognizeInBothForms } from '../package/shared.js';
import {
  codeOfStatus,
  isInFormat,
  logIdOf,
  readRetryAfter,
  type ServiceResponse,
} from './http/message.js';
import { API_CODES, ERROR_STATUSES, MESSAGES } from './unspecified.js';

/** Characters of a body that an error quotes. */
const FIRST_WORDS = 120;

/** An error reported by the service itself, with its own code and message in addition to ours. */
export interface ServiceAnswer {
  readonly httpStatus: number;
  /** `invalid_client`, `4101`, …; undefined where the body has none. */
  readonly serviceCode?: string;
  readonly serviceMessage?: string;
  /** To be quoted to the service's support. */
  readonly logId?: string;
  /** Seconds, from the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The target of a redirect. */
  readonly location?: string;
  /** The problem with the body, its content type and its first words. */
  readonly problem?: string;
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
  declare readonly location?: string;
  declare readonly problem?: string;

  constructor(code: Code, call: string, answer: ServiceAnswer) {
    super(code, sentence(call, answer));
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
      location: readLocation(response),
    }),
  };
}

/** Reads where a redirect leads, without its query and fragment: a portal's often carry a session. */
export function readLocation({ status, headers }: ServiceResponse): string | undefined {
  if (codeOfStatus(status, headers.location) !== 'http.redirect') return undefined;
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
  notFound: 'api.not-found' | 'api.path-not-found' = 'api.not-found',
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
    ? 'a success (`code` is 0) under a status of failure'
    : bodyProblem(response, ENVELOPE);
  throw new ServiceError(statusCode(answer) ?? 'api.unexpected-answer', call, {
    ...answer,
    problem,
  });
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
  throw unexpectedAnswer(response, call, ENVELOPE, 'http.unexpected-answer');
}

/**
 * Builds the error for a success that lacks what the call is for; it follows {@link openEnvelope}.
 */
export function unexpectedAnswer(
  response: ServiceResponse,
  call: string,
  missing: string,
  code: Code = 'api.unexpected-answer',
): ServiceError {
  const problem = bodyProblem(response, missing);
  return new ServiceError(code, call, { ...serviceAnswer(response), problem });
}

/** The meanings of the service's codes; its specification names none. */
const BY_SERVICE_CODE = new Map<string, Code>([
  [API_CODES.invalidRequest, 'api.invalid-request'],
  [API_CODES.rateLimited, 'api.rate-limited'],
  [API_CODES.notAuthenticated, 'api.token-rejected'],
  [API_CODES.noPermission, 'api.permission'],
  [API_CODES.notFound, 'api.not-found'],
  [API_CODES.tokenInvalid, 'api.token-rejected'],
]);

/** The code of an API error: by the body's code, and by the status only where that says nothing. */
export function apiCode(answer: ServiceAnswer): Code {
  const { httpStatus, serviceCode = '', serviceMessage = '' } = answer;
  // The service reports the token of another region under its permission code.
  if (serviceCode === API_CODES.noPermission && MESSAGES.tokenOfElsewhere.test(serviceMessage)) {
    return 'api.token-rejected';
  }
  const byCode = BY_SERVICE_CODE.get(serviceCode);
  if (byCode !== undefined) return byCode;
  if (httpStatus === 401 || httpStatus === 403) return ERROR_STATUSES[httpStatus];
  return statusCode(answer) ?? 'api.unknown-error';
}

/** Maps a status, whoever answers with it, to a code of the API. */
function statusCode({ httpStatus, location }: ServiceAnswer): Code | undefined {
  const code = codeOfStatus(httpStatus, location);
  if (code === 'http.rate-limited') return 'api.rate-limited';
  return code === 'http.server-error' ? 'api.server-error' : code;
}

/**
 * Says why a body is not what was expected: what it is instead, its content type and its first words.
 *
 * @param missing what JSON would have to have: `` `data` ``
 */
export function bodyProblem(response: ServiceResponse, missing: string): string {
  const { headers, text } = response;
  const type = safeText(headers['content-type'] ?? '') || 'no content type';
  // Redaction does not know secrets in bytes that are no text.
  const isText = !isCompressed(response) && !isUtf16(text) && !isBinary(text);
  const words = isText ? safeText(text).slice(0, FIRST_WORDS) : '';
  const stray = response.hasStray === true ? `; ${STRAY}` : '';
  return `${describeBody(response, missing)} (${type})${words && `: ${words}`}${stray}`;
}

const STRAY =
  'bytes that belong to no answer came on the connection, behind this one or the one before';

function describeBody(response: ServiceResponse, missing: string): string {
  const { headers, text, json } = response;
  if (isCompressed(response)) {
    const said = headers['content-encoding'] ?? headers['transfer-encoding'] ?? '';
    const how = safeText(said) || 'without saying so';
    return `a compressed body (${how}), where only \`identity\` was accepted`;
  }
  if (text.trim() === '') return 'an empty body';
  if (isUtf16(text)) return 'a body in UTF-16, where JSON is in UTF-8 (RFC 8259)';
  if (isBinary(text)) return 'bytes that are no text in UTF-8';
  if (text.startsWith('\uFEFF')) return 'a body that begins with a byte order mark';
  if (asObject(json) !== undefined) return `JSON without ${missing}`;
  if (json !== undefined) return 'JSON that is no object';
  if (/^\s*</.test(text)) return 'HTML or XML in place of JSON';
  if (/^\s*[{[]/.test(text)) return describeDamaged(text, headers);
  return 'text in place of JSON';
}

/** Says of damaged JSON whether its length is the one that its head declares. */
function describeDamaged(text: string, headers: ServiceResponse['headers']): string {
  if (isParsable(text)) return 'JSON that is nested more deeply, or holds more, than is read here';
  const damage = `JSON that is damaged or breaks off after ${text.length} characters`;
  const isDeclared = headers['content-length'] === String(Buffer.byteLength(text));
  return isDeclared ? `${damage}, as many as its \`content-length\` says` : damage;
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Lists what contradicts itself in an answer that can be used: stricter readers refuse it. */
export function contradictions({ headers, json, text, hasStray }: ServiceResponse): string[] {
  const encoding = headers['content-encoding'] ?? 'identity';
  const isOdd = json !== undefined && !/^(identity)?$/i.test(encoding.trim());
  const twice = json === undefined ? [] : duplicateKeys(text).map((key) => `\`${safeText(key)}\``);
  return [
    ...(isOdd ? [`\`content-encoding\` is ${safeText(encoding)}, which the body is not`] : []),
    ...(twice.length > 0 ? [`the body has ${twice.join(', ')} more than once`] : []),
    ...(hasStray === true ? [STRAY] : []),
  ];
}

/** By its byte order mark, which is no UTF-8, or by the zero bytes beside the first characters. */
function isUtf16(text: string): boolean {
  return /^(\uFFFD{2})?([^\0]\0){2}|^(\uFFFD{2})?(\0[^\0]){2}/.test(text);
}

function isBinary(text: string): boolean {
  return /[\0\uFFFD]/.test(text.slice(0, FIRST_WORDS));
}

/** By its header, or by how gzip begins. */
function isCompressed({ headers, text }: ServiceResponse): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return !/^(identity)?$/i.test(encoding.trim()) || text.startsWith('\u001f\uFFFD');
}
