import type { ApiRequest } from './api-request.js';
import { grants, type Permission } from './application.js';
import { bearerOf } from './bearer.js';
import { listMessages, retrieveChat, startChat } from './chat-endpoints.js';
import { apiError, RETRY_AFTER_SECONDS, type Reply } from './reply.js';
import type { ServiceContext } from './service-context.js';
import { listWorkspaces } from './workspaces.js';

export interface ApiEndpoint {
  readonly methods: readonly string[];
  readonly path: string;
  /** Permission points that the application needs, all of them. */
  readonly permissions: readonly Permission[];
  readonly answer: (context: ServiceContext, request: ApiRequest) => Reply;
}

/** The service's API behind the access token. */
export const API: readonly ApiEndpoint[] = [
  {
    methods: ['GET'],
    path: '/v1/workspaces',
    permissions: ['listWorkspace'],
    answer: listWorkspaces,
  },
  { methods: ['POST'], path: '/v3/chat', permissions: ['chat'], answer: startChat },
  {
    methods: ['GET', 'POST'],
    path: '/v3/chat/retrieve',
    permissions: ['getChat'],
    answer: retrieveChat,
  },
  {
    methods: ['GET'],
    path: '/v3/chat/message/list',
    permissions: ['chat', 'listMessage'],
    answer: listMessages,
  },
];

/** Answers an API call, once token and permissions are in order. */
export function callApi(
  context: ServiceContext,
  endpoint: ApiEndpoint,
  request: Omit<ApiRequest, 'token'> & { readonly authorization: string },
): Reply {
  const { logId } = request;
  const faults = context.faults();
  const token = context.tokens.find(bearerOf(request.authorization));
  const isLive = token !== undefined && token.expires * 1000 > context.now();
  if (!isLive || faults.has('token-rejected')) {
    return apiError(401, 4100, 'authentication is invalid', logId);
  }
  const application = context.application();
  const lacking = endpoint.permissions.filter((permission) => !grants(application, permission));
  if (lacking.length > 0) {
    return apiError(401, 4101, `the token has no permission: ${lacking.join(', ')}`, logId);
  }
  if (faults.has('rate-limited')) {
    return {
      ...apiError(429, 4013, 'rate limit exceeded', logId),
      headers: { 'retry-after': RETRY_AFTER_SECONDS },
    };
  }
  return endpoint.answer(context, { ...request, token });
}
