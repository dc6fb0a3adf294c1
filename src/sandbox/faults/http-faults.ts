import type { Fault } from './fault.js';

const HTML = { 'content-type': 'text/html' } as const;
const TEXT = { 'content-type': 'text/plain' } as const;
const PAGE = '<!doctype html><title>Welcome</title><h1>It works!</h1>\n';
const PORTAL = 'https://portal.sandbox.example/login';

/** Faults in what answers over HTTP, whatever is called. */
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
] as const satisfies readonly Fault[];
