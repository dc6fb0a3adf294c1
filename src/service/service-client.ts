import { parseBaseUrl } from './base-url.js';
import type { Chat, ChatRef } from './chat.js';
import {
  listMessages,
  type MessageList,
  type RetrieveOptions,
  retrieveChat,
  startChat,
} from './chat-calls.js';
import { type ChatStart, checkChat } from './chat-start.js';
import { type ConnectionOptions, connectService } from './connection.js';
import type { CallOptions, StreamOptions } from './service-request.js';
import { type ChatEvent, streamChat } from './stream-chat.js';
import { createTokenSource, type TokenSource, type TokenSourceOptions } from './token-source.js';
import { tokenUser } from './token-user.js';
import { pollChat, type WaitOptions } from './wait-for-chat.js';
import { listWorkspaces, type PageOptions, pagesOf, type Workspace } from './workspaces.js';

const CONNECTIONS = 16;

/** Who calls: credentials for tokens of its own, or a source of tokens that is there already. */
export type Caller =
  | { readonly credentials: TokenSourceOptions; readonly tokens?: undefined }
  | { readonly tokens: TokenSource; readonly credentials?: undefined };

export type ServiceClientOptions = ConnectionOptions &
  Caller & {
    /** Scheme, host and port to call: the public, the fixed-IP or the private one. */
    readonly baseUrl: string;
    /** Allows `http`, to private and loopback addresses only. @default false */
    readonly allowPlainHttp?: boolean;
    /** How to ask for the state of a chat. @default - GET /v3/chat/retrieve */
    readonly retrieve?: RetrieveOptions;
  };

/**
 * The service's API for one caller. Each call fetches a token where it must, for which it
 * may take its time a second time; a token that has worked and is rejected is replaced once, for a
 * stream only before its first event. Errors are those of the functions of the same names.
 */
export interface ServiceClient {
  /** All workspaces that the caller sees, page by page as they are asked for. */
  workspaces(options?: PageOptions & CallOptions): AsyncGenerator<Workspace, void, undefined>;
  /** Starts a chat and answers at once, while it goes on. */
  startChat(chat: ChatStart, call?: CallOptions): Promise<Chat>;
  /** Starts a chat and gives its events as they come. */
  streamChat(chat: ChatStart, options?: StreamOptions): AsyncGenerator<ChatEvent, void, undefined>;
  retrieveChat(chat: ChatRef, call?: CallOptions): Promise<Chat>;
  /** Polls a chat until it is completed. */
  waitForChat(chat: ChatRef, options?: WaitOptions): Promise<Chat>;
  /** Lists the messages of a chat, without the query. */
  listMessages(chat: ChatRef, call?: CallOptions): Promise<MessageList>;
  /** Ends all connections; calls under way fail. */
  close(): Promise<void>;
}

/** @throws ConnectivityError `usage.invalid` */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, connections = CONNECTIONS, retrieve } = options;
  parseBaseUrl(baseUrl, options.allowPlainHttp ?? false);
  const connection = connectService(baseUrl, { ...options, connections });
  const tokens = options.tokens ?? createTokenSource(connection, options.credentials);
  const authorized = tokenUser(tokens);
  const retrieveNow = (chat: ChatRef, call?: CallOptions) =>
    authorized.call(call, (token) =>
      retrieveChat(connection, token, chat, { ...retrieve, ...call }),
    );
  return {
    workspaces: (page = {}) =>
      pagesOf(
        (one) =>
          authorized.call(page, (token) => listWorkspaces(connection, token, { ...page, ...one })),
        page,
      ),
    startChat: async (chat, call) => {
      checkChat(chat);
      return await authorized.call(call, (token) => startChat(connection, token, chat, call));
    },
    streamChat: async function* (chat, stream) {
      checkChat(chat);
      yield* authorized.stream(stream, (token) => streamChat(connection, token, chat, stream));
    },
    retrieveChat: retrieveNow,
    waitForChat: (chat, wait) => pollChat((call) => retrieveNow(chat, call), chat, wait),
    listMessages: (chat, call) =>
      authorized.call(call, (token) => listMessages(connection, token, chat, call)),
    close: () => connection.close(),
  };
}
