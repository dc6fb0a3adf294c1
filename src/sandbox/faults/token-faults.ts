import type { Fault } from './fault.js';

/** Faults in what the token endpoint answers. */
export const TOKEN_FAULTS = [
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
