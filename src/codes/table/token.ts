import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for answers to the token call, from the service or something in its place. */
export const TOKEN_CODES = codesWithExit(EXIT.token, {
  'token.audience': {
    title: 'The audience of the JWT is not the API host of the service',
    cause:
      'The given API host, which the JWT names as its audience (`aud`), is not that of the service; often it was taken from the base URL.',
    remedy:
      'Set the API host (`apiHost`, --api-host) to the service’s public API host, whichever host the base URL has.',
  },
  'token.region': {
    title: 'The API host belongs to another region',
    cause:
      'By the service’s public pages, an application, its keys and its tokens belong to the region or site that they were created in.',
    remedy: 'Check that the API host, the base URL and the console belong to the same region.',
  },
  'token.key-pair': {
    title: 'The key ID and the private key are not a pair of this application',
    cause:
      'The key ID is not the fingerprint of the public key, the key was deleted, or the private key is a different one.',
    remedy:
      'Copy the fingerprint from the application’s edit page; if in doubt, create a new key pair.',
    inspect: 'the public keys on the application’s edit page',
  },
  'token.app-id': {
    title: 'The application ID belongs to another application',
    cause: 'The key is registered, but for another application.',
    remedy: 'Copy the application ID from the page that shows the key’s fingerprint.',
  },
  'token.enterprise': {
    title: 'The enterprise ID is wrong',
    cause:
      'The enterprise ID, which is part of the path of the token call, is not that of the application’s enterprise.',
    remedy: 'Copy the enterprise ID from the organization settings.',
  },
  'token.invalid-request': {
    title: 'The service rejects the token request',
    cause: 'A parameter of the token request is wrong; the service’s message names it.',
    remedy: 'Read the service’s message; check the enterprise ID and the requested duration.',
    isRefusal: true,
  },
  'token.invalid-client': {
    title: 'The service rejects the JWT',
    cause:
      'The key ID, private key, application ID and audience do not belong together, the time of the JWT is wrong by the server’s clock, or, by the service’s public pages, the API host belongs to another region.',
    remedy:
      'Read the service’s message; check that the key ID and the private key are a pair of this application, then the API host and its region.',
    isRefusal: true,
  },
  'token.kid-unknown': {
    title: 'The service does not know the key ID',
    cause:
      'The key ID is not the fingerprint of the public key, the key was deleted, or, by the service’s public pages, the API host belongs to another region.',
    remedy:
      'Copy the fingerprint from the application’s edit page; if it is the same, check the API host and its region.',
    isRefusal: true,
  },
  'token.clock-skew': {
    title: 'The JWT is expired or not yet valid by the server’s clock',
    cause:
      'The clocks of this machine and of the server differ: by the server’s clock, the JWT has expired or is not valid yet.',
    remedy: 'Synchronize this machine’s clock (NTP).',
    isRefusal: true,
  },
  'token.unsupported-grant-type': {
    title: 'The service does not support the grant type',
    cause:
      'The server does not support the JWT grant: it may be a different version or a different product.',
    remedy: 'Check the base URL and that the application is an enterprise privileged app.',
    isRefusal: true,
  },
  'token.app-deactivated': {
    title: 'The application is deactivated',
    cause: 'The owner has deactivated the OAuth application.',
    remedy: 'Enable the application in the console.',
    isRefusal: true,
  },
  'token.app-type': {
    title: 'The application has the wrong type',
    cause: 'The service says that the type of the OAuth application is wrong.',
    remedy: 'Use an application of type enterprise privileged app.',
    isRefusal: true,
  },
  'token.login-session': {
    title: 'The login session is invalid',
    cause: 'The service says that a login state is invalid.',
    remedy: 'Log in to the console again.',
    isRefusal: true,
  },
  'token.access-denied': {
    title: 'The service denies access',
    cause: 'The service refuses this application; its message may give the reason.',
    remedy:
      'Enable the application in the console; if it is enabled, read the service’s message and check the type and the authorization of the application.',
    isRefusal: true,
  },
  'token.not-found': {
    title: 'The service does not know the token path',
    cause:
      'The token call ends with HTTP 404, whose meaning the specification does not show. The enterprise ID is part of the path of the call.',
    remedy: 'Check the enterprise ID (organization settings) and the type of the application.',
    isRefusal: true,
  },
  'token.rate-limited': {
    title: 'Too many token requests',
    cause:
      'A gateway in front of the service, or the service, limits how often tokens may be requested.',
    remedy: 'Wait and try again; keep a token until shortly before it expires.',
    isRetryable: true,
  },
  'token.internal-error': {
    title: 'The service failed to issue a token',
    cause:
      'The service reports an internal error, or it or a gateway in front of it answers the token call with a 5xx status.',
    remedy: 'Try again later; if it persists, quote the log id to the service’s support.',
    isRetryable: true,
  },
  'token.unexpected-answer': {
    title: 'The response to the token call has an unexpected format',
    cause:
      'The response has neither a token that can be used nor an error in the service’s JSON format. The evidence says how it differs, and in `sender` who sent it, as far as TLS shows that.',
    remedy:
      'Read the body in the evidence, which often says who sent it; have the call allowed there, or quote the log id to the service’s support.',
  },
  'token.odd-answer': {
    title: 'The response to the token call contradicts itself',
    cause:
      'The response holds a token and, beside it, something that says otherwise; the evidence names it. The token was tried all the same.',
    remedy:
      'Quote the log id to the service’s support: other clients may refuse the token, or ask for a new one at each call.',
    exit: EXIT.strictWarning,
  },
  'token.expired': {
    title: 'The token was expired when it was issued',
    cause:
      'The time in `expires_in` was over when the token came, by the clocks of the server and of this machine, and the API does not accept the token.',
    remedy:
      'Quote the log id to the service’s support; if a gateway in between keeps answers, have it pass the token call on.',
  },
  'token.unknown-error': {
    title: 'The token call fails for an unknown reason',
    cause: 'The service answers with an unrecognized error code.',
    remedy: 'Read the service’s message; quote it and the log id to the service’s support.',
  },
});
