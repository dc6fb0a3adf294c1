// Everything that this package takes from the vendor's SDKs and public pages because the service's
// specification does not show it, and what it chose itself in its place. The service may differ: no
// cause and no remedy states it as a fact. Statements that have no value (regions, the account of an
// endpoint, `http` on the private path, what `requires_action` means, which chats can be retrieved) stand
// in their texts with their source, and in docs/client.md below the table of these values.

/** Numbers in `code` of an API answer; the specification only says that 0 is success. */
export const API_CODES = {
  invalidRequest: '4000',
  rateLimited: '4013',
  notAuthenticated: '4100',
  noPermission: '4101',
  notFound: '4200',
  tokenInvalid: '700012006',
} as const;

/** The statuses of a chat; the specification names `completed` alone. */
export const CHAT_STATUSES = [
  'created',
  'in_progress',
  'completed',
  'failed',
  'requires_action',
  'canceled',
] as const;

/** A second name of the status `requires_action`: the field that comes with it is called so. */
export const REQUIRED_ACTION = 'required_action';

/** The call for the state of a chat. */
export const RETRIEVE_CHAT = { method: 'GET', path: '/v3/chat/retrieve' } as const;

/** The fields of the workspace list and of a workspace in it. */
export const WORKSPACE_FIELDS = {
  list: 'workspaces',
  total: 'total_count',
  id: 'id',
  name: 'name',
  role: 'role_type',
  type: 'workspace_type',
  enterprise: 'enterprise_id',
} as const;

/** Roles that the caller has in a workspace. */
export const WORKSPACE_ROLES = ['owner', 'admin', 'member'] as const;

/** Kinds of workspaces. */
export const WORKSPACE_TYPES = ['personal', 'team'] as const;

/** Entries that a page of the workspace list has by default. */
export const WORKSPACE_PAGE_SIZE = 20;

/** The events of a streamed chat; the specification names `chat` alone. */
export const STREAM_EVENTS = {
  chat: 'chat',
  message: 'message',
  error: 'error',
  end: 'done',
} as const;

/** Endings of the names of events that continue a message, and that report a failure. */
export const EVENT_ENDINGS = { delta: '.delta', failed: '.failed' } as const;

/** Names of permissions; the specification names those of the message list, `chat` and `listMessage`. */
export const PERMISSIONS = { workspaces: 'listWorkspace', retrieveChat: 'getChat' } as const;

/** The header with the log ID; the specification only has the field `detail.logid`. */
export const LOG_ID_HEADER = 'x-tt-logid';

/** Fields of a body that also hold the log ID: `logid`, or the one in `error`. */
export const LOG_ID_FIELDS = { own: 'logid', error: 'error' } as const;

/** The field with the code of a refused token call in OAuth's standard; here it is `error_code`. */
export const OAUTH_ERROR = 'error';

/** The meaning of an API error by its status, where its code says nothing. */
export const ERROR_STATUSES = { 401: 'api.token-rejected', 403: 'api.permission' } as const;

/** The beginning of the enterprise IDs on the public pages. */
export const ENTERPRISE_ID_START = 'volcano_';

/** The field of a chat's start, in the query, that continues a conversation. */
export const CONTINUED_CONVERSATION = 'conversation_id';

/** The fields of a chat beside its ID and those of a message. */
export const CHAT_FIELDS = {
  status: 'status',
  completedAt: 'completed_at',
  failedAt: 'failed_at',
  lastError: 'last_error',
  requiredAction: 'required_action',
  usage: 'usage',
} as const;

/** The fields of `last_error`; a code of 0 means none. */
export const LAST_ERROR_FIELDS = { code: 'code', message: 'msg' } as const;

/** The fields of `usage`, in tokens. */
export const USAGE_FIELDS = {
  total: 'token_count',
  input: 'input_count',
  output: 'output_count',
} as const;

/** A refusal's code in the spelling of OAuth; the specification spells it `access_deny`. */
export const ACCESS_DENIED = 'access_denied';

/** Messages that say more than the code they come with. */
export const MESSAGES = {
  unknownKey: /\bkid\b.*regist/i,
  tokenOfElsewhere: /token.*incorrect/i,
} as const;

/** Limits of this package's own choice. */
export const MAX_USER_ID_LENGTH = 256;
export const MIN_TOKEN_SECONDS = 1;
