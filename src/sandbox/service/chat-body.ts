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
  if (contentType === 'object_string' && !isPartsText(content)) return 'content';
  if (type === undefined) return undefined;
  const isAllowed = types.some((each) => each === type);
  return isAllowed && (type !== 'question' || role === 'user') ? undefined : 'type';
}

/** Whether a text is JSON of an array of parts: texts, and files or images by ID or address. */
function isPartsText(content: string): boolean {
  let parts: unknown;
  try {
    parts = JSON.parse(content);
  } catch {
    return false;
  }
  return Array.isArray(parts) && parts.length > 0 && parts.every(isPart);
}

function isPart(part: Json): boolean {
  if (!isObject(part)) return false;
  const { type, text, file_id: fileId, file_url: fileUrl } = part;
  if (type === 'text') return typeof text === 'string';
  const isFile = type === 'file' || type === 'image' || type === 'audio';
  return isFile && [fileId, fileUrl].some((each) => typeof each === 'string' && each !== '');
}
