import type { Code } from '../codes/codes.js';

/** The part of the way to the service that a fault strikes. */
export type Struck = 'dns' | 'address' | 'tcp' | 'tls' | 'http' | 'token' | 'workspaces' | 'chat';

/** Something that can be wrong in the sandbox's world, so that a check must fail, and with what. */
export interface Fault {
  readonly name: string;
  readonly strikes: Struck;
  readonly about: string;
  /** The code that a check must give. */
  readonly code: Code;
  /** Codes that would send its reader the wrong way. */
  readonly never: readonly Code[];
}

/** Every fault that the sandbox can have. */
export const FAULTS = [
  {
    name: 'dns-missing',
    strikes: 'dns',
    about: 'the endpoint domain does not exist',
    code: 'dns.not-found',
    never: ['dns.timeout', 'dns.server-failed', 'tcp.timeout'],
  },
  {
    name: 'dns-silent',
    strikes: 'dns',
    about: 'the DNS server does not answer',
    code: 'dns.timeout',
    never: ['dns.not-found', 'dns.server-failed', 'tcp.timeout'],
  },
  {
    name: 'dns-server-failed',
    strikes: 'dns',
    about: 'the DNS server answers SERVFAIL',
    code: 'dns.server-failed',
    never: ['dns.not-found', 'dns.timeout'],
  },
  {
    name: 'address-public',
    strikes: 'address',
    about: 'DNS answers a public address',
    code: 'address.public',
    never: ['address.unexpected', 'tcp.timeout'],
  },
  {
    name: 'address-unexpected',
    strikes: 'address',
    about: "DNS answers another private address than the endpoint's",
    code: 'address.unexpected',
    never: ['address.public', 'tcp.timeout'],
  },
  {
    name: 'tcp-refused',
    strikes: 'tcp',
    about: 'nothing listens on the port',
    code: 'tcp.refused',
    never: ['tcp.timeout', 'tls.timeout'],
  },
  {
    name: 'tcp-silent',
    strikes: 'tcp',
    about: 'packets are lost on the way',
    code: 'tcp.timeout',
    never: ['tcp.refused', 'tls.timeout', 'dns.timeout'],
  },
  {
    name: 'security-group-closed',
    strikes: 'tcp',
    about: "the endpoint's security group lets nobody in",
    code: 'tcp.timeout',
    never: ['tcp.refused', 'tls.timeout', 'dns.not-found'],
  },
  {
    name: 'pending-acceptance',
    strikes: 'dns',
    about: "the endpoint's connection waits for acceptance",
    code: 'dns.not-found',
    never: ['dns.timeout', 'tcp.timeout'],
  },
  {
    name: 'tls-untrusted',
    strikes: 'tls',
    about: 'the certificate comes from another authority',
    code: 'tls.untrusted',
    never: ['tls.name-mismatch', 'tls.expired', 'tls.failed'],
  },
  {
    name: 'tls-expired',
    strikes: 'tls',
    about: 'the certificate has expired',
    code: 'tls.expired',
    never: ['tls.untrusted', 'tls.name-mismatch', 'tls.failed'],
  },
  {
    name: 'tls-not-yet-valid',
    strikes: 'tls',
    about: 'the certificate is not valid yet',
    code: 'tls.not-yet-valid',
    never: ['tls.untrusted', 'tls.expired', 'tls.failed'],
  },
  {
    name: 'tls-wrong-name',
    strikes: 'tls',
    about: 'the certificate is for another name',
    code: 'tls.name-mismatch',
    never: ['tls.untrusted', 'tls.expired', 'tls.failed'],
  },
  {
    name: 'tls-silent',
    strikes: 'tls',
    about: 'the connection opens and the handshake gets no answer',
    code: 'tls.timeout',
    never: ['tcp.timeout', 'http.timeout'],
  },
  {
    name: 'tls-reset',
    strikes: 'tls',
    about: 'the connection is cut in the handshake',
    code: 'tls.reset',
    never: ['tcp.refused', 'tls.timeout', 'http.reset'],
  },
  {
    name: 'plain-http-on-443',
    strikes: 'tls',
    about: 'the port speaks plain HTTP',
    code: 'tls.not-tls',
    never: ['tls.timeout', 'tls.untrusted', 'tls.failed', 'http.not-the-service'],
  },
  {
    name: 'not-the-service',
    strikes: 'http',
    about: 'a web page answers in place of the service',
    code: 'http.not-the-service',
    never: ['token.invalid-client', 'token.unknown-error'],
  },
  {
    name: 'http-redirect',
    strikes: 'http',
    about: 'a redirect answers in place of the service',
    code: 'http.redirect',
    never: ['token.invalid-client', 'token.unknown-error'],
  },
  {
    name: 'server-error',
    strikes: 'http',
    about: 'the service answers 503',
    code: 'http.server-error',
    never: ['http.not-the-service', 'token.internal-error', 'token.unknown-error'],
  },
  {
    name: 'http-silent',
    strikes: 'http',
    about: 'the service takes the request and does not answer',
    code: 'http.timeout',
    never: ['tls.timeout', 'tcp.timeout', 'api.timeout'],
  },
  {
    name: 'clock-skew',
    strikes: 'token',
    about: "the service's clock is 10 minutes behind",
    code: 'token.clock-skew',
    never: ['token.invalid-client', 'token.kid-unknown'],
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
    about: 'the token endpoint fails inside',
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
    about: 'the token endpoint is called too often',
    code: 'token.rate-limited',
    never: ['api.rate-limited', 'token.unknown-error'],
  },
  {
    name: 'permission-missing',
    strikes: 'workspaces',
    about: 'the application may not list workspaces',
    code: 'api.permission',
    never: ['api.token-rejected', 'token.invalid-client'],
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
    about: 'the API is called too often',
    code: 'api.rate-limited',
    never: ['token.rate-limited', 'api.unknown-error'],
  },
  {
    name: 'token-rejected',
    strikes: 'workspaces',
    about: 'the API does not accept the token',
    code: 'api.token-rejected',
    never: ['api.permission', 'token.invalid-client'],
  },
  {
    name: 'api-server-error',
    strikes: 'workspaces',
    about: 'the API answers 502',
    code: 'api.server-error',
    never: ['http.server-error', 'api.unknown-error'],
  },
  {
    name: 'api-silent',
    strikes: 'workspaces',
    about: 'the API takes the request and does not answer',
    code: 'api.timeout',
    never: ['http.timeout', 'tls.timeout'],
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
    about: "the message list holds the user's question",
    code: 'chat.question-listed',
    never: ['chat.no-answer', 'chat.failed'],
  },
] as const satisfies readonly Fault[];

export type FaultName = (typeof FAULTS)[number]['name'];

export function isFaultName(text: string): text is FaultName {
  return FAULTS.some(({ name }) => name === text);
}
