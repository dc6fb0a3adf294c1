import type { FaultName } from '../faults.js';
import type { JsonObject } from '../json.js';
import type { StoredChat } from './chat-store.js';

/** A chat as the service tells its state. */
export function describeChat(
  chat: StoredChat,
  status: string,
  faults: ReadonlySet<FaultName> = new Set(),
): JsonObject {
  const ended = faults.has('chat-failed') && status === 'completed' ? 'failed' : status;
  return {
    id: chat.id,
    conversation_id: chat.conversationId,
    bot_id: chat.botId,
    created_at: chat.createdAt,
    last_error: { code: 0, msg: '' },
    status: ended,
    ...(ended === 'completed' && {
      completed_at: chat.createdAt,
      usage: { token_count: 30, input_count: 10, output_count: 20 },
    }),
    ...(ended === 'failed' && {
      failed_at: chat.createdAt,
      last_error: { code: 5000, msg: 'the agent failed' },
    }),
  };
}
