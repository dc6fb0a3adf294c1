/**
 * The client of the service's API, for programs that sign, ask for tokens, chat and list workspaces;
 * the check after a deploy is made of the same calls. `http/` carries every call and its limits of
 * time and size, `token/` signs and exchanges, `chat/` starts, follows and reads chats. An answer is
 * judged in `api-response.ts`, an answer to a token call in `token/access-token.ts`: a new error code of
 * the service is one row there and one in `codes/`. Nothing here knows of links, stages or reports.
 */

export type { Code } from '../codes/codes.js';
export { ConnectivityError } from '../codes/connectivity-error.js';
export { Secret } from '../codes/secret.js';
export { type ServiceAnswer, ServiceError } from './api-response.js';
export {
  type Chat,
  type ChatMessage,
  type ChatRef,
  type ChatStatus,
  isAnswerComplete,
  type MessageFields,
  type PlainMessage,
  type StreamedChat,
  type UnknownMessage,
  type VerboseMessage,
} from './chat/chat.js';
export { type ChatInput, type ChatStart, startChat } from './chat/chat-start.js';
export {
  ChatError,
  listMessages,
  type MessageList,
  type RetrieveOptions,
  retrieveChat,
  type WaitOptions,
  waitForChat,
} from './chat/follow-chat.js';
export {
  type ChatEvent,
  type ChatUpdate,
  type MessageUpdate,
  type StreamDone,
  streamChat,
  type UnknownEvent,
} from './chat/stream-chat.js';
export { type ConnectionOptions, connectService } from './http/connection.js';
export {
  type CallOptions,
  isInFormat,
  logIdOf,
  type ServiceConnection,
  type ServiceRequest,
  type ServiceResponse,
  type StreamedResponse,
  type StreamOptions,
} from './http/message.js';
export {
  type Caller,
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from './service-client.js';
export { readToken } from './token/access-token.js';
export {
  type DeviceInfo,
  JWT_LIFETIME_SECONDS,
  type JwtClaimOptions,
  type JwtClaims,
  type JwtKey,
  type JwtOptions,
  jwtClaims,
  jwtWarnings,
  signJwt,
} from './token/jwt.js';
export { type LoadedKey, loadPrivateKey } from './token/load-private-key.js';
export { type PrivateKey, parsePrivateKey, type SignCallback } from './token/signing-key.js';
export { type AccessToken, TokenCache } from './token/token-cache.js';
export {
  callToken,
  createTokenSource,
  exchangeToken,
  type TokenAnswer,
  type TokenCredentials,
  type TokenRequestOptions,
  type TokenSource,
  type TokenSourceOptions,
  tokenRequest,
} from './token/token-exchange.js';
export { CHAT_STATUSES } from './unspecified.js';
export {
  type HeaderedRequest,
  readUserId,
  USER_ID_HEADER,
  type UserIdOptions,
  type UserIdRefusal,
  type UserIdResult,
} from './user-id-header.js';
export {
  allWorkspaces,
  listWorkspaces,
  type PageOptions,
  readWorkspaces,
  type Workspace,
  type WorkspacePage,
  workspacesRequest,
} from './workspaces.js';
