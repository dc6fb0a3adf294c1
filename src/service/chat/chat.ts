import type { Reason } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import {
  asNumber,
  asObject,
  asText,
  type JsonObject,
  parseJson,
  present,
} from '../../files/json.js';
import { openEnvelope, unexpectedAnswer } from '../api-response.js';
import { logIdOf, type ServiceResponse } from '../http/message.js';
import {
  CHAT_FIELDS,
  CHAT_STATUSES,
  LAST_ERROR_FIELDS,
  REQUIRED_ACTION,
  USAGE_FIELDS,
} from '../unspecified.js';

export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** Statuses that nothing follows, and that are not success. */
export const BAD_ENDS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ['failed', 'chat.failed'],
  ['canceled', 'chat.failed: canceled'],
  ['requires_action', 'chat.failed: waiting for the caller'],
  [REQUIRED_ACTION, 'chat.failed: waiting for the caller'],
]);

/** Tells whether a status is a known one that others follow. */
export function isOpenStatus(status: string | undefined): boolean {
  const isKnown = CHAT_STATUSES.some((known) => known === status);
  return isKnown && status !== 'completed' && !BAD_ENDS.has(status ?? '');
}

/** The names of a chat; a {@link Chat} has them. */
export interface ChatRef {
  /** The ID of the chat. */
  readonly id: string;
  readonly conversationId: string;
}

/** A chat as the service reports it; fields that may be absent are optional. */
export interface Chat extends ChatRef {
  readonly botId?: string;
  /** One of {@link CHAT_STATUSES}, or what the service adds later. */
  readonly status?: ChatStatus | (string & {});
  readonly sectionId?: string;
  /** Unix times in seconds. */
  readonly createdAt?: number;
  readonly completedAt?: number;
  readonly failedAt?: number;
  /** The reason of a failed chat, in the service's words. */
  readonly lastError?: { readonly code: number; readonly message: string };
  /**
   * The action that a chat in status `requires_action` is waiting for, as the service reported it.
   */
  readonly requiredAction?: JsonObject;
  /** In tokens. */
  readonly usage?: { readonly total?: number; readonly input?: number; readonly output?: number };
  readonly metaData?: JsonObject;
  readonly logId?: string;
}

/** A chat as reported by an event of a stream. */
export type StreamedChat = Omit<Chat, 'conversationId'> & { readonly conversationId?: string };

/**
 * Reads an answer that holds a chat.
 *
 * @param known what the call was about, where the answer does not repeat it
 * @throws ServiceError
 */
export function readChatAnswer(response: ServiceResponse, call: string, known?: ChatRef): Chat {
  const { data } = openEnvelope(response, call);
  const chat = readChat({
    id: known?.id,
    conversation_id: known?.conversationId,
    ...asObject(data),
  });
  if (chat?.conversationId === undefined) {
    throw unexpectedAnswer(response, call, '`data.id` and `data.conversation_id`');
  }
  if (known !== undefined && chat.id !== known.id) {
    throw unexpectedAnswer(response, call, 'the chat that was asked for');
  }
  const { conversationId } = chat;
  return { ...chat, conversationId, ...present({ logId: logIdOf(response) }) };
}

/** @returns undefined where the fields have no ID */
export function readChat(fields: JsonObject): StreamedChat | undefined {
  const id = asText(fields.id);
  if (id === undefined) return undefined;
  return {
    id,
    ...present({
      conversationId: asText(fields.conversation_id),
      botId: asText(fields.bot_id),
      status: asText(fields[CHAT_FIELDS.status]),
      sectionId: asText(fields.section_id),
      createdAt: asNumber(fields.created_at),
      completedAt: asNumber(fields[CHAT_FIELDS.completedAt]),
      failedAt: asNumber(fields[CHAT_FIELDS.failedAt]),
      lastError: readLastError(asObject(fields[CHAT_FIELDS.lastError])),
      requiredAction: asObject(fields[CHAT_FIELDS.requiredAction]),
      usage: readUsage(asObject(fields[CHAT_FIELDS.usage])),
      metaData: asObject(fields.meta_data),
    }),
  };
}

/** The service fills in an error of code 0 where there is none. */
function readLastError(error: JsonObject | undefined): Chat['lastError'] {
  const { [LAST_ERROR_FIELDS.code]: code = 0, [LAST_ERROR_FIELDS.message]: message = '' } =
    error ?? {};
  if (Number(code) === 0) return undefined;
  return { code: Number(code), message: safeText(String(message)) };
}

function readUsage(usage: JsonObject | undefined): Chat['usage'] {
  if (usage === undefined) return undefined;
  return present({
    total: asNumber(usage[USAGE_FIELDS.total]),
    input: asNumber(usage[USAGE_FIELDS.input]),
    output: asNumber(usage[USAGE_FIELDS.output]),
  });
}

/** Types of messages that a conversation keeps. */
export const TYPES_IN_HISTORY = ['question', 'answer'] as const;
/** Types of messages that a chat can start with. */
export const TYPES_AT_START = [
  ...TYPES_IN_HISTORY,
  'function_call',
  'tool_output',
  'tool_response',
] as const;

/** Types of messages that carry nothing beyond the common fields. */
const PLAIN = [...TYPES_AT_START, 'follow_up'] as const;

/** Fields that every message may have; the service leaves out many of them. */
export interface MessageFields {
  readonly id?: string;
  readonly conversationId?: string;
  /** `user`, `assistant`, or what the service adds later. */
  readonly role?: 'user' | 'assistant' | (string & {});
  /** Only on messages that a chat produced. */
  readonly botId?: string;
  /** Only on messages that a chat produced. */
  readonly chatId?: string;
  /** The segment of the context; clearing the context starts a new one. */
  readonly sectionId?: string;
  readonly content?: string;
  /** `text`, `object_string`, `card`, or what the service adds later. */
  readonly contentType?: 'text' | 'object_string' | 'card' | (string & {});
  readonly metaData?: JsonObject;
  /** Unix times in seconds. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
  /** The chain of thought, if the model and the agent provide it. */
  readonly reasoningContent?: string;
}

/** A message without more than the common fields: `question` is the user's, and in no list of a chat's messages. */
export interface PlainMessage extends MessageFields {
  /** There may be several of type `answer`; `follow_up` is a question that the agent suggests. */
  readonly type: (typeof PLAIN)[number];
}

/** A note of the service about the chat itself. */
export interface VerboseMessage extends MessageFields {
  readonly type: 'verbose';
  /** `msg_type` of the JSON in `content`; `generate_answer_finish`: all answers are there. */
  readonly messageType?: string;
}

/** A message of a type that this version does not know. */
export interface UnknownMessage extends MessageFields {
  readonly type: 'unknown';
  /** The service's own name for the type; empty if it has none. */
  readonly serviceType: string;
}

export type ChatMessage = PlainMessage | VerboseMessage | UnknownMessage;

/** Tells whether this message marks the end of all answers of its chat. */
export function isAnswerComplete(message: ChatMessage): boolean {
  return message.type === 'verbose' && message.messageType === 'generate_answer_finish';
}

/** Reads a message; whatever its form, it is not refused. */
export function readMessage(value: unknown): ChatMessage {
  const fields = asObject(value) ?? {};
  const { type } = fields;
  const common = readFields(fields);
  const plain = PLAIN.find((each) => each === type);
  if (plain !== undefined) return { type: plain, ...common };
  if (type === 'verbose') {
    return { type, ...common, ...present({ messageType: readMessageType(common.content) }) };
  }
  return { type: 'unknown', serviceType: asText(type) ?? '', ...common };
}

function readFields(fields: JsonObject): MessageFields {
  return present({
    id: asText(fields.id),
    conversationId: asText(fields.conversation_id),
    role: asText(fields.role),
    botId: asText(fields.bot_id),
    chatId: asText(fields.chat_id),
    sectionId: asText(fields.section_id),
    content: typeof fields.content === 'string' ? fields.content : undefined,
    contentType: asText(fields.content_type),
    metaData: asObject(fields.meta_data),
    createdAt: asNumber(fields.created_at),
    updatedAt: asNumber(fields.updated_at),
    reasoningContent: asText(fields.reasoning_content),
  });
}

function readMessageType(content: string | undefined): string | undefined {
  return asText(asObject(parseJson(content ?? ''))?.msg_type);
}
