import { isObject, type Json, type JsonObject } from '../json.js';

/** What the body of a chat's start says. */
export interface ChatBody {
  readonly botId: string;
  readonly userId: string;
  readonly question: string;
  readonly stream: boolean;
  readonly autoSaveHistory: boolean;
}

/** A field that breaks a rule. */
export interface WrongField {
  readonly wrong: string;
}

const IN_HISTORY = ['question', 'answer'];
const WITHOUT_HISTORY = [...IN_HISTORY, 'function_call', 'tool_output', 'tool_response'];

/** Reads the body of a chat's start by the rules of the service on roles and types. */
export function readChatBody(body: JsonObject): ChatBody | WrongField {
  const { bot_id: botId, user_id: userId, stream = false } = body;
  const { auto_save_history: autoSaveHistory = true, additional_messages: messages = [] } = body;
  if (typeof botId !== 'string' || botId === '') return { wrong: 'bot_id' };
  if (typeof userId !== 'string' || userId === '') return { wrong: 'user_id' };
  if (typeof stream !== 'boolean') return { wrong: 'stream' };
  if (typeof autoSaveHistory !== 'boolean') return { wrong: 'auto_save_history' };
  if (!Array.isArray(messages)) return { wrong: 'additional_messages' };
  const types = autoSaveHistory ? IN_HISTORY : WITHOUT_HISTORY;
  const wrong = messages.map((message) => problemOf(message, types)).find(Boolean);
  if (wrong !== undefined) return { wrong: `additional_messages.${wrong}` };
  const asked = messages.filter(isObject).findLast(({ role }) => role === 'user');
  const question = String(asked?.content ?? '');
  return { botId, userId, question, stream, autoSaveHistory };
}

function problemOf(message: Json, types: readonly string[]): string | undefined {
  if (!isObject(message)) return 'object';
  const { role, content, content_type: contentType, type } = message;
  if (role !== 'user' && role !== 'assistant') return 'role';
  if (typeof content !== 'string') return 'content';
  if (contentType !== 'text' && contentType !== 'object_string') return 'content_type';
  if (type === undefined) return undefined;
  const isAllowed = types.some((each) => each === type);
  return isAllowed && (type !== 'question' || role === 'user') ? undefined : 'type';
}
