import { faultsOf } from './fault.js';

const HTML = { 'content-type': 'text/html' } as const;
const TEXT = { 'content-type': 'text/plain' } as const;
const JSON_TYPE = { 'content-type': 'application/json' } as const;
const PAGE = '<!doctype html><title>Welcome</title><h1>It works!</h1>\n';
const PORTAL = 'https://portal.sandbox.example/login';
const BLOCK_PAGE = '<!doctype html><title>403 Forbidden</title><h1>Request blocked</h1>\n';

/** Faults in what answers over HTTP, whatever is called. */
export const HTTP_FAULTS = faultsOf({ strikes: 'http' }, [
  {
    name: 'not-the-service',
    standIn: { to: 'every-call', answer: { status: 200, headers: HTML, body: PAGE } },
    about: 'the response is a web page, not from the service',
    code: 'http.unexpected-answer',
    never: [
      'token.invalid-client',
      'api.unknown-error: token call',
      'api.permission',
      'api.token-rejected',
    ],
  },
  {
    name: 'http-redirect',
    standIn: { to: 'every-call', answer: { status: 302, headers: { location: PORTAL } } },
    about: 'the response is a redirect, not from the service',
    code: 'http.unexpected-answer: redirect',
    never: ['token.invalid-client', 'api.unknown-error: token call'],
  },
  {
    name: 'server-error',
    standIn: {
      to: 'every-call',
      answer: { status: 503, headers: TEXT, body: 'Service Unavailable\n' },
    },
    about: 'the service answers 503',
    code: 'http.server-error',
    never: [
      'http.unexpected-answer',
      'http.server-error: token call',
      'api.unknown-error: token call',
    ],
  },
  {
    name: 'http-silent',
    standIn: { to: 'every-call', answer: 'none' },
    about: 'the service accepts the request but does not answer',
    code: 'http.timeout',
    never: ['tls.timeout', 'tcp.timeout'],
  },
  {
    name: 'zone-http-silent',
    about: 'the last zone of the endpoint accepts the request but does not answer',
    code: 'http.timeout',
    never: ['tcp.timeout', 'tls.timeout', 'path.mtu'],
  },
  {
    name: 'large-requests-lost',
    listener: 'sizeLimited',
    about: 'anything larger than a small request is lost on the path',
    code: 'http.timeout',
    causes: ['path.mtu'],
    never: ['tcp.timeout', 'tls.timeout', 'server.no-target'],
  },
]);

export const TOKEN_FAULTS = faultsOf({ strikes: 'token' }, [
  {
    name: 'clock-skew',
    about: "the service's clock is 10 minutes behind",
    code: 'host.clock: JWT out of time',
    never: ['token.invalid-client', 'token.invalid-client: unknown key ID'],
  },
  {
    name: 'clock-ahead',
    about: "the service's clock is 2 minutes ahead, and it issues a token anyway",
    code: 'host.clock: 60 s',
    never: ['host.clock: JWT out of time', 'token.invalid-client'],
  },
  {
    name: 'app-deactivated',
    about: 'the OAuth application is deactivated',
    code: 'token.application: deactivated',
    never: ['token.application', 'token.invalid-client'],
  },
  {
    name: 'app-type',
    about: 'the OAuth application is of the wrong type',
    code: 'token.application: wrong type',
    never: ['token.application', 'token.invalid-client', 'api.unknown-error: token call'],
  },
  {
    name: 'login-session',
    about: 'the login session is invalid',
    code: 'token.application: login session',
    never: ['token.application', 'token.invalid-client', 'api.unknown-error: token call'],
  },
  {
    name: 'kid-unknown',
    about: 'the public key is not registered',
    code: 'token.invalid-client: unknown key ID',
    never: ['token.invalid-client', 'host.clock: JWT out of time'],
  },
  {
    name: 'token-internal-error',
    about: 'the token endpoint reports an internal error',
    code: 'http.server-error: token call',
    never: ['http.server-error', 'http.unexpected-answer'],
  },
  {
    name: 'invalid-request',
    about: 'the token endpoint does not know the enterprise',
    code: 'api.invalid-request: token call',
    never: ['token.invalid-client', 'http.unexpected-answer'],
  },
  {
    name: 'unsupported-grant',
    about: 'the grant type is not supported',
    code: 'token.application: grant type',
    never: ['api.invalid-request: token call', 'token.invalid-client'],
  },
  {
    name: 'token-rate-limited',
    about: 'the token endpoint is called too often, and asks callers to wait for 3 seconds',
    code: 'http.rate-limited: token call',
    never: ['http.rate-limited', 'api.unknown-error: token call'],
  },
  {
    name: 'token-truncated',
    about: 'the answer with the token is cut in the middle',
    code: 'http.unexpected-answer: token call',
    never: ['token.invalid-client', 'api.unknown-error: token call', 'path.gateway'],
  },
]);

export const WORKSPACES_FAULTS = faultsOf({ strikes: 'workspaces' }, [
  {
    name: 'gateway-page',
    standIn: { to: 'calls-with-token', answer: { status: 403, headers: HTML, body: BLOCK_PAGE } },
    about: 'a gateway answers calls that have a token with its own page and status 403',
    code: 'http.unexpected-answer: API call',
    causes: ['path.gateway'],
    never: ['api.permission', 'api.token-rejected', 'token.invalid-client'],
  },
  {
    name: 'gateway-unauthorized',
    standIn: {
      to: 'calls-with-token',
      answer: { status: 401, headers: JSON_TYPE, body: '{"code":401,"msg":"Unauthorized"}' },
    },
    about: 'a gateway answers calls that have a token with status 401 and its own JSON',
    code: 'http.unexpected-answer: API call',
    causes: ['path.gateway'],
    never: ['api.permission', 'api.token-rejected', 'token.invalid-client'],
  },
  {
    name: 'permission-missing',
    about: 'the application may not list workspaces',
    code: 'api.permission',
    never: [
      'api.token-rejected',
      'token.invalid-client',
      'http.unexpected-answer: API call',
      'path.gateway',
    ],
  },
  {
    name: 'not-authorized',
    about: 'the application has its permissions, but nobody confirmed the authorization',
    code: 'api.permission',
    never: ['api.token-rejected', 'token.invalid-client'],
  },
  {
    name: 'rate-limited',
    about: 'the API is called too often, and asks callers to wait for 3 seconds',
    code: 'http.rate-limited',
    never: ['http.rate-limited: token call', 'api.unknown-error'],
  },
  {
    name: 'token-rejected',
    about: 'the API does not accept the token',
    code: 'api.token-rejected',
    never: ['api.permission', 'token.invalid-client', 'http.unexpected-answer: API call'],
  },
  {
    name: 'api-server-error',
    standIn: {
      to: 'calls-with-token',
      answer: { status: 502, headers: TEXT, body: 'Bad Gateway\n' },
    },
    about: 'the API answers 502 to calls with a token',
    code: 'http.server-error',
    never: ['api.unknown-error'],
  },
  {
    name: 'api-silent',
    standIn: { to: 'calls-with-token', answer: 'none' },
    about: 'the API accepts calls with a token but does not answer',
    code: 'http.timeout',
    never: ['tls.timeout'],
  },
  {
    name: 'api-reset',
    standIn: { to: 'calls-with-token', answer: 'connection-cut' },
    about: 'the connection closes after its first answer, and again when the call is repeated',
    code: 'http.reset',
    never: ['tcp.refused', 'tls.reset', 'http.timeout', 'token.invalid-client'],
  },
  {
    name: 'no-workspaces',
    about: 'the application sees no workspace',
    code: 'api.permission: no workspace',
    never: [
      'api.permission',
      'api.permission: another enterprise',
      'http.unexpected-answer: API call',
    ],
  },
  {
    name: 'other-enterprise',
    about: 'the workspaces are those of another enterprise',
    code: 'api.permission: another enterprise',
    never: ['api.permission', 'api.permission: no workspace', 'http.unexpected-answer: API call'],
  },
]);
