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

/** Errors of a call that may be none of its own, on a connection that has answered before. */
const MISTAKABLE: readonly string[] = [...ENDS, 'HTTPParserError'];

/**
 * Sends requests over the connections of a dispatcher and reads what comes back.
 *
 * @param watch sees what comes, where there is one connection at a time
 */
export function httpExchange(dispatcher: Dispatcher, watch?: AnswerWatch) {
  let hasAnswered = false;
  /** The last whole answer. */
  let last: Whole | undefined;

  const ask = async (options: Dispatcher.RequestOptions): Promise<Data> => {
    const answer = await dispatcher.request(options);
    hasAnswered = true;
    return answer;
  };

  /**
   * A server may close a connection between two requests without saying so, or with a 408 or other bytes
   * that nobody asked for. What is safe to repeat is then sent once more, over a new one.
   */
  const begin = async (
    call: ServiceRequest,
    signal: StopSignal,
    beforeRepeat?: CallOptions['beforeRepeat'],
  ): Promise<Begun> => {
    const options = dispatchOptions(call, signal);
    const mayRepeat = call.method === 'GET' && hasAnswered;
    try {
      const data = await ask(options);
      if (!mayRepeat || data.statusCode !== 408) return { data, isRepeated: false };
      await data.body.dump();
    } catch (error) {
      if (!mayRepeat || !MISTAKABLE.includes(errorName(error)) || signal.aborted) throw error;
    }
    await beforeRepeat?.();
    return { data: await ask(options), isRepeated: true };
  };

  /** Tells whether a success is that of the call before once more: each call has one of its own. */
  const isOfCallBefore = ({ path, text, data: { statusCode } }: Whole) =>
    watch !== undefined && statusCode < 300 && path !== last?.path && text === last?.text;

  /** Sends what is safe to repeat over a new connection. */
  const askAnew = async (
    call: ServiceRequest,
    signal: StopSignal,
    beforeRepeat: CallOptions['beforeRepeat'],
  ): Promise<Begun> => {
    watch?.drop();
    await beforeRepeat?.();
    return { data: await ask(dispatchOptions(call, signal)), isRepeated: true };
  };

  return {
    /** Reads a whole answer. */
    send: async (
      call: ServiceRequest,
      { signal, timeoutMs = REQUEST_TIMEOUT_MS, beforeRepeat }: CallOptions,
    ): Promise<ServiceResponse> => {
      const sentAt = Date.now();
      let headers: Data['headers'] | undefined;
      let bytes = 0;
      watch?.begin();
      try {
        return await withStop(timeoutMs, signal, async (own) => {
          const read = async (answer: Begun): Promise<Whole> => {
            headers = answer.data.headers;
            const body = await readWhole(answer.data.body, MAX_BODY_BYTES, (seen) => {
              bytes = seen;
            });
            return {
              ...answer,
              ...decodeBody(body, headers),
              path: call.path.replace(/\?.*/s, ''),
            };
          };
          const first = await read(await begin(call, own, beforeRepeat));
          const stray = watch?.takeStray();
          const isDoubtful = call.method === 'GET' && isOfCallBefore(first);
          const answer = isDoubtful ? await read(await askAnew(call, own, beforeRepeat)) : first;
          last = answer;
          const place = isDoubtful && answer.text !== first.text ? 'instead' : stray;
          return { ...readResponse(answer, call, sentAt), ...present({ stray: place }) };
        });
      } catch (error) {
        watch?.takeStray();
        const body = headers && { bytes, declared: readHeaders(headers)['content-length'] };
        throw callError(brokenAnswer(error, errorName(error), { watch, body }), call, signal);
      }
    },

    /** Answers as soon as the body begins. */
    stream: async (call: ServiceRequest, options: StreamOptions): Promise<StreamedResponse> => {
      const { signal, timeoutMs = STREAM_TIMEOUT_MS } = options;
      const timer = timeStream(signal, timeoutMs, options.idleTimeoutMs ?? STREAM_IDLE_TIMEOUT_MS);
      const explained = (error: unknown) => callError(error, call, signal);
      const sentAt = Date.now();
      try {
        const answer = await begin(call, timer.signal);
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
    },
  };
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
