import type { Json, JsonObject } from '../json.js';
import type { ChatFacts, StoredChat } from './stores.js';

const ARGUMENTS = { query: 'weather' };
const RESULT = { sky: 'clear' };
const FINISH = { msg_type: 'generate_answer_finish', data: '' };

/** The messages that come before the answers; a list that is asked for too early has only these. */
export function intermediateMessages(chat: ChatFacts): JsonObject[] {
  if (chat.pluginAnswers.length > 0) return pluginMessages(chat);
  return [
    message(chat, 1, 'function_call', JSON.stringify({ name: 'weather', arguments: ARGUMENTS })),
    message(chat, 2, 'tool_output', JSON.stringify(RESULT)),
    message(chat, 3, 'tool_response', JSON.stringify(RESULT)),
  ];
}

/** Returns the messages of each plugin call: the call and what came of it. */
function pluginMessages(chat: ChatFacts): JsonObject[] {
  const asked = { query: chat.question };
  return chat.pluginAnswers.flatMap(({ name, result }, i) => [
    message(chat, 10 + 2 * i, 'function_call', JSON.stringify({ name, arguments: asked })),
    message(chat, 11 + 2 * i, 'tool_response', JSON.stringify(result)),
  ]);
}

/** Returns what the agent writes in one chat: every type of message there is, but the user's question. */
export function makeMessages(chat: ChatFacts): JsonObject[] {
  const { question, turn } = chat;
  const thought = { reasoning_content: 'The user wants an answer.' };
  return [
    ...intermediateMessages(chat),
    { ...message(chat, 4, 'answer', `You said: ${question}`), ...thought },
    message(chat, 5, 'answer', `That was question ${turn} of this conversation.`),
    message(chat, 6, 'verbose', JSON.stringify(FINISH)),
    message(chat, 7, 'follow_up', 'Is there more to say?'),
  ];
}

/** @param place makes the ID, so that a message has the same one in every list */
function message(chat: ChatFacts, place: number, type: string, content: string): JsonObject {
  return {
    id: String(BigInt(chat.id) + BigInt(place)),
    conversation_id: chat.conversationId,
    bot_id: chat.botId,
    chat_id: chat.id,
    section_id: chat.conversationId,
    role: 'assistant',
    type,
    content,
    content_type: 'text',
    meta_data: {},
    created_at: chat.createdAt,
    updated_at: chat.createdAt,
  };
}

/** The events of a streamed chat in the format of server-sent events, in their order. */
export function chatEvents(chat: StoredChat): string[] {
  return [
    event('conversation.chat.created', describeChat(chat, 'created')),
    event('conversation.chat.in_progress', describeChat(chat, 'in_progress')),
    ...makeMessages(chat).flatMap(messageEvents),
    event('conversation.chat.completed', describeChat(chat, 'completed')),
    event('done', '[DONE]'),
  ];
}

/** An answer comes in pieces first, then as a whole. */
function messageEvents(message: JsonObject): string[] {
  const pieces = message.type === 'answer' ? String(message.content).match(/\S+\s*/g) : [];
  return [
    ...(pieces ?? []).map((content) =>
      event('conversation.message.delta', { ...message, content }),
    ),
    event('conversation.message.completed', message),
  ];
}

function event(name: string, data: Json): string {
  return `event:${name}\ndata:${JSON.stringify(data)}\n\n`;
}

/** A chat, with its state as the service reports it. */
export function describeChat(chat: StoredChat, status: string): JsonObject {
  return {
    id: chat.id,
    conversation_id: chat.conversationId,
    bot_id: chat.botId,
    created_at: chat.createdAt,
    last_error: { code: 0, msg: '' },
    status,
    ...(status === 'completed' && {
      completed_at: chat.createdAt,
      usage: { token_count: 30, input_count: 10, output_count: 20 },
    }),
  };
}
