import type { FaultName } from '../faults.js';
import type { JsonObject } from '../json.js';
import type { ChatFacts } from './chat-store.js';

const ARGUMENTS = { query: 'weather' };
const RESULT = { sky: 'clear' };
const FINISH = { msg_type: 'generate_answer_finish', data: '' };

/** The messages that come before the answers; a list that is asked for too early has only these. */
export function intermediateMessages(chat: ChatFacts): JsonObject[] {
  return [
    message(chat, 1, 'function_call', json({ name: 'weather', arguments: ARGUMENTS })),
    message(chat, 2, 'tool_output', json(RESULT)),
    message(chat, 3, 'tool_response', json(RESULT)),
  ];
}

/** What the agent writes in one chat: every type of message there is, but the user's question. */
export function messagesOf(chat: ChatFacts, faults: ReadonlySet<FaultName>): JsonObject[] {
  const { question, turn } = chat;
  const thought = { reasoning_content: 'The user wants an answer.' };
  const answers = [
    { ...message(chat, 4, 'answer', `You said: ${question}`), ...thought },
    message(chat, 5, 'answer', `That was question ${turn} of this conversation.`),
  ];
  return [
    ...(faults.has('chat-question-listed') ? [questionOf(chat)] : []),
    ...intermediateMessages(chat),
    ...(faults.has('chat-no-answer') ? [] : answers),
    message(chat, 6, 'verbose', json(FINISH)),
    message(chat, 7, 'follow_up', 'Is there more to say?'),
  ];
}

function questionOf(chat: ChatFacts): JsonObject {
  return { ...message(chat, 8, 'question', chat.question), role: 'user' };
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

function json(value: object): string {
  return JSON.stringify(value);
}
