export type { Code } from '../codes/codes.js';
export { ConnectivityError } from '../codes/connectivity-error.js';
export {
  CHAT_STATUSES,
  type Chat,
  type ChatRef,
  type ChatStatus,
  type StreamedChat,
} from './chat.js';
export {
  listMessages,
  type MessageList,
  type RetrieveOptions,
  retrieveChat,
  startChat,
} from './chat-calls.js';
export {
  type AnswerMessage,
  type ChatMessage,
  type FollowUpMessage,
  type FunctionCallMessage,
  isAnswerComplete,
  type MessageFields,
  type QuestionMessage,
  type ToolOutputMessage,
  type ToolResponseMessage,
  type UnknownMessage,
  type VerboseMessage,
} from './chat-message.js';
export type { ChatInput, ChatStart } from './chat-start.js';
export { type ConnectionOptions, connectService, type ServiceConnection } from './connection.js';
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
} from './jwt.js';
export { type LoadedKey, loadPrivateKey } from './load-private-key.js';
export { type PrivateKey, parsePrivateKey } from './private-key.js';
export {
  isFromService,
  logIdOf,
  type ServiceResponse,
  type StreamedResponse,
} from './response.js';
export { Secret } from './secret.js';
export {
  type Caller,
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from './service-client.js';
export { type ServiceAnswer, ServiceError } from './service-error.js';
export type { CallOptions, ServiceRequest, StreamOptions } from './service-request.js';
export type { SignCallback } from './sign-callback.js';
export {
  type ChatEvent,
  type ChatUpdate,
  type MessageUpdate,
  type StreamDone,
  streamChat,
  type UnknownEvent,
} from './stream-chat.js';
export {
  type AccessToken,
  exchangeToken,
  readToken,
  type TokenRequestOptions,
  tokenRequest,
} from './token.js';
export { callToken, type TokenAnswer, type TokenCredentials } from './token-call.js';
export { createTokenSource, type TokenSource, type TokenSourceOptions } from './token-source.js';
export {
  type HeaderedRequest,
  readUserId,
  USER_ID_HEADER,
  type UserIdOptions,
  type UserIdRefusal,
  type UserIdResult,
} from './user-id-header.js';
export { ChatError, type WaitOptions, waitForChat } from './wait-for-chat.js';
export {
  allWorkspaces,
  listWorkspaces,
  type PageOptions,
  readWorkspaces,
  type Workspace,
  type WorkspacePage,
  workspacesRequest,
} from './workspaces.js';
