import { createParser } from 'eventsource-parser';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import type { Secret } from '../../codes/secret.js';
import { asObject, asText, parseJson } from '../../files/json.js';
import {
  apiCode,
  fromService,
  missingInEnvelope,
  openEnvelope,
  ServiceError,
  serviceAnswer,
  unexpectedAnswer,
} from '../api-response.js';
import { BodyTooLong } from '../http/limits.js';
import type { ServiceConnection, ServiceResponse, StreamOptions } from '../http/message.js';
import { callError } from '../http/transport-code.js';
import { bodyProblem, EVENTS, isEventStream } from '../response-body.js';
import { EVENT_ENDINGS, STREAM_EVENTS } from '../unspecified.js';
import {
  type ChatMessage,
  isOpenStatus,
  readChat,
  readMessage,
  type StreamedChat,
} from './chat.js';
import { type ChatStart, chatRequest } from './chat-start.js';

const CALL = 'the chat stream';

/** The state of a stream: whether its end would be in order now. */
type StreamState = 'unknown' | 'open' | 'ended';

interface Named {
  /** The event's name in the service's words. */
  readonly name: string;
}

/** The chat started, or its state changed; the first such event contains the ID of the chat. */
export interface ChatUpdate extends Named {
  readonly kind: 'chat';
  readonly chat: StreamedChat;
}

export interface MessageUpdate extends Named {
  readonly kind: 'message';
  readonly message: ChatMessage;
  /** True if the content continues the previous message with the same ID. */
  readonly isDelta: boolean;
}

/** The service has sent all. */
export interface StreamDone extends Named {
  readonly kind: 'done';
}

/** An event that this version does not know. */
export interface UnknownEvent extends Named {
  readonly kind: 'unknown';
  readonly data: string;
}

export type ChatEvent = ChatUpdate | MessageUpdate | StreamDone | UnknownEvent;

/**
 * Starts a chat and yields its events as they arrive. Leaving the loop early ends the connection.
 *
 * @throws ConnectivityError `usage.invalid` before anything is sent, where the service would
 * refuse; `http.reset` where the stream ends before the chat does
 * @throws ServiceError with one of the codes `api.*` or `http.*`, also for an event `error`
 */
export async function* streamChat(
  connection: ServiceConnection,
  token: Secret,
  chat: ChatStart,
  options?: StreamOptions,
): AsyncGenerator<ChatEvent, void, undefined> {
  const request = { ...chatRequest(token, chat, true), accept: `${EVENTS}, application/json` };
  const { status, headers, sentAt, body, whole } = await connection.stream(request, options);
  if (status >= 300 || !isEventStream(headers['content-type'])) {
    const response = fromService(await whole(), CALL);
    openEnvelope(response, CALL);
    throw unexpectedAnswer(response, CALL, 'a stream of events');
  }
  let last: ChatEvent | undefined;
  let state: StreamState = 'unknown';
  try {
    const onRest = () => {
      state = 'open';
    };
    for await (const { event, data } of serverSentEvents(body, onRest)) {
      const clean = data.replaceAll(token.reveal(), '[redacted]');
      last = readEvent({ event, data: clean }, { status, headers, sentAt });
      if (state !== 'ended') state = stateAfter(last, state);
      yield last;
    }
  } catch (error) {
    throw callError(error, request, { signal: options?.signal });
  }
  if (state !== 'ended') throw brokenOff(last);
}

/**
 * Tells whether the stream may end after an event. The specification promises an event `chat` and no other:
 * after it only a status of a chat in progress shows that something is missing.
 */
function stateAfter(event: ChatEvent, before: StreamState): StreamState {
  if (event.kind === 'done') return 'ended';
  if (event.kind !== 'chat') return before;
  return isOpenStatus(event.chat.status) ? 'open' : 'ended';
}

function brokenOff(last: ChatEvent | undefined): ConnectivityError {
  return new ConnectivityError(
    'http.reset: cut short',
    `${CALL} must end with the end of the chat or an event "done", got: ${last ? describe(last) : 'no event'}`,
  );
}

/** Names an event, and says what keeps one of a chat from being read. */
function describe({ kind, name }: ChatEvent): string {
  const isUnread = kind === 'unknown' && isInFamily(STREAM_EVENTS.chat, name);
  return `"${safeText(name)}"${isUnread ? ' without a text `id`' : ''}`;
}

function readEvent(
  { event: name, data }: ServerSentEvent,
  response: Pick<ServiceResponse, 'status' | 'headers' | 'sentAt'>,
): ChatEvent {
  const fields = asObject(parseJson(data)) ?? {};
  if (name === STREAM_EVENTS.end) return { kind: 'done', name };
  const isChat = isInFamily(STREAM_EVENTS.chat, name);
  const chat = isChat ? readChat(fields) : undefined;
  if (chat !== undefined) return { kind: 'chat', name, chat };
  if (name === STREAM_EVENTS.error || (isChat && name.endsWith(EVENT_ENDINGS.failed))) {
    const received = { text: data, json: fields, receivedAt: Date.now(), isRepeated: false };
    const answer = serviceAnswer({ ...response, ...received }, fields.code, fields.msg);
    const { serviceCode, serviceMessage } = answer;
    const isSilent = serviceCode === undefined && serviceMessage === undefined;
    const problem =
      isSilent && bodyProblem({ ...response, ...received }, missingInEnvelope(received));
    throw new ServiceError(apiCode(answer), CALL, { ...answer, ...problem });
  }
  if (!isInFamily(STREAM_EVENTS.message, name) || asText(fields.type) === undefined) {
    return { kind: 'unknown', name, data };
  }
  return {
    kind: 'message',
    name,
    message: readMessage(fields),
    isDelta: name.endsWith(EVENT_ENDINGS.delta),
  };
}

/** Tells whether an event is of a family: `chat`, `conversation.chat.created`, … */
function isInFamily(family: string, name: string): boolean {
  return name.split('.').includes(family);
}

/** One event of a stream in the format of the HTML standard. */
export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  /** The data lines, joined by line feeds. */
  readonly data: string;
}

const MAX_EVENT = 1024 * 1024;

/**
 * Reads server-sent events. As the standard has it, an event that breaks off is not given.
 *
 * @param onRest called where the stream ends within an event
 * @throws BodyTooLong where one event is longer than 1 MiB
 */
export async function* serverSentEvents(
  pieces: AsyncIterable<Uint8Array>,
  onRest: () => void = () => undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder();
  const ready: ServerSentEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ event = 'message', data }) => ready.push({ event, data }),
    // Fields that are not known are passed over, as the standard has it.
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  let last = '';
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    // A piece can be empty, or hold only a part of a character.
    if (text === '') continue;
    last = text;
    parser.feed(text);
    yield* ready.splice(0);
    if (isTooLong) throw new BodyTooLong(MAX_EVENT, 'event');
  }
  // After CR the parser waits for the LF that may follow.
  if (last.endsWith('\r')) parser.feed('\n');
  yield* ready.splice(0);
  parser.feed('\n\n');
  if (ready.length > 0) onRest();
}
