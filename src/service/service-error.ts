import type { Code } from '../codes/codes.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import { recognizeInBothForms } from '../package/shared.js';
import { logIdOf, type ServiceResponse } from './http/message.js';

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
  /** What is wrong with the body, its content type and its first words. */
  readonly problem?: string;
}

/** An error that the service answered with. */
export class ServiceError extends ConnectivityError implements ServiceAnswer {
  static {
    recognizeInBothForms(ServiceError, 'ServiceError');
  }

  readonly httpStatus: number;
  readonly serviceCode?: string;
  readonly serviceMessage?: string;
  readonly logId?: string;
  readonly retryAfterSeconds?: number;
  readonly problem?: string;

  constructor(code: Code, call: string, answer: ServiceAnswer) {
    super(code, sentence(call, answer));
    this.httpStatus = answer.httpStatus;
    if (answer.serviceCode !== undefined) this.serviceCode = answer.serviceCode;
    if (answer.serviceMessage !== undefined) this.serviceMessage = answer.serviceMessage;
    if (answer.logId !== undefined) this.logId = answer.logId;
    if (answer.retryAfterSeconds !== undefined) this.retryAfterSeconds = answer.retryAfterSeconds;
    if (answer.problem !== undefined) this.problem = answer.problem;
  }
}

/** Reads what both kinds of envelope have in common. */
export function serviceAnswer(
  response: ServiceResponse,
  code: unknown,
  message: unknown,
): ServiceAnswer {
  const logId = logIdOf(response);
  const retryAfterSeconds = readRetryAfter(response);
  return {
    httpStatus: response.status,
    ...((typeof code === 'string' || typeof code === 'number') && {
      serviceCode: safeText(String(code)),
    }),
    ...(typeof message === 'string' && message !== '' && { serviceMessage: safeText(message) }),
    ...(logId !== undefined && { logId }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

function sentence(call: string, answer: ServiceAnswer): string {
  const parts = [
    `HTTP ${answer.httpStatus}`,
    answer.serviceCode,
    answer.serviceMessage,
    answer.problem,
    answer.logId && `log id ${answer.logId}`,
  ];
  return `${call} failed, got: ${parts.filter(Boolean).join(', ')}`;
}

/** Seconds; whoever asks for more means never. */
const LONGEST_RETRY_AFTER = 1e9;

/**
 * How long the service asks callers to stay away, by the header `Retry-After`: a number of seconds, or
 * a date, which is read by the service's own clock where it tells the time.
 *
 * @returns seconds; undefined where the answer does not say
 */
export function readRetryAfter({
  headers,
  receivedAt,
}: Pick<ServiceResponse, 'headers' | 'receivedAt'>): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), LONGEST_RETRY_AFTER);
  // A date of HTTP begins with its weekday; the parser alone would take nearly anything for a date.
  const until = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const serverDate = Date.parse(headers.date ?? '');
  return Math.max(
    0,
    Math.ceil((until - (Number.isNaN(serverDate) ? receivedAt : serverDate)) / 1000),
  );
}
