import { isObject, type Json, type JsonObject } from '../json.js';
import { chatEvents, describeChat, intermediateMessages, makeMessages } from './agent.js';
import {
  type ApiRequest,
  apiError,
  apiReply,
  type Reply,
  type ServiceContext,
} from './endpoint.js';
import type { StoredChat } from './stores.js';

/** `POST /v3/chat`: starts a chat, and answers its state or, on request, a stream of its events. */
export async function startChat(context: ServiceContext, request: ApiRequest): Promise<Reply> {
  const { query, body = {}, logId, token } = request;
  const read = readChatBody(body);
  if (read.wrong !== undefined) return apiError(400, 4000, `invalid request: ${read.wrong}`, logId);
  const { stream, userId, ...facts } = read;
  const conversationId = query.get('conversation_id') ?? undefined;
  const createdAt = Math.floor(context.now() / 1000);
  const pluginAnswers = await context.callPlugins(userId);
  const chat = context.chats.start({ ...facts, token, conversationId, createdAt, pluginAnswers });
  if (chat === 'unknown') return apiError(404, 4200, 'conversation not found', logId);
  if (chat === 'occupied') {
    return apiError(400, 4000, 'invalid request: the conversation has a chat in progress', logId);
  }
  if (!stream) return apiReply(describeChat(chat, 'in_progress'), logId);
  chat.pollsLeft = 0;
  const headers = { 'content-type': 'text/event-stream' };
  return { status: 200, body: null, headers, events: chatEvents(chat) };
}

/** `/v3/chat/retrieve`: the state of a chat that was saved. Each call brings it nearer to its end. */
export function retrieveChat(context: ServiceContext, request: ApiRequest): Reply {
  return withChat(context, request, (chat) => {
    if (chat.pollsLeft === 0) return describeChat(chat, 'completed');
    chat.pollsLeft -= 1;
    return describeChat(chat, 'in_progress');
  });
}

/** The types of messages in a list; the others come in a stream alone. */
const LISTED: readonly Json[] = ['answer', 'function_call', 'tool_response', 'follow_up'];

/** `GET /v3/chat/message/list`: replies and intermediate results; before the end, those so far. */
export function listMessages(context: ServiceContext, request: ApiRequest): Reply {
  return withChat(context, request, (chat) => {
    const written = chat.pollsLeft === 0 ? makeMessages(chat) : intermediateMessages(chat);
    return written.filter(({ type = '' }) => LISTED.includes(type));
  });
}

function withChat(
  { chats }: ServiceContext,
  { query, logId, token }: ApiRequest,
  answer: (chat: StoredChat) => Json,
): Reply {
  const conversationId = query.get('conversation_id');
  if (!conversationId) return apiError(400, 4000, 'invalid request: conversation_id', logId);
  const id = query.get('chat_id');
  if (!id) return apiError(400, 4000, 'invalid request: chat_id', logId);
  const chat = chats.find(token, conversationId, id);
  if (chat === undefined) return apiError(404, 4200, 'chat not found', logId);
  return apiReply(answer(chat), logId);
}

const IN_HISTORY = ['question', 'answer'];
const WITHOUT_HISTORY = [...IN_HISTORY, 'function_call', 'tool_output', 'tool_response'];

/** Returns what the body of a chat's start says, or the field that breaks a rule of the service on roles and types. */
function readChatBody(body: JsonObject) {
  const { bot_id: botId, user_id: userId, stream = false } = body;
  const { auto_save_history: autoSaveHistory = true, additional_messages: messages = [] } = body;
  if (typeof botId !== 'string' || botId === '') return { wrong: 'bot_id' };
  if (typeof userId !== 'string' || userId === '') return { wrong: 'user_id' };
  if (typeof stream !== 'boolean') return { wrong: 'stream' };
  if (typeof autoSaveHistory !== 'boolean') return { wrong: 'auto_save_history' };
  if (!Array.isArray(messages)) return { wrong: 'additional_messages' };
  const types = autoSaveHistory ? IN_HISTORY : WITHOUT_HISTORY;
  const wrong = messages.map((message) => messageProblem(message, types)).find(Boolean);
  if (wrong !== undefined) return { wrong: `additional_messages.${wrong}` };
  const asked = messages.filter(isObject).findLast(({ role }) => role === 'user');
  const question = String(asked?.content ?? '');
  return { botId, userId, question, stream, autoSaveHistory };
}

function messageProblem(message: Json, types: readonly string[]): string | undefined {
  if (!isObject(message)) return 'object';
  const { role, content, content_type: contentType, type } = message;
  if (role !== 'user' && role !== 'assistant') return 'role';
  if (typeof content !== 'string') return 'content';
  if (contentType !== 'text' && contentType !== 'object_string') return 'content_type';
  if (contentType === 'object_string' && !isPartsText(content)) return 'content';
  if (type === undefined) return undefined;
  const isAllowed = types.some((each) => each === type);
  return isAllowed && (type !== 'question' || role === 'user') ? undefined : 'type';
}

/** Tells whether a text is JSON of an array of parts: texts, and files or images by ID or address. */
function isPartsText(content: string): boolean {
  try {
    const parts: unknown = JSON.parse(content);
    return Array.isArray(parts) && parts.length > 0 && parts.every(isPart);
  } catch {
    return false;
  }
}

function isPart(part: Json): boolean {
  if (!isObject(part)) return false;
  const { type, text, file_id: fileId, file_url: fileUrl } = part;
  if (type === 'text') return typeof text === 'string';
  const isFile = type === 'file' || type === 'image' || type === 'audio';
  return isFile && [fileId, fileUrl].some((each) => typeof each === 'string' && each !== '');
}
