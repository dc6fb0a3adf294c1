import { setTimeout } from 'node:timers/promises';
import { type Code, factsOf } from '../../codes/codes.js';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import type { Secret } from '../../codes/secrets.js';
import { recognizeInBothForms } from '../../package/shared.js';
import { ServiceError } from '../api-response.js';
import type { ServiceConnection } from '../http/connection.js';
import { TimedOut, withTimeout } from '../http/limits.js';
import type { CallOptions } from '../http/message.js';
import { BAD_ENDS, type Chat, type ChatRef } from './chat.js';
import { type RetrieveOptions, retrieveChat } from './chat-calls.js';

/** The service asks for at most one poll a second. */
const SHORTEST_INTERVAL_MS = 1_000;
const WAIT_MS = 300_000;
/** So many failures in a row are more than a hiccup. */
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
    code: Code,
    message: string,
    /** The chat as last seen; undefined if no poll succeeded. */
    readonly chat: Chat | undefined,
    options?: ErrorOptions,
  ) {
    super(code, message, options);
  }
}

/**
 * Polls a chat until it is completed. On an unknown status it keeps waiting. It tolerates up to two
 * transient failures in a row.
 *
 * @throws ChatError `chat.failed`, `chat.canceled`, `chat.requires-action`, `chat.timeout`
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

/** As {@link waitForChat}, by whatever tells the state of the chat. */
export async function pollChat(
  poll: (call: CallOptions) => Promise<Chat>,
  { id }: ChatRef,
  options: WaitOptions = {},
): Promise<Chat> {
  const { signal, timeoutMs = WAIT_MS, intervalMs = SHORTEST_INTERVAL_MS } = options;
  if (!(intervalMs >= SHORTEST_INTERVAL_MS)) {
    throw usageError(`\`intervalMs\` must be at least ${SHORTEST_INTERVAL_MS}, got: ${intervalMs}`);
  }
  const progress: Progress = { seen: undefined, failures: [] };
  try {
    return await withTimeout(timeoutMs, signal, async (own) => {
      for (;;) {
        const restMs = await pollOnce(poll, options, progress, own);
        const ended = progress.failures.length === 0 && checkEnd(id, progress.seen);
        if (ended) return ended;
        await (options.pause ?? pauseFor)(Math.max(intervalMs, restMs), own);
      }
    });
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    throw tooLate(id, timeoutMs, progress);
  }
}

interface Progress {
  seen: Chat | undefined;
  /** Since the last poll that got through. */
  failures: ConnectivityError[];
}

/** @returns milliseconds that the service wants to be left alone */
async function pollOnce(
  poll: (call: CallOptions) => Promise<Chat>,
  { onPoll }: WaitOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  try {
    progress.seen = await poll({ signal });
    progress.failures = [];
    onPoll?.(progress.seen);
    return 0;
  } catch (error) {
    const isTransient = error instanceof ConnectivityError && factsOf(error.code).isRetryable;
    if (!isTransient || progress.failures.length + 1 >= PATIENCE) throw error;
    progress.failures.push(error);
    return error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  }
}

/** @returns the chat once it is completed, undefined while it is in progress. @throws ChatError */
function checkEnd(id: string, chat: Chat | undefined): Chat | undefined {
  if (chat?.status === 'completed') return chat;
  const code = BAD_ENDS[chat?.status ?? ''];
  if (code === undefined) return undefined;
  const { code: serviceCode, message } = chat?.lastError ?? {};
  const reason = [`status "${chat?.status}"`, serviceCode, message].filter(Boolean).join(', ');
  throw new ChatError(code, `chat ${id} ended without being completed, got: ${reason}`, chat);
}

function tooLate(id: string, timeoutMs: number, { seen, failures }: Progress): ChatError {
  const last = seen ? `status "${seen.status ?? ''}"` : 'no answer';
  return new ChatError(
    'chat.timeout',
    `chat ${id} must be completed within ${timeoutMs} ms, got: ${last}`,
    seen,
    { cause: failures.at(-1) },
  );
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal });
}
