import type { Permission } from './application.js';
import { listMessages, retrieveChat, startChat } from './chat-endpoints.js';
import {
  type ApiRequest,
  apiError,
  apiReply,
  RETRY_AFTER_SECONDS,
  type Reply,
  readBearer,
  type ServiceContext,
} from './endpoint.js';

interface ApiEndpoint {
  readonly methods: readonly string[];
  readonly path: string;
  /** Permission points that the application needs, all of them. */
  readonly permissions: readonly Permission[];
  readonly answer: (context: ServiceContext, request: ApiRequest) => Reply | Promise<Reply>;
}

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
): Reply | Promise<Reply> {
  const { logId } = request;
  const faults = context.faults();
  const token = context.tokens.get(readBearer(request.authorization));
  const isLive = token !== undefined && token.expires * 1000 > context.now();
  if (!isLive || faults.has('token-rejected')) {
    return apiError(401, 4100, 'authentication is invalid', logId);
  }
  const { permissions } = context.application();
  const lacking = endpoint.permissions.filter((permission) => !permissions.includes(permission));
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

const DEFAULT_PAGE = 20;
const OTHER_ENTERPRISE_ID = 'volcano_2100000007';

const WORKSPACES = [
  { id: '7400000000000000001', name: 'Agents', role_type: 'owner', workspace_type: 'team' },
  { id: '7400000000000000002', name: 'Trials', role_type: 'member', workspace_type: 'team' },
];

/** `GET /v1/workspaces`: the workspaces of the enterprise, page by page. */
function listWorkspaces(context: ServiceContext, { query, logId }: ApiRequest): Reply {
  const page = pageNumber(query.get('page_num'), 1);
  const size = pageNumber(query.get('page_size'), DEFAULT_PAGE);
  if (page === undefined || size === undefined) {
    return apiError(400, 4000, 'page_num or page_size is out of range', logId);
  }
  const faults = context.faults();
  const all = faults.has('no-workspaces') ? [] : WORKSPACES;
  const workspaces = all.slice((page - 1) * size, page * size).map((each) => ({
    ...each,
    icon_url: '',
    enterprise_id: faults.has('other-enterprise') ? OTHER_ENTERPRISE_ID : context.enterpriseId,
  }));
  return apiReply({ workspaces, total_count: all.length }, logId);
}

function pageNumber(text: string | null, otherwise: number): number | undefined {
  const value = text === null ? otherwise : Number(text);
  return Number.isSafeInteger(value) && value >= 1 ? value : undefined;
}
