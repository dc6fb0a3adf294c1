import type { Code } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import { openEnvelope, unexpectedAnswer } from '../api-response.js';
import { logIdOf, type ServiceResponse } from '../http/message.js';
import { asNumber, asObject, asText, type JsonObject, present } from '../json.js';

/** The known statuses of a chat; the service's specification names only `completed`. */
export const CHAT_STATUSES = [
  'created',
  'in_progress',
  'completed',
  'failed',
  'requires_action',
  'canceled',
] as const;

export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** Statuses that nothing follows, and that are not success. */
export const BAD_ENDS: Readonly<Record<string, Code>> = {
  failed: 'chat.failed',
  canceled: 'chat.canceled',
  requires_action: 'chat.requires-action',
  // The name of the field that goes with it is also met as status.
  required_action: 'chat.requires-action',
};

/** Whether nothing follows a status. */
export function isEndStatus(status = ''): boolean {
  return status === 'completed' || BAD_ENDS[status] !== undefined;
}

/** What names a chat; a {@link Chat} does. */
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
  /** Why the chat failed, in the service's words. */
  readonly lastError?: { readonly code: number; readonly message: string };
  /** What a chat in status `requires_action` is waiting for, as the service reported it. */
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
  const logId = logIdOf(response);
  const { conversationId } = chat;
  return { ...chat, conversationId, ...(logId !== undefined && { logId }) };
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
      status: asText(fields.status),
      sectionId: asText(fields.section_id),
      createdAt: asNumber(fields.created_at),
      completedAt: asNumber(fields.completed_at),
      failedAt: asNumber(fields.failed_at),
      lastError: readLastError(asObject(fields.last_error)),
      requiredAction: asObject(fields.required_action),
      usage: readUsage(asObject(fields.usage)),
      metaData: asObject(fields.meta_data),
    }),
  };
}

/** The service fills in an error of code 0 where there is none. */
function readLastError(error: JsonObject | undefined): Chat['lastError'] {
  const code = Number(error?.code ?? 0);
  return code === 0 ? undefined : { code, message: safeText(String(error?.msg ?? '')) };
}

function readUsage(usage: JsonObject | undefined): Chat['usage'] {
  if (usage === undefined) return undefined;
  return present({
    total: asNumber(usage.token_count),
    input: asNumber(usage.input_count),
    output: asNumber(usage.output_count),
  });
}
