import type { Code } from '../codes/codes.js';
import { asObject, isFromService, type JsonObject, type ServiceResponse } from './response.js';
import { ServiceError, serviceAnswer } from './service-error.js';

/**
 * Opens the envelope of an API answer: the body is read before the status.
 *
 * @param call named in errors: `the chat call`
 * @throws ServiceError where the body's code is not 0 or the status is none of success
 */
export function openEnvelope(response: ServiceResponse, call: string): JsonObject {
  const body = asObject(response.json);
  if (body?.code === 0 && response.status < 300) return body;
  const code = body?.code ?? body?.error_code;
  const answer = serviceAnswer(response, code, body?.msg ?? body?.error_message);
  throw new ServiceError(apiCode(answer), call, answer);
}

/**
 * Tells an error of the service from the page of a stranger, where nothing before has shown that it
 * is the service that answers.
 *
 * @throws ServiceError `http.not-the-service`
 */
export function fromService(response: ServiceResponse, call: string): ServiceResponse {
  const answer = serviceAnswer(response, undefined, undefined);
  const hasEnvelope = typeof asObject(response.json)?.code === 'number';
  const isKnown = hasEnvelope || isFromService(response);
  if (isKnown || apiCode(answer) !== 'api.unknown-error') return response;
  throw new ServiceError('http.not-the-service', call, answer);
}

/** What {@link openEnvelope} is followed by where a success lacks what the call is for. */
export function unexpectedAnswer(
  response: ServiceResponse,
  call: string,
  missing: string,
): ServiceError {
  const answer = serviceAnswer(response, undefined, `an answer without ${missing}`);
  return new ServiceError('api.unexpected-answer', call, answer);
}

const BY_SERVICE_CODE: Readonly<Record<string, Code>> = {
  '4000': 'api.invalid-request',
  '4013': 'api.rate-limited',
  '4100': 'api.token-rejected',
  '4101': 'api.permission',
  '4200': 'api.not-found',
  '700012006': 'api.token-rejected',
};

/** The code of an API error: by the body's code, and by the status only where that says nothing. */
export function apiCode(answer: {
  readonly httpStatus: number;
  readonly serviceCode?: string;
  readonly serviceMessage?: string;
}): Code {
  const { httpStatus, serviceCode = '', serviceMessage = '' } = answer;
  // The service reports the token of another region under its permission code.
  if (serviceCode === '4101' && /token.*incorrect/i.test(serviceMessage)) {
    return 'api.token-rejected';
  }
  const byCode = BY_SERVICE_CODE[serviceCode];
  if (byCode !== undefined) return byCode;
  if (httpStatus >= 300 && httpStatus < 400) return 'http.redirect';
  if (httpStatus === 401) return 'api.token-rejected';
  if (httpStatus === 403) return 'api.permission';
  if (httpStatus === 429) return 'api.rate-limited';
  return httpStatus >= 500 ? 'api.server-error' : 'api.unknown-error';
}
