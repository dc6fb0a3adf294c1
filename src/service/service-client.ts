import { ConnectivityError } from '../codes/connectivity-error.js';
import type { Secret } from '../codes/secret.js';
import type { Chat, ChatRef } from './chat/chat.js';
import { type ChatStart, checkChat, startChat } from './chat/chat-start.js';
import {
  listMessages,
  type MessageList,
  pollChat,
  type RetrieveOptions,
  retrieveChat,
  type WaitOptions,
} from './chat/follow-chat.js';
import { type ChatEvent, streamChat } from './chat/stream-chat.js';
import { parseBaseUrl } from './http/base-url.js';
import { type ConnectionOptions, connectService } from './http/connection.js';
import type { CallOptions, StreamOptions } from './http/message.js';
import type { AccessToken } from './token/token-cache.js';
import {
  createTokenSource,
  type TokenSource,
  type TokenSourceOptions,
} from './token/token-exchange.js';
import { listWorkspaces, type PageOptions, readPages, type Workspace } from './workspaces.js';

const CONNECTIONS = 16;

/** The caller: credentials for its own tokens, or an existing source of tokens. */
export type Caller =
  | { readonly credentials: TokenSourceOptions; readonly tokens?: undefined }
  | { readonly tokens: TokenSource; readonly credentials?: undefined };

export type ServiceClientOptions = ConnectionOptions &
  Caller & {
    /** Scheme, host and port to call: the public, the fixed-IP or the private one. */
    readonly baseUrl: string;
    /** Allows `http`, to private and loopback addresses only. @default false */
    readonly allowPlainHttp?: boolean;
    /** The request for the state of a chat. @default - GET /v3/chat/retrieve */
    readonly retrieve?: RetrieveOptions;
  };

/**
 * The service's API for one caller. Each call fetches a token if it needs one, for which it may
 * take its time limit a second time; a token that has worked and is later rejected is replaced
 * once, in a stream only before its first event. Errors are those of the functions of the same
 * names.
 */
export interface ServiceClient {
  /** All workspaces that the caller sees, fetched page by page on demand. */
  workspaces(options?: PageOptions & CallOptions): AsyncGenerator<Workspace, void, undefined>;
  /** Starts a chat and returns at once, while it is in progress. */
  startChat(chat: ChatStart, call?: CallOptions): Promise<Chat>;
  /** Starts a chat and yields its events as they arrive. */
  streamChat(chat: ChatStart, options?: StreamOptions): AsyncGenerator<ChatEvent, void, undefined>;
  retrieveChat(chat: ChatRef, call?: CallOptions): Promise<Chat>;
  /** Polls a chat until it is completed. */
  waitForChat(chat: ChatRef, options?: WaitOptions): Promise<Chat>;
  /** Lists the messages of a chat, without the query. */
  listMessages(chat: ChatRef, call?: CallOptions): Promise<MessageList>;
  /** Closes all connections; calls in progress fail. */
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
      readPages(
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

/**
 * Does what needs a token with one of a source. A token that has worked and is rejected now has ended
 * early: then, and only then, it is replaced.
 */
function tokenUser(tokens: TokenSource) {
  const proven = new WeakSet<AccessToken>();
  const use = async <T>(
    times: CallOptions | undefined,
    work: (token: AccessToken) => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      const token = await tokens.token({ signal: times?.signal, timeoutMs: times?.timeoutMs });
      try {
        const result = await work(token);
        proven.add(token);
        return result;
      } catch (error) {
        if (!isRejection(error)) throw error;
        tokens.discard(token);
        if (!proven.has(token)) throw error;
        await times?.beforeRepeat?.();
      }
    }
  };
  return {
    call: <T>(times: CallOptions | undefined, work: (token: Secret) => Promise<T>) =>
      use(times, ({ value }) => work(value)),
    /** Once the first item is there, nothing is begun again. */
    stream: async function* <T>(
      times: CallOptions | undefined,
      begin: (token: Secret) => AsyncGenerator<T, void, undefined>,
    ) {
      const { token, items, first } = await use(times, async (token) => {
        const items = begin(token.value);
        return { token, items, first: await items.next() };
      });
      try {
        if (first.done) return;
        yield first.value;
        yield* items;
      } catch (error) {
        if (isRejection(error)) tokens.discard(token);
        throw error;
      } finally {
        await items.return();
      }
    },
  };
}

function isRejection(error: unknown): boolean {
  return error instanceof ConnectivityError && error.code === 'api.token-rejected';
}
