import type { Fault } from './fault.js';

const HTML = { 'content-type': 'text/html' } as const;
const TEXT = { 'content-type': 'text/plain' } as const;
const JSON_TYPE = { 'content-type': 'application/json' } as const;
const BLOCK_PAGE = '<!doctype html><title>403 Forbidden</title><h1>Request blocked</h1>\n';

/** Faults in what answers to calls with a token; a chat is one that only some checks make. */
export const API_FAULTS = [
  {
    name: 'gateway-page',
    strikes: 'workspaces',
    standIn: { to: 'calls-with-token', answer: { status: 403, headers: HTML, body: BLOCK_PAGE } },
    about: 'a gateway answers calls that have a token with its own page and status 403',
    code: 'api.not-the-service',
    causes: ['path.gateway'],
    never: ['api.permission', 'api.token-rejected', 'token.invalid-client'],
  },
  {
    name: 'gateway-unauthorized',
    strikes: 'workspaces',
    standIn: {
      to: 'calls-with-token',
      answer: { status: 401, headers: JSON_TYPE, body: '{"code":401,"msg":"Unauthorized"}' },
    },
    about: 'a gateway answers calls that have a token with status 401 and its own JSON',
    code: 'api.not-the-service',
    causes: ['path.gateway'],
    never: ['api.permission', 'api.token-rejected', 'token.invalid-client'],
  },
  {
    name: 'permission-missing',
    strikes: 'workspaces',
    about: 'the application may not list workspaces',
    code: 'api.permission',
    never: ['api.token-rejected', 'token.invalid-client', 'api.not-the-service', 'path.gateway'],
  },
  {
    name: 'not-authorized',
    strikes: 'workspaces',
    about: 'the application has its permissions, but nobody confirmed the authorization',
    code: 'api.permission',
    never: ['api.token-rejected', 'token.invalid-client'],
  },
  {
    name: 'rate-limited',
    strikes: 'workspaces',
    about: 'the API is called too often, and asks callers to wait for 3 seconds',
    code: 'api.rate-limited',
    never: ['token.rate-limited', 'api.unknown-error'],
  },
  {
    name: 'token-rejected',
    strikes: 'workspaces',
    about: 'the API does not accept the token',
    code: 'api.token-rejected',
    never: ['api.permission', 'token.invalid-client', 'api.not-the-service', 'path.gateway'],
  },
  {
    name: 'api-server-error',
    strikes: 'workspaces',
    standIn: {
      to: 'calls-with-token',
      answer: { status: 502, headers: TEXT, body: 'Bad Gateway\n' },
    },
    about: 'the API answers 502 to calls with a token',
    code: 'api.server-error',
    never: ['http.server-error', 'api.unknown-error'],
  },
  {
    name: 'api-silent',
    strikes: 'workspaces',
    standIn: { to: 'calls-with-token', answer: 'none' },
    about: 'the API accepts calls with a token but does not answer',
    code: 'api.timeout',
    never: ['http.timeout', 'tls.timeout'],
  },
  {
    name: 'api-reset',
    strikes: 'workspaces',
    standIn: { to: 'calls-with-token', answer: 'connection-cut' },
    about: 'the connection closes after its first answer, and again when the call is repeated',
    code: 'api.reset',
    never: ['http.reset', 'tcp.refused', 'tls.reset', 'api.timeout', 'token.invalid-client'],
  },
  {
    name: 'no-workspaces',
    strikes: 'workspaces',
    about: 'the application sees no workspace',
    code: 'api.no-workspaces',
    never: ['api.permission', 'api.other-enterprise', 'api.unexpected-answer'],
  },
  {
    name: 'other-enterprise',
    strikes: 'workspaces',
    about: 'the workspaces are those of another enterprise',
    code: 'api.other-enterprise',
    never: ['api.permission', 'api.no-workspaces', 'api.unexpected-answer'],
  },
  {
    name: 'chat-permission-missing',
    strikes: 'chat',
    about: 'the application may list workspaces but not chat',
    code: 'chat.permission',
    never: ['api.permission', 'chat.token-rejected'],
  },
  {
    name: 'chat-failed',
    strikes: 'chat',
    about: 'the chat starts and then fails',
    code: 'chat.failed',
    never: ['chat.timeout', 'chat.no-answer'],
  },
  {
    name: 'chat-endless',
    strikes: 'chat',
    about: 'the chat stays in progress',
    code: 'chat.timeout',
    never: ['chat.failed', 'chat.no-answer'],
  },
  {
    name: 'chat-no-answer',
    strikes: 'chat',
    about: 'the chat is completed without an answer',
    code: 'chat.no-answer',
    never: ['chat.failed', 'chat.timeout'],
  },
  {
    name: 'chat-question-listed',
    strikes: 'chat',
    about: "the message list contains the user's question",
    code: 'chat.question-listed',
    never: ['chat.no-answer', 'chat.failed'],
  },
] as const satisfies readonly Fault[];
