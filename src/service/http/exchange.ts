import type { Dispatcher } from 'undici';
import { parseJson, present } from '../../files/json.js';
import type { AnswerWatch } from './answer-watch.js';
import { brokenAnswer, ENDS } from './broken-answer.js';
import { type DecodedBody, decodeBody } from './content-coding.js';
import {
  capped,
  collectText,
  MAX_BODY_BYTES,
  REQUEST_TIMEOUT_MS,
  readWhole,
  type StopSignal,
  timeStream,
  withStop,
} from './limits.js';
import type {
  CallOptions,
  ServiceRequest,
  ServiceResponse,
  StreamedResponse,
  StreamOptions,
} from './message.js';
import { callError, errorName } from './transport-code.js';

const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const STREAM_TIMEOUT_MS = 600_000;
const STREAM_IDLE_TIMEOUT_MS = 60_000;

type Data = Dispatcher.ResponseData;

/** An answer whose body is still to be read, and whether its call was repeated. */
interface Begun {
  readonly data: Data;
  readonly isRepeated: boolean;
}

interface Whole extends Begun, DecodedBody {
  /** Of its call, without the query. */
  readonly path: string;
}

type Repeat = Pick<CallOptions, 'beforeRepeat'>;

/** The part of an answer that has come. */
interface SeenBody {
  headers?: Data['headers'];
  bytes: number;
}

/** Errors of a call that may be none of its own, on a connection that has answered before. */
const MISTAKABLE: readonly string[] = [...ENDS, 'HTTPParserError'];

/** Sends requests over the connections of a dispatcher and reads what comes back. */
export class HttpExchange {
  #hasAnswered = false;
  /** The last whole answer. */
  #last: Whole | undefined;

  /** @param watch sees what comes, where there is one connection at a time */
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly watch?: AnswerWatch,
  ) {}

  /** Reads a whole answer. */
  async send(call: ServiceRequest, options: CallOptions): Promise<ServiceResponse> {
    const { signal, timeoutMs = REQUEST_TIMEOUT_MS } = options;
    const sentAt = Date.now();
    const seen: SeenBody = { bytes: 0 };
    this.watch?.begin();
    try {
      return await withStop(timeoutMs, signal, async (own) => {
        const first = await readBody(await this.#begin(call, own, options), call, seen);
        const stray = this.watch?.takeStray();
        const isDoubtful = call.method === 'GET' && this.#isOfCallBefore(first);
        const answer = isDoubtful
          ? await readBody(await this.#askAnew(call, own, options), call, seen)
          : first;
        this.#last = answer;
        const place = isDoubtful && answer.text !== first.text ? 'instead' : stray;
        return { ...readResponse(answer, call, sentAt), ...present({ stray: place }) };
      });
    } catch (error) {
      this.watch?.takeStray();
      const { bytes, headers } = seen;
      const body = headers && { bytes, declared: readHeaders(headers)['content-length'] };
      const broken = brokenAnswer(error, errorName(error), { watch: this.watch, body });
      throw callError(broken, call, signal);
    }
  }

  /** Answers as soon as the body begins. */
  async stream(call: ServiceRequest, options: StreamOptions): Promise<StreamedResponse> {
    const { signal, timeoutMs = STREAM_TIMEOUT_MS } = options;
    const timer = timeStream(signal, timeoutMs, options.idleTimeoutMs ?? STREAM_IDLE_TIMEOUT_MS);
    let hasBegun = false;
    const explained = (error: unknown) => callError(error, call, signal, hasBegun);
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
   * that nobody asked for. What is safe to repeat is then sent once more, over a new one.
   */
  async #begin(call: ServiceRequest, signal: StopSignal, repeat: Repeat = {}): Promise<Begun> {
    const mayRepeat = call.method === 'GET' && this.#hasAnswered;
    try {
      const data = await this.#ask(call, signal);
      if (!mayRepeat || data.statusCode !== 408) return { data, isRepeated: false };
      await data.body.dump();
    } catch (error) {
      if (!mayRepeat || !MISTAKABLE.includes(errorName(error)) || signal.aborted) throw error;
    }
    return await this.#askAnew(call, signal, repeat);
  }

  /** Sends what is safe to repeat over a new connection. */
  async #askAnew(
    call: ServiceRequest,
    signal: StopSignal,
    { beforeRepeat }: Repeat,
  ): Promise<Begun> {
    this.watch?.drop();
    await beforeRepeat?.();
    return { data: await this.#ask(call, signal), isRepeated: true };
  }

  async #ask(call: ServiceRequest, signal: StopSignal): Promise<Data> {
    const answer = await this.dispatcher.request(dispatchOptions(call, signal));
    this.#hasAnswered = true;
    return answer;
  }

  /** Tells whether a success is that of the call before once more: each call has one of its own. */
  #isOfCallBefore({ path, text, data: { statusCode } }: Whole): boolean {
    const isSuccess = this.watch !== undefined && statusCode < 300;
    return isSuccess && path !== this.#last?.path && text === this.#last?.text;
  }
}

/** Reads an answer to its end, and notes what has come in case that fails. */
async function readBody(answer: Begun, call: ServiceRequest, seen: SeenBody): Promise<Whole> {
  const { headers, body } = answer.data;
  seen.headers = headers;
  const bytes = await readWhole(body, MAX_BODY_BYTES, (count) => {
    seen.bytes = count;
  });
  return { ...answer, ...decodeBody(bytes, headers), path: call.path.replace(/\?.*/s, '') };
}

function dispatchOptions(
  { method, path, credential, body, accept = 'application/json' }: ServiceRequest,
  signal: StopSignal,
): Dispatcher.RequestOptions {
  return {
    method,
    path,
    // It is listened to and asked for its reason, and nothing else.
    signal: signal as AbortSignal,
    headers: {
      accept,
      // Without it any coding would be acceptable (RFC 9110, 12.5.3), and none is undone here.
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      ...(credential && { authorization: `Bearer ${credential.reveal()}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The call has one timer, its own; these would be a second, coarser one.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/** A whole answer, without the credential that the request carried. */
function readResponse(
  { data, isRepeated, text: body, coding }: Omit<Whole, 'path'>,
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
    ...present({ coding }),
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
