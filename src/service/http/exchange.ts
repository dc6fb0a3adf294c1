import type { Dispatcher } from 'undici';
import { safeText } from '../../codes/redact.js';
import { parseJson } from '../../files/json.js';
import {
  CutShort,
  capped,
  collectText,
  MAX_BODY_BYTES,
  REQUEST_TIMEOUT_MS,
  TimedOut,
  timeStream,
  withTimeout,
} from './limits.js';
import type {
  CallOptions,
  ServiceRequest,
  ServiceResponse,
  StreamedResponse,
  StreamOptions,
} from './message.js';
import { callError, ENDS, errorName } from './transport-code.js';

const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const STREAM_TIMEOUT_MS = 600_000;
const STREAM_IDLE_TIMEOUT_MS = 60_000;

type Data = Dispatcher.ResponseData;

/** An answer whose body is still to be read, and whether its call was repeated. */
interface Begun {
  readonly data: Data;
  readonly isRepeated: boolean;
}

interface Whole extends Begun {
  readonly text: string;
}

type Repeat = Pick<CallOptions, 'beforeRepeat'>;

/** The part of an answer that has come. */
interface SeenBody {
  data?: Data;
  bytes: number;
}

/** Errors of a call that may be none of its own, on a connection that has answered before. */
const MISTAKABLE: readonly string[] = [...ENDS, 'HTTPParserError'];

/** Sends requests over the connections of a dispatcher and reads what comes back. */
export class HttpExchange {
  #hasAnswered = false;

  /** @param isSecured the connections are opened and secured elsewhere, before a call has one */
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly isSecured: boolean,
  ) {}

  /** Reads a whole answer. */
  async send(call: ServiceRequest, options: CallOptions): Promise<ServiceResponse> {
    const { signal, timeoutMs = REQUEST_TIMEOUT_MS } = options;
    const sentAt = Date.now();
    const seen: SeenBody = { bytes: 0 };
    try {
      return await withTimeout(timeoutMs, signal, async (own) => {
        const answer = await this.#begin(call, own, options);
        return readResponse(await readBody(answer, seen), call, sentAt);
      });
    } catch (error) {
      throw callError(cutShort(error, seen) ?? error, call, { signal, isSecured: this.isSecured });
    }
  }

  /** Answers as soon as the body begins. */
  async stream(call: ServiceRequest, options: StreamOptions): Promise<StreamedResponse> {
    const { signal, timeoutMs = STREAM_TIMEOUT_MS } = options;
    const timer = timeStream(signal, timeoutMs, options.idleTimeoutMs ?? STREAM_IDLE_TIMEOUT_MS);
    let hasBegun = false;
    const explained = (error: unknown) =>
      callError(error, call, { signal, isSecured: this.isSecured, hasBegun });
    const sentAt = Date.now();
    try {
      const answer = await this.#begin(call, timer.signal);
      hasBegun = true;
      const { statusCode, headers, body } = answer.data;
      const pieces = watched(body, timer, explained);
      const whole = async () => {
        const text = await collectText(pieces, MAX_BODY_BYTES).catch((error: unknown) => {
          throw explained(error);
        });
        return readResponse({ ...answer, text }, call, sentAt);
      };
      return { status: statusCode, headers: readHeaders(headers), sentAt, body: pieces, whole };
    } catch (error) {
      timer.stop();
      throw explained(error);
    }
  }

  /**
   * A server may close a connection between two requests without saying so, or with a 408 or other bytes
   * that nobody asked for. What is safe to repeat is then sent once more.
   */
  async #begin(call: ServiceRequest, signal: AbortSignal, repeat: Repeat = {}): Promise<Begun> {
    const mayRepeat = call.method === 'GET' && this.#hasAnswered;
    try {
      const data = await this.#ask(call, signal);
      if (!mayRepeat || data.statusCode !== 408) return { data, isRepeated: false };
      await data.body.dump();
    } catch (error) {
      if (!mayRepeat || !MISTAKABLE.includes(errorName(error)) || signal.aborted) throw error;
    }
    await repeat.beforeRepeat?.();
    return { data: await this.#ask(call, signal), isRepeated: true };
  }

  async #ask(call: ServiceRequest, signal: AbortSignal): Promise<Data> {
    const answer = await this.dispatcher.request(dispatchOptions(call, signal));
    this.#hasAnswered = true;
    return answer;
  }
}

/** Reads an answer to its end, and notes what has come in case that fails. */
async function readBody(answer: Begun, seen: SeenBody): Promise<Whole> {
  seen.data = answer.data;
  const pieces: Uint8Array[] = [];
  for await (const piece of capped(answer.data.body, MAX_BODY_BYTES)) {
    seen.bytes += piece.length;
    pieces.push(piece);
  }
  return { ...answer, text: Buffer.concat(pieces).toString('utf8') };
}

/** The error of an answer that had begun, and whose connection or time ended before it did. */
function cutShort(error: unknown, { data, bytes }: SeenBody): CutShort | undefined {
  if (data === undefined) return undefined;
  const declared = readHeaders(data.headers)['content-length'];
  const how = errorName(error);
  // The client compares the lengths where the end of the connection is that of the answer, and at status 204.
  const isMismatch = how === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && data.statusCode !== 204;
  const isShort = isMismatch && bytes < Number(declared);
  if (!isShort && !(error instanceof TimedOut) && !ENDS.includes(how)) return undefined;
  const part =
    declared === undefined ? `${bytes} bytes` : `${bytes} of ${safeText(declared)} bytes`;
  const message =
    error instanceof TimedOut
      ? `an answer of which ${part} came within ${Math.round(error.timeoutMs)} ms`
      : `an answer that breaks off after ${part} (${how})`;
  return new CutShort(message, { cause: error });
}

function dispatchOptions(
  { method, path, credential, body, accept = 'application/json', fillingBytes }: ServiceRequest,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  return {
    method,
    path,
    signal,
    headers: {
      accept,
      // Without it any coding would be acceptable (RFC 9110, 12.5.3), and none is undone here.
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...(credential && { authorization: `Bearer ${credential.reveal()}` }),
      ...(fillingBytes && { 'x-filling': '-'.repeat(fillingBytes) }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The call has one timer, its own; these would be a second, coarser one.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/** A whole answer, without the credential that the request carried. */
function readResponse(
  { data, isRepeated, text: body }: Whole,
  { credential }: ServiceRequest,
  sentAt: number,
): ServiceResponse {
  const text = credential ? body.replaceAll(credential.reveal(), '[redacted]') : body;
  return {
    status: data.statusCode,
    headers: readHeaders(data.headers),
    text,
    json: parseJson(text),
    sentAt,
    receivedAt: Date.now(),
    isRepeated,
  };
}

function readHeaders(headers: Data['headers']): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    read[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return read;
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  timer: ReturnType<typeof timeStream>,
  explained: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of capped(body, MAX_STREAM_BYTES, 'stream')) {
      timer.touch();
      yield piece;
    }
  } catch (error) {
    throw explained(error);
  } finally {
    timer.stop();
  }
}
