import { setTimeout } from 'node:timers/promises';
import { factsOf, type Reason } from '../../codes/codes.js';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import type { Secret } from '../../codes/secret.js';
import { present } from '../../files/json.js';
import { recognizeInBothForms } from '../../package/shared.js';
import { fromService, openEnvelope, ServiceError, unexpectedAnswer } from '../api-response.js';
import { checkGiven } from '../given-text.js';
import { TimedOut, withTimeout } from '../http/limits.js';
import { type CallOptions, logIdOf, type ServiceConnection } from '../http/message.js';
import { RETRIEVE_CHAT } from '../unspecified.js';
import {
  BAD_ENDS,
  type Chat,
  type ChatMessage,
  type ChatRef,
  readChatAnswer,
  readMessage,
} from './chat.js';

const RETRIEVE = 'the retrieve-chat call';
const LIST = 'the message list call';

/** The request for the state of a chat; the service's specification does not show it. */
export interface RetrieveOptions {
  /** @default 'GET' */
  readonly method?: 'GET' | 'POST';
  /** Without query. @default '/v3/chat/retrieve' */
  readonly path?: string;
}

/** The messages of a chat other than the user's query. */
export interface MessageList {
  readonly messages: readonly ChatMessage[];
  readonly logId?: string;
}

/**
 * Gets the state of a chat.
 *
 * @throws ServiceError with one of the codes `api.*` or `http.*`
 */
export async function retrieveChat(
  connection: Pick<ServiceConnection, 'request'>,
  token: Secret,
  chat: ChatRef,
  options: RetrieveOptions & CallOptions = {},
): Promise<Chat> {
  const { method = RETRIEVE_CHAT.method, path = RETRIEVE_CHAT.path } = options;
  if (!/^\/(?!\/)[^\s?#]*$/.test(path)) {
    throw usageError(`\`path\` must begin with one slash and have no query, got: "${path}"`);
  }
  const request = { method, path: `${path}?${chatQuery(chat)}`, credential: token };
  const response = await connection.request(request, options);
  return readChatAnswer(fromService(response, RETRIEVE), RETRIEVE, chat);
}

/**
 * Lists the messages of a chat: replies and intermediate results, never the query. They may be
 * incomplete until the chat is completed.
 *
 * @throws ServiceError with one of the codes `api.*` or `http.*`
 */
export async function listMessages(
  connection: Pick<ServiceConnection, 'request'>,
  token: Secret,
  chat: ChatRef,
  call?: CallOptions,
): Promise<MessageList> {
  const path = `/v3/chat/message/list?${chatQuery(chat)}`;
  const request = { method: 'GET', path, credential: token } as const;
  const response = fromService(await connection.request(request, call), LIST);
  const { data } = openEnvelope(response, LIST);
  // Programs in Go, among others, write an empty list as null.
  if (data !== null && !Array.isArray(data)) {
    throw unexpectedAnswer(response, LIST, 'an array `data`');
  }
  return { messages: (data ?? []).map(readMessage), ...present({ logId: logIdOf(response) }) };
}

function chatQuery({ id, conversationId }: ChatRef): string {
  for (const [field, value] of Object.entries({ id, conversationId })) {
    checkGiven(field, value, ' of the chat');
  }
  return new URLSearchParams({ conversation_id: conversationId, chat_id: id }).toString();
}

/** The service asks for at most one poll a second. */
const MIN_INTERVAL_MS = 1_000;
const WAIT_MS = 300_000;
/** The number of failures in a row that are more than a hiccup. */
const PATIENCE = 3;

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until waiting is given up. @default 300_000 */
  readonly timeoutMs?: number;
  /** Milliseconds between polls, at least 1000. @default 1_000 */
  readonly intervalMs?: number;
  /** Called after every poll. */
  readonly onPoll?: (chat: Chat) => void;
  /** Lets time pass between polls. @default - a timer */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** A chat that ended without being completed, or that did not end in time. */
export class ChatError extends ConnectivityError {
  static {
    recognizeInBothForms(ChatError, 'ChatError');
  }

  constructor(
    reason: Reason,
    message: string,
    /** The chat as last seen; undefined if no poll succeeded. */
    readonly chat: Chat | undefined,
    options?: ErrorOptions,
  ) {
    super(reason, message, options);
  }
}

/**
 * Polls a chat until it is completed. On an unknown status it keeps waiting. It tolerates up to two
 * transient failures in a row.
 *
 * @throws ChatError `chat.failed`
 * @throws ServiceError with one of the codes `api.*` or `http.*`
 */
export function waitForChat(
  connection: Pick<ServiceConnection, 'request'>,
  token: Secret,
  chat: ChatRef,
  options: WaitOptions & RetrieveOptions = {},
): Promise<Chat> {
  const { method, path } = options;
  return pollChat(
    (call) => retrieveChat(connection, token, chat, { method, path, ...call }),
    chat,
    options,
  );
}

/** Waits like {@link waitForChat}, by whatever tells the state of the chat. */
export async function pollChat(
  poll: (call: CallOptions) => Promise<Chat>,
  { id }: ChatRef,
  options: WaitOptions = {},
): Promise<Chat> {
  const { signal, timeoutMs = WAIT_MS, intervalMs = MIN_INTERVAL_MS } = options;
  const { onPoll, pause = (ms, own) => setTimeout(ms, undefined, { signal: own }) } = options;
  if (!(intervalMs >= MIN_INTERVAL_MS)) {
    throw usageError(`\`intervalMs\` must be at least ${MIN_INTERVAL_MS}, got: ${intervalMs}`);
  }
  let seen: Chat | undefined;
  /** Since the last poll that got through. */
  let failures: ConnectivityError[] = [];
  /** @returns milliseconds that the service wants to be left alone */
  const pollOnce = async (own: AbortSignal): Promise<number> => {
    try {
      // What is sent again is one more poll.
      const beforeRepeat = () => pause(MIN_INTERVAL_MS, own);
      seen = await poll({ signal: own, beforeRepeat });
      failures = [];
      onPoll?.(seen);
      return 0;
    } catch (error) {
      const isTransient = error instanceof ConnectivityError && factsOf(error.reason).isRetryable;
      if (!isTransient || failures.length + 1 >= PATIENCE) throw error;
      failures.push(error);
      return error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    }
  };
  try {
    return await withTimeout(timeoutMs, signal, async (own) => {
      for (;;) {
        const restMs = await pollOnce(own);
        const ended = failures.length === 0 && checkEnd(id, seen);
        if (ended) return ended;
        await pause(Math.max(intervalMs, restMs), own);
      }
    });
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    const last = seen ? `status "${seen.status ?? ''}"` : 'no answer';
    const text = `chat ${id} must be completed within ${timeoutMs} ms, got: ${last}`;
    throw new ChatError('chat.failed: not in time', text, seen, { cause: failures.at(-1) });
  }
}

/** @returns the chat once it is completed, undefined while it is in progress. @throws ChatError */
function checkEnd(id: string, chat: Chat | undefined): Chat | undefined {
  if (chat?.status === 'completed') return chat;
  const ended = BAD_ENDS.get(chat?.status ?? '');
  if (ended === undefined) return undefined;
  const { code: serviceCode, message } = chat?.lastError ?? {};
  const reason = [`status "${chat?.status}"`, serviceCode, message].filter(Boolean).join(', ');
  throw new ChatError(ended, `chat ${id} ended without being completed, got: ${reason}`, chat);
}
