import { asNumber, asObject, asText, type JsonObject, parseJson, present } from '../json.js';

/** Types of messages that carry nothing beyond the common fields. */
const PLAIN = [
  'question',
  'answer',
  'function_call',
  'tool_output',
  'tool_response',
  'follow_up',
] as const;

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

interface Typed<T extends string> extends MessageFields {
  readonly type: T;
}

/** What the user asked; it is in no list of a chat's messages. */
export type QuestionMessage = Typed<'question'>;
/** A reply; there may be several. */
export type AnswerMessage = Typed<'answer'>;
export type FunctionCallMessage = Typed<'function_call'>;
export type ToolOutputMessage = Typed<'tool_output'>;
export type ToolResponseMessage = Typed<'tool_response'>;
/** A question that the agent suggests. */
export type FollowUpMessage = Typed<'follow_up'>;

/** A note of the service about the chat itself. */
export interface VerboseMessage extends Typed<'verbose'> {
  /** `msg_type` of the JSON in `content`; `generate_answer_finish`: all answers are there. */
  readonly messageType?: string;
}

/** A message of a type that this version does not know. */
export interface UnknownMessage extends Typed<'unknown'> {
  /** The service's own name for the type; empty if it has none. */
  readonly serviceType: string;
}

export type ChatMessage =
  | QuestionMessage
  | AnswerMessage
  | FunctionCallMessage
  | ToolOutputMessage
  | ToolResponseMessage
  | FollowUpMessage
  | VerboseMessage
  | UnknownMessage;

/** Whether this message marks the end of all answers of its chat. */
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
