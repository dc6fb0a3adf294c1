import { usageError } from '../../codes/connectivity-error.js';
import type { Secret } from '../../codes/secret.js';
import { present } from '../../files/json.js';
import { fromService } from '../api-response.js';
import { checkGiven, givenText } from '../given-text.js';
import type { CallOptions, ServiceConnection, ServiceRequest } from '../http/message.js';
import { CONTINUED_CONVERSATION } from '../unspecified.js';
import { type Chat, readChatAnswer, TYPES_AT_START, TYPES_IN_HISTORY } from './chat.js';

const CALL = 'the chat call';

const CONTENT_TYPES = ['text', 'object_string'] as const;
const ROLES = ['user', 'assistant'] as const;

/** Fields of the body that have a setting of their own, with its rules. */
const OWN_FIELDS = ['bot_id', 'user_id', 'stream', 'auto_save_history', 'additional_messages'];

/** A message that a chat starts with. */
export interface ChatInput {
  readonly role: (typeof ROLES)[number];
  /** Plain text, or for `object_string` the JSON text of an array of parts. */
  readonly content: string;
  /** `card` comes only in answers. @default 'text' */
  readonly contentType?: (typeof CONTENT_TYPES)[number];
  /**
   * A `question` can only come from role `user`; `function_call`, `tool_output` and `tool_response`
   * only with `autoSaveHistory: false`.
   *
   * @default - not sent
   */
  readonly type?: (typeof TYPES_AT_START)[number];
}

export interface ChatStart {
  /** ID of the agent. */
  readonly botId: string;
  /** The caller's own ID of the user; separates contexts and databases. */
  readonly userId: string;
  /** @default - none */
  readonly messages?: readonly ChatInput[];
  /** Continues a conversation. @default - a new one */
  readonly conversationId?: string;
  /**
   * True if the conversation keeps the chat. Some versions of the service can later retrieve only a
   * chat that was kept.
   *
   * @default - not sent: the service decides
   */
  readonly autoSaveHistory?: boolean;
  /** Further fields of the body, under the service's own names; none of the above. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/**
 * Starts a chat and returns at once, while it is in progress.
 *
 * @throws ConnectivityError `usage.invalid` before anything is sent, where the service would refuse
 * @throws ServiceError with one of the codes `api.*` or `http.*`
 */
export async function startChat(
  connection: Pick<ServiceConnection, 'request'>,
  token: Secret,
  chat: ChatStart,
  call?: CallOptions,
): Promise<Chat> {
  const response = await connection.request(chatRequest(token, chat, false), call);
  return readChatAnswer(fromService(response, CALL), CALL);
}

/**
 * Checks what the service would refuse, and makes the request.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function chatRequest(token: Secret, chat: ChatStart, stream: boolean): ServiceRequest {
  checkChat(chat);
  const { conversationId } = chat;
  const query =
    conversationId === undefined
      ? ''
      : `?${new URLSearchParams({ [CONTINUED_CONVERSATION]: conversationId })}`;
  return {
    method: 'POST',
    path: `/v3/chat${query}`,
    credential: token,
    body: {
      ...chat.more,
      bot_id: chat.botId,
      user_id: chat.userId,
      stream,
      ...present({
        auto_save_history: chat.autoSaveHistory,
        additional_messages: chat.messages?.map(messageBody),
      }),
    },
  };
}

function messageBody({ role, content, contentType = 'text', type }: ChatInput): object {
  return { role, content, content_type: contentType, ...present({ type }) };
}

/** @throws ConnectivityError `usage.invalid` */
export function checkChat(chat: ChatStart): void {
  const { botId, userId, conversationId, messages = [], autoSaveHistory, more = {} } = chat ?? {};
  checkGiven('botId', botId);
  checkGiven('userId', userId);
  if (conversationId !== undefined) checkGiven('conversationId', conversationId);
  if (autoSaveHistory !== undefined && typeof autoSaveHistory !== 'boolean') {
    throw usageError(
      `\`autoSaveHistory\` must be true or false, got: ${givenText(autoSaveHistory)}`,
    );
  }
  const taken = Object.keys(more).find((name) => OWN_FIELDS.includes(name));
  if (taken !== undefined)
    throw usageError(`\`more\` must not have \`${taken}\`: it has a setting of its own`);
  checkSendable(more);
  if (!Array.isArray(messages)) {
    throw usageError(`\`messages\` must be an array, got: ${givenText(messages)}`);
  }
  messages.forEach((message, i) => {
    checkMessage(`messages[${i}]`, message, autoSaveHistory);
  });
}

/** Refuses what would fail only as it is sent. */
function checkSendable(more: object): void {
  try {
    JSON.stringify(more);
  } catch (cause) {
    const [why] = String(cause).split('\n');
    throw usageError(`\`more\` must be what JSON can hold, got: ${why}`, cause);
  }
}

function checkMessage(field: string, message: ChatInput, autoSaveHistory: boolean | undefined) {
  const { role, content, contentType = 'text', type } = message ?? {};
  checkOneOf(`${field}.role`, role, ROLES);
  checkOneOf(`${field}.contentType`, contentType, CONTENT_TYPES);
  if (typeof content !== 'string')
    throw usageError(`\`${field}.content\` must be a text, got: ${typeof content}`);
  if (type === undefined) return;
  checkOneOf(`${field}.type`, type, TYPES_AT_START);
  if (type === 'question' && role !== 'user') {
    throw usageError(
      `\`${field}.type\` can be "question" only with role "user", got: role "${role}"`,
    );
  }
  if (autoSaveHistory !== false && !TYPES_IN_HISTORY.some((each) => each === type)) {
    throw usageError(
      `\`${field}.type\` must be ${quoted(TYPES_IN_HISTORY)} unless \`autoSaveHistory\` is false, got: "${type}"`,
    );
  }
}

function checkOneOf(field: string, value: unknown, allowed: readonly string[]): void {
  if (allowed.some((each) => each === value)) return;
  throw usageError(`\`${field}\` must be ${quoted(allowed)}, got: ${givenText(value)}`);
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(' or ');
}
