import type { ApiRequest } from './api-request.js';
import { bearerOf } from './bearer.js';
import { apiError, type Reply } from './reply.js';
import type { ServiceContext } from './service-context.js';
import { listWorkspaces } from './workspaces.js';

interface ApiEndpoint {
  readonly method: string;
  readonly path: string;
  /** Permission points that the application needs, all of them. */
  readonly permissions: readonly string[];
  readonly answer: (context: ServiceContext, request: ApiRequest) => Reply;
}

/** The service's API behind the access token. */
export const API: readonly ApiEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/workspaces',
    permissions: ['listWorkspace'],
    answer: listWorkspaces,
  },
];

/** Answers an API call, once token and permissions are in order. */
export function callApi(
  context: ServiceContext,
  endpoint: ApiEndpoint,
  request: ApiRequest,
): Reply {
  const { logId } = request;
  const faults = context.faults();
  const token = context.tokens.find(bearerOf(request.authorization));
  const isLive = token !== undefined && token.expires * 1000 > context.now();
  if (!isLive || faults.has('token-rejected')) {
    return apiError(401, 4100, 'authentication is invalid', logId);
  }
  const granted = context.application().permissions;
  if (!endpoint.permissions.every((permission) => granted.includes(permission))) {
    const needed = endpoint.permissions.join(', ');
    return apiError(401, 4101, `the token has no permission: ${needed}`, logId);
  }
  if (faults.has('rate-limited')) {
    return {
      ...apiError(429, 4013, 'rate limit exceeded', logId),
      headers: { 'retry-after': '1' },
    };
  }
  return endpoint.answer(context, request);
}
