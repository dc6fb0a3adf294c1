import type { Json } from '../json.js';
import { intermediateMessages, messagesOf } from './agent.js';
import type { ApiRequest } from './api-request.js';
import { readChatBody } from './chat-body.js';
import { chatEvents } from './chat-events.js';
import type { StoredChat } from './chat-store.js';
import { describeChat } from './describe-chat.js';
import { apiError, apiReply, type Reply, streamReply } from './reply.js';
import type { ServiceContext } from './service-context.js';

/** `POST /v3/chat`: starts a chat, and answers its state or, on request, a stream of its events. */
export function startChat(context: ServiceContext, request: ApiRequest): Reply {
  const { query, body = {}, logId, token } = request;
  const read = readChatBody(body);
  if ('wrong' in read) return apiError(400, 4000, `invalid request: ${read.wrong}`, logId);
  const { stream, ...facts } = read;
  const conversationId = query.get('conversation_id') ?? undefined;
  const createdAt = Math.floor(context.now() / 1000);
  const chat = context.chats.start({ ...facts, token, conversationId, createdAt });
  if (chat === 'unknown') return apiError(404, 4200, 'conversation not found', logId);
  if (chat === 'occupied') {
    return apiError(400, 4000, 'invalid request: the conversation has a chat in progress', logId);
  }
  if (!stream) return apiReply(describeChat(chat, 'in_progress'), logId);
  chat.pollsLeft = 0;
  return streamReply(chatEvents(chat, context.faults()));
}

/**
 * `/v3/chat/retrieve`: the state of a chat that was saved. Each call brings it nearer to its end.
 */
export function retrieveChat(context: ServiceContext, request: ApiRequest): Reply {
  const faults = context.faults();
  return withChat(context, request, (chat) => {
    if (faults.has('chat-endless')) return describeChat(chat, 'in_progress');
    if (chat.pollsLeft === 0) return describeChat(chat, 'completed', faults);
    chat.pollsLeft -= 1;
    return describeChat(chat, 'in_progress');
  });
}

/** `GET /v3/chat/message/list`: all messages but the query; before the end, those so far. */
export function listMessages(context: ServiceContext, request: ApiRequest): Reply {
  return withChat(context, request, (chat) =>
    chat.pollsLeft === 0 ? messagesOf(chat, context.faults()) : intermediateMessages(chat),
  );
}

function withChat(
  { chats }: ServiceContext,
  { query, logId, token }: ApiRequest,
  answer: (chat: StoredChat) => Json,
): Reply {
  const conversationId = query.get('conversation_id');
  const id = query.get('chat_id');
  for (const [name, value] of Object.entries({ conversation_id: conversationId, chat_id: id })) {
    if (!value) return apiError(400, 4000, `invalid request: ${name}`, logId);
  }
  const chat = chats.find(token, conversationId ?? '', id ?? '');
  return chat === undefined
    ? apiError(404, 4200, 'chat not found', logId)
    : apiReply(answer(chat), logId);
}
