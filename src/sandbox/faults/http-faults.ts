import type { Fault } from './fault.js';

const HTML = { 'content-type': 'text/html' } as const;
const TEXT = { 'content-type': 'text/plain' } as const;
const PAGE = '<!doctype html><title>Welcome</title><h1>It works!</h1>\n';
const PORTAL = 'https://portal.sandbox.example/login';

/** Faults in what answers over HTTP, whatever is called, and at the token endpoint. */
export const HTTP_FAULTS = [
  {
    name: 'not-the-service',
    strikes: 'http',
    standIn: { to: 'every-call', answer: { status: 200, headers: HTML, body: PAGE } },
    about: 'the response is a web page, not from the service',
    code: 'http.not-the-service',
    never: ['token.invalid-client', 'token.unknown-error', 'api.permission', 'api.token-rejected'],
  },
  {
    name: 'http-redirect',
    strikes: 'http',
    standIn: { to: 'every-call', answer: { status: 302, headers: { location: PORTAL } } },
    about: 'the response is a redirect, not from the service',
    code: 'http.redirect',
    never: ['token.invalid-client', 'token.unknown-error'],
  },
  {
    name: 'server-error',
    strikes: 'http',
    standIn: {
      to: 'every-call',
      answer: { status: 503, headers: TEXT, body: 'Service Unavailable\n' },
    },
    about: 'the service answers 503',
    code: 'http.server-error',
    never: ['http.not-the-service', 'token.internal-error', 'token.unknown-error'],
  },
  {
    name: 'http-silent',
    strikes: 'http',
    standIn: { to: 'every-call', answer: 'none' },
    about: 'the service accepts the request but does not answer',
    code: 'http.timeout',
    never: ['tls.timeout', 'tcp.timeout', 'api.timeout'],
  },
  {
    name: 'zone-http-silent',
    strikes: 'http',
    about: 'the last zone of the endpoint accepts the request but does not answer',
    code: 'http.timeout',
    never: ['tcp.timeout', 'tls.timeout', 'path.mtu'],
  },
  {
    name: 'large-requests-lost',
    strikes: 'http',
    listener: 'narrow',
    about: 'anything larger than a small request is lost on the path',
    code: 'http.timeout',
    causes: ['path.mtu'],
    never: ['tcp.timeout', 'tls.timeout', 'endpoint.no-target'],
  },
  {
    name: 'clock-skew',
    strikes: 'token',
    about: "the service's clock is 10 minutes behind",
    code: 'token.clock-skew',
    never: ['token.invalid-client', 'token.kid-unknown'],
  },
  {
    name: 'clock-ahead',
    strikes: 'token',
    about: "the service's clock is 2 minutes ahead, and it issues a token anyway",
    code: 'clock.far-off',
    never: ['token.clock-skew', 'token.invalid-client'],
  },
  {
    name: 'app-deactivated',
    strikes: 'token',
    about: 'the OAuth application is deactivated',
    code: 'token.app-deactivated',
    never: ['token.access-denied', 'token.invalid-client'],
  },
  {
    name: 'app-type',
    strikes: 'token',
    about: 'the OAuth application is of the wrong type',
    code: 'token.app-type',
    never: ['token.access-denied', 'token.invalid-client', 'token.unknown-error'],
  },
  {
    name: 'login-session',
    strikes: 'token',
    about: 'the login session is invalid',
    code: 'token.login-session',
    never: ['token.access-denied', 'token.invalid-client', 'token.unknown-error'],
  },
  {
    name: 'kid-unknown',
    strikes: 'token',
    about: 'the public key is not registered',
    code: 'token.kid-unknown',
    never: ['token.invalid-client', 'token.clock-skew'],
  },
  {
    name: 'token-internal-error',
    strikes: 'token',
    about: 'the token endpoint reports an internal error',
    code: 'token.internal-error',
    never: ['http.server-error', 'http.not-the-service'],
  },
  {
    name: 'invalid-request',
    strikes: 'token',
    about: 'the token endpoint does not know the enterprise',
    code: 'token.invalid-request',
    never: ['token.invalid-client', 'http.not-the-service'],
  },
  {
    name: 'unsupported-grant',
    strikes: 'token',
    about: 'the grant type is not supported',
    code: 'token.unsupported-grant-type',
    never: ['token.invalid-request', 'token.invalid-client'],
  },
  {
    name: 'token-rate-limited',
    strikes: 'token',
    about: 'the token endpoint is called too often, and asks callers to wait for 3 seconds',
    code: 'token.rate-limited',
    never: ['api.rate-limited', 'token.unknown-error'],
  },
  {
    name: 'token-truncated',
    strikes: 'token',
    about: 'the answer with the token is cut in the middle',
    code: 'token.not-the-service',
    causes: ['path.gateway'],
    never: ['token.invalid-client', 'token.unknown-error', 'http.not-the-service'],
  },
] as const satisfies readonly Fault[];
