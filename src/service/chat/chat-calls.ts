import { usageError } from '../../codes/connectivity-error.js';
import type { Secret } from '../../codes/secrets.js';
import { fromService, openEnvelope, unexpectedAnswer } from '../api-response.js';
import type { ServiceConnection } from '../http/connection.js';
import { type CallOptions, logIdOf } from '../http/message.js';
import { present } from '../json.js';
import { type Chat, type ChatMessage, type ChatRef, readChatAnswer, readMessage } from './chat.js';
import { type ChatStart, chatRequest } from './chat-start.js';

const START = 'the chat call';
const RETRIEVE = 'the retrieve-chat call';
const LIST = 'the message list call';

/** How to request the state of a chat; the service's specification does not show it. */
export interface RetrieveOptions {
  /** @default 'GET' */
  readonly method?: 'GET' | 'POST';
  /** Without query. @default '/v3/chat/retrieve' */
  readonly path?: string;
}

/** The messages of a chat other than the user's query. */
export interface MessageList {
  readonly messages: readonly ChatMessage[];
  readonly logId?: string;
}

/**
 * Starts a chat and returns at once, while it is in progress.
 *
 * @throws ConnectivityError `usage.invalid` before anything is sent, where the service would refuse
 * @throws ServiceError with one of the codes `api.*` or `http.*`
 */
export async function startChat(
  connection: Pick<ServiceConnection, 'request'>,
  token: Secret,
  chat: ChatStart,
  call?: CallOptions,
): Promise<Chat> {
  const response = await connection.request(chatRequest(token, chat, false), call);
  return readChatAnswer(fromService(response, START), START);
}

/**
 * Gets the state of a chat.
 *
 * @throws ServiceError with one of the codes `api.*` or `http.*`
 */
export async function retrieveChat(
  connection: Pick<ServiceConnection, 'request'>,
  token: Secret,
  chat: ChatRef,
  options: RetrieveOptions & CallOptions = {},
): Promise<Chat> {
  const { method = 'GET', path = '/v3/chat/retrieve' } = options;
  if (!/^\/(?!\/)[^\s?#]*$/.test(path)) {
    throw usageError(`\`path\` must begin with one slash and have no query, got: "${path}"`);
  }
  const request = { method, path: `${path}?${chatQuery(chat)}`, credential: token };
  const response = await connection.request(request, options);
  return readChatAnswer(fromService(response, RETRIEVE), RETRIEVE, chat);
}

/**
 * Lists the messages of a chat: replies and intermediate results, never the query. They may be
 * incomplete until the chat is completed.
 *
 * @throws ServiceError with one of the codes `api.*` or `http.*`
 */
export async function listMessages(
  connection: Pick<ServiceConnection, 'request'>,
  token: Secret,
  chat: ChatRef,
  call?: CallOptions,
): Promise<MessageList> {
  const path = `/v3/chat/message/list?${chatQuery(chat)}`;
  const request = { method: 'GET', path, credential: token } as const;
  const response = fromService(await connection.request(request, call), LIST);
  const { data } = openEnvelope(response, LIST);
  if (data !== undefined && data !== null && !Array.isArray(data)) {
    throw unexpectedAnswer(response, LIST, 'an array `data`');
  }
  return { messages: (data ?? []).map(readMessage), ...present({ logId: logIdOf(response) }) };
}

function chatQuery({ id, conversationId }: ChatRef): string {
  for (const [field, value] of Object.entries({ id, conversationId })) {
    if (typeof value === 'string' && value !== '') continue;
    throw usageError(`\`${field}\` of the chat must not be empty`);
  }
  return new URLSearchParams({ conversation_id: conversationId, chat_id: id }).toString();
}
