import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';
import {
  ACCESS_DENIED,
  API_CODES,
  CHAT_FIELDS,
  CHAT_STATUSES,
  CONTINUED_CONVERSATION,
  ENTERPRISE_ID_START,
  ERROR_STATUSES,
  EVENT_ENDINGS,
  LAST_ERROR_FIELDS,
  LOG_ID_FIELDS,
  LOG_ID_HEADER,
  MAX_USER_ID_LENGTH,
  MESSAGES,
  MIN_TOKEN_SECONDS,
  OAUTH_ERROR,
  PERMISSIONS,
  REQUIRED_ACTION,
  RETRIEVE_CHAT,
  STREAM_EVENTS,
  USAGE_FIELDS,
  WORKSPACE_FIELDS,
  WORKSPACE_PAGE_SIZE,
  WORKSPACE_ROLES,
  WORKSPACE_TYPES,
} from '../../src/service/unspecified.js';

/** A fact with where it comes from, as the documentation lists it. */
interface UnspecifiedFact {
  readonly fact: string;
  readonly values: readonly string[];
  readonly source: 'SDKs' | 'public pages' | 'SDKs and public pages' | 'this package';
}

/** All of them, in the order of a check. */
const UNSPECIFIED: readonly UnspecifiedFact[] = [
  {
    fact: 'date of the list of fixed addresses',
    values: [FIXED_ADDRESSES.version],
    source: 'public pages',
  },
  {
    fact: 'start of an enterprise ID',
    values: [ENTERPRISE_ID_START],
    source: 'public pages',
  },
  { fact: 'header of the log ID', values: [LOG_ID_HEADER], source: 'SDKs' },
  {
    fact: 'fields of a body that also hold the log ID',
    values: [LOG_ID_FIELDS.own, `${LOG_ID_FIELDS.error}.${LOG_ID_FIELDS.own}`],
    source: 'SDKs',
  },
  {
    fact: 'API error codes',
    values: Object.entries(API_CODES).map(([name, code]) => `${code} ${name}`),
    source: 'SDKs',
  },
  {
    fact: 'fields of the workspace list',
    values: Object.values(WORKSPACE_FIELDS),
    source: 'public pages',
  },
  {
    fact: 'values of `role_type` and of `workspace_type`',
    values: [...WORKSPACE_ROLES, ...WORKSPACE_TYPES],
    source: 'public pages',
  },
  {
    fact: 'entries of a page of the workspace list',
    values: [String(WORKSPACE_PAGE_SIZE)],
    source: 'public pages',
  },
  {
    fact: 'permissions of the workspace list and of retrieve-chat',
    values: Object.values(PERMISSIONS),
    source: 'public pages',
  },
  {
    fact: 'method and path of retrieve-chat',
    values: [`${RETRIEVE_CHAT.method} ${RETRIEVE_CHAT.path}`],
    source: 'public pages',
  },
  {
    fact: 'statuses of a chat but `completed`',
    values: CHAT_STATUSES.filter((status) => status !== 'completed'),
    source: 'SDKs and public pages',
  },
  {
    fact: 'second name of the status `requires_action`',
    values: [REQUIRED_ACTION],
    source: 'SDKs',
  },
  {
    fact: 'events of a streamed chat but `chat`',
    values: Object.values(STREAM_EVENTS).filter((name) => name !== STREAM_EVENTS.chat),
    source: 'SDKs',
  },
  {
    fact: 'ends of the names of events: more of a message, a failure',
    values: Object.values(EVENT_ENDINGS),
    source: 'SDKs',
  },
  {
    fact: 'fields of a chat beside those of a message',
    values: Object.values(CHAT_FIELDS),
    source: 'SDKs and public pages',
  },
  {
    fact: 'fields of `last_error` and of `usage`',
    values: [...Object.values(LAST_ERROR_FIELDS), ...Object.values(USAGE_FIELDS)],
    source: 'SDKs and public pages',
  },
  {
    fact: 'query field that continues a conversation',
    values: [CONTINUED_CONVERSATION],
    source: 'SDKs and public pages',
  },
  { fact: 'second spelling of `access_deny`', values: [ACCESS_DENIED], source: 'SDKs' },
  { fact: 'second name of `error_code`', values: [OAUTH_ERROR], source: 'SDKs' },
  {
    fact: 'meaning of the HTTP status of an API error whose code is not known',
    values: Object.entries(ERROR_STATUSES).map(([status, code]) => `${status} ${code}`),
    source: 'this package',
  },
  {
    fact: 'most characters of a user ID in the header, and the least `duration_seconds`',
    values: [MAX_USER_ID_LENGTH, MIN_TOKEN_SECONDS].map(String),
    source: 'this package',
  },
  {
    fact: 'messages that say more than their code (regular expressions)',
    values: Object.values(MESSAGES).map(({ source }) => source),
    source: 'public pages',
  },
];

test('the page lists what is not from the specification as the code has it', () => {
  const rows = UNSPECIFIED.map(
    ({ fact, values, source }) =>
      `| ${fact} | ${values.map((value) => `\`${value}\``).join(', ')} | ${source} |`,
  );
  const table = ['| fact | values | taken from |', '| --- | --- | --- |', ...rows].join('\n');
  expect(readFileSync('docs/client.md', 'utf8')).toContain(table);
});
