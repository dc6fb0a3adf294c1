import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import { asObject, asText, type JsonObject, parseJson } from '../files/json.js';

interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends one request and answers what came back, whatever its status. */
export type Transport = (request: TransportRequest) => Promise<HttpAnswer>;

const TIMEOUT_MS = 30_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * @param proxy the URL of a proxy. @default - as the environment says
 * @param onAnswer sees every answer, errors included
 */
export function httpTransport(
  proxy: string | undefined,
  onAnswer?: (times: AnswerTimes) => void,
): Transport & { close(): Promise<void> } {
  const dispatchers = new Map<boolean, Dispatcher>();
  // As the provider's HTTP library has it, loopback is never called through a proxy.
  const dispatcherFor = (url: URL) => {
    const isLocal = LOOPBACK.test(url.hostname);
    const known = dispatchers.get(isLocal);
    if (known !== undefined) return known;
    const made = isLocal ? new Agent() : proxy ? new ProxyAgent(proxy) : new EnvHttpProxyAgent();
    dispatchers.set(isLocal, made);
    return made;
  };
  const send: Transport = async ({ method, url, headers, body }) => {
    const sentAt = Date.now();
    const answer = await dispatcherFor(url).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      body: method === 'POST' ? body : null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { date, age } = answer.headers;
    const times = { sentAt, receivedAt: Date.now() };
    const clock = {
      ...(typeof date === 'string' && { date }),
      ...(typeof age === 'string' && { age }),
    };
    onAnswer?.({ headers: clock, ...times });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
  const close = async () => {
    await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.close()));
  };
  return Object.assign(send, { close });
}

/** The version of the API that the provider speaks. */
export const VERSION = '2025-06-01';

/** Times of an answer: this machine's clock in milliseconds, and the cloud's. */
export interface AnswerTimes {
  readonly headers: { readonly date?: string; readonly age?: string };
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** The code of what answers in the cloud's place: a proxy, or a page to sign in. */
const UNEXPECTED = 'UnexpectedAnswer';

/** The error for an answer that the cloud's API does not give. */
export function unexpectedAnswer(
  what: string,
  status = 200,
  requestId = 'none',
): CloudControlError {
  return new CloudControlError(UNEXPECTED, what, status, requestId);
}

/**
 * The result of an answer of the cloud's API. An error may come with any status, even 200.
 *
 * @throws CloudControlError
 */
export function readResult({ status, body }: HttpAnswer): JsonObject {
  const answer = parseObject(body);
  const metadata = asObject(answer.ResponseMetadata) ?? {};
  const requestId = asText(metadata.RequestId) ?? 'none';
  const failure = asObject(metadata.Error);
  if (failure !== undefined) {
    const code = asText(failure.Code) ?? 'Unknown';
    const message = asText(failure.Message) ?? 'no message';
    throw new CloudControlError(code, message, status, requestId);
  }
  if (status >= 400) throw new CloudControlError('Unknown', 'no message', status, requestId);
  const result = asObject(answer.Result);
  if (result !== undefined && status < 300 && (metadata.Error ?? '') === '') return result;
  throw unexpectedAnswer('this is no answer of the cloud’s API', status, requestId);
}

/** The object that a text holds; an empty one where it holds none. */
export function parseObject(text: string): JsonObject {
  return asObject(parseJson(text)) ?? {};
}

/** An error as the cloud's API reports it. */
export class CloudControlError extends Error {
  override readonly name = 'CloudControlError';

  constructor(
    readonly code: string,
    readonly reason: string,
    readonly status: number,
    readonly requestId: string,
  ) {
    super(`${code}: ${reason} (status ${status}, request id ${requestId})`);
  }

  /** The cloud marks an object that is gone within the text of its message. */
  get isNotFound(): boolean {
    return this.code === 'NotFound' || this.message.includes('HandlerErrorCode: NotFound');
  }

  /** True where the cloud itself says no: not where it, or something before it, cannot answer now. */
  get isRefusal(): boolean {
    const isSaid = this.code !== UNEXPECTED && this.code !== 'Unknown';
    return isSaid && !this.isRetryable && this.status < 500 && this.status !== 407;
  }

  get isRetryable(): boolean {
    return this.code === 'Throttling' || [429, 502, 503, 504].includes(this.status);
  }
}

/** The cloud's words for what it refuses only for the moment; such a call did nothing. */
export const REFUSED_NOW =
  /\b(InvalidOperation\.Conflict|\w*Throttling\w*|FlowLimitExceeded|RequestLimitExceeded)\b/;

/** An error of the cloud's server, as providers print its status; such a call may have been done. */
export const SERVER_ERROR = /\b(status(?: code:)? 5\d\d)\b/;

/** The cloud's words for something that is not there, or not to be seen yet. */
export const NOT_FOUND = /\b((?:\w+\.)?NotFound)\b/;

/** The pauses before what the cloud refused for the moment is tried again. */
export const PAUSES_MS: readonly number[] = [500, 3_000, 9_000];
