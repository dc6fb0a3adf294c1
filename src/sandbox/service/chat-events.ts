import type { FaultName } from '../faults.js';
import type { Json, JsonObject } from '../json.js';
import { messagesOf } from './agent.js';
import type { StoredChat } from './chat-store.js';
import { describeChat } from './describe-chat.js';

/** The events of a streamed chat in the format of server-sent events, in their order. */
export function chatEvents(chat: StoredChat, faults: ReadonlySet<FaultName>): string[] {
  const end = describeChat(chat, 'completed', faults);
  return [
    event('conversation.chat.created', describeChat(chat, 'created')),
    event('conversation.chat.in_progress', describeChat(chat, 'in_progress')),
    ...messagesOf(chat, faults).flatMap(messageEvents),
    event(`conversation.chat.${String(end.status)}`, end),
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
