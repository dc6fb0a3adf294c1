import { type CodeFacts, EXIT } from './code-facts.js';

/** What the service, or what stands in its place, can answer. */
export const SERVICE_CODES = {
  'http.not-the-service': {
    title: 'The response is not from the service',
    cause:
      'The answer has none of the service’s JSON envelopes: another server, a captive portal or a firewall.',
    remedy: 'Check base URL, TLS server name and the endpoint service of the endpoint.',
    kind: 'final',
    exit: EXIT.http,
  },
  'http.too-long': {
    title: 'The stream is longer than the client reads',
    cause:
      'One event of the stream, or the stream as a whole, is longer than any answer of a chat.',
    remedy:
      'Ask for less in one chat, or read it with `startChat` and `waitForChat`; if it stays, look for a gateway that answers in the service’s place.',
    kind: 'final',
    exit: EXIT.http,
  },
  'http.redirect': {
    title: 'The server redirects',
    cause:
      'The service’s API never redirects; another server answers, or the scheme of the base URL is wrong. The redirect was not followed.',
    remedy: 'Check the base URL; the location is in the evidence.',
    kind: 'final',
    exit: EXIT.http,
  },
  'http.server-error': {
    title: 'The server reports an error of its own',
    cause: 'A gateway or the service answers with a 5xx status.',
    remedy: 'Try again later; if it stays, quote the log id to the service’s support.',
    kind: 'retryable',
    exit: EXIT.http,
  },
  'http.timeout': {
    title: 'The request gets no answer',
    cause: 'The connection works, but no complete answer came in time.',
    remedy: 'Try again later; if it stays, look for a gateway without a healthy target.',
    kind: 'retryable',
    exit: EXIT.http,
  },
  'http.reset': {
    title: 'The connection is cut off during the request',
    cause: 'The connection was closed before a complete answer came.',
    remedy: 'Try again later; if it stays, look for a gateway or filter that closes connections.',
    kind: 'retryable',
    exit: EXIT.http,
  },
  'clock.skew': {
    title: 'The clocks differ',
    cause: 'The clock of this machine and the clock of the server are more than 5 s apart.',
    remedy: 'Synchronise this machine’s clock (NTP); a JWT is only valid in its time.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'clock.far-off': {
    title: 'The clocks are more than 60 s apart',
    cause:
      'The service gave a token all the same, but the clocks of this machine and of the server are so far apart that other clients, or the next JWT, may be refused.',
    remedy:
      'Synchronise this machine’s clock (NTP); until then --use-server-time checks the link all the same.',
    kind: 'final',
    exit: EXIT.clock,
  },
  'token.invalid-request': {
    title: 'The service rejects the token request',
    cause: 'A parameter of the token request is wrong; the service names it.',
    remedy: 'Check the enterprise ID and the requested duration.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.invalid-client': {
    title: 'The service rejects the JWT',
    cause:
      'Application ID, key ID, private key and audience do not belong together, or the API host is the one of another region.',
    remedy:
      'Check the API host and its region first, then that key ID and private key are one pair of this application.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.kid-unknown': {
    title: 'The service does not know the key ID',
    cause:
      'The API host is the one of another region, the key ID is not the fingerprint of the public key, or the key was deleted.',
    remedy:
      'Check the API host and its region first, then copy the fingerprint from the application’s edit page.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.clock-skew': {
    title: 'The JWT is outside its time by the server’s clock',
    cause:
      'The clocks of this machine and of the server differ: by the server’s clock the JWT has expired or is not valid yet.',
    remedy:
      'Synchronise this machine’s clock (NTP); until then --use-server-time checks the link all the same.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.unsupported-grant-type': {
    title: 'The service does not support the grant type',
    cause: 'The server knows no JWT grant: it may be another version or another product.',
    remedy: 'Check the base URL and that the application is an enterprise privileged app.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.app-deactivated': {
    title: 'The application is deactivated',
    cause: 'The owner has deactivated the OAuth application.',
    remedy: 'Enable the application in the console.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.app-type': {
    title: 'The application has the wrong type',
    cause: 'The OAuth application is not an enterprise privileged app.',
    remedy: 'Use an application of the type enterprise privileged app.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.login-session': {
    title: 'The login session is invalid',
    cause: 'The login state that the application depends on is no longer valid.',
    remedy: 'Log in to the console again.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.access-denied': {
    title: 'The service denies access',
    cause: 'The service refuses this application, for the reason that it states if it states one.',
    remedy:
      'Enable the application in the console; if it is enabled, read the service’s message and check the type and the authorization of the application.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.not-found': {
    title: 'The service does not know the token path',
    cause:
      'The service is there, but has no token endpoint for this enterprise: the enterprise ID is wrong, or the application is not an enterprise privileged app.',
    remedy: 'Check the enterprise ID (organization settings) and the type of the application.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.rate-limited': {
    title: 'Too many token requests',
    cause: 'The service limits how often tokens may be requested.',
    remedy: 'Wait and try again; keep a token until shortly before it expires.',
    kind: 'retryable',
    exit: EXIT.token,
  },
  'token.internal-error': {
    title: 'The service failed to issue a token',
    cause: 'The service reports an internal error.',
    remedy: 'Try again later; if it stays, quote the log id to the service’s support.',
    kind: 'retryable',
    exit: EXIT.token,
  },
  'token.unexpected-answer': {
    title: 'The token call is answered in an unexpected form',
    cause: 'The service reports success, but no token that can be used is in its answer.',
    remedy:
      'Read what is wrong with the body in the evidence; quote the log id to the service’s support.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.not-the-service': {
    title: 'The response to the token call is not from the service',
    cause:
      'The service answers another call, but this one is answered by something that has none of its JSON envelopes: a gateway, a firewall or a proxy on the way.',
    remedy:
      'Read the body in the evidence, which mostly says who sends it; have the call allowed there.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.unknown-error': {
    title: 'The token call fails for an unknown reason',
    cause: 'The service answers with an unrecognised error code.',
    remedy: 'Read the service’s message; quote it and the log id to the service’s support.',
    kind: 'final',
    exit: EXIT.token,
  },
  'api.token-rejected': {
    title: 'The API rejects the token',
    cause: 'The token is not accepted: it belongs to another region or has expired.',
    remedy: 'Check that token call and API call go to the same region.',
    kind: 'final',
    exit: EXIT.workspaces,
  },
  'api.permission': {
    title: 'The token lacks a permission',
    cause: 'The application was not given the permission, or its authorization was not confirmed.',
    remedy:
      'Give the application the permission that the call needs (`listWorkspace`, `chat`, `getChat`, `listMessage`), and confirm its authorization in the console.',
    kind: 'final',
    exit: EXIT.workspaces,
  },
  'api.rate-limited': {
    title: 'Too many API requests',
    cause: 'The service limits how often the API may be called.',
    remedy: 'Wait and try again.',
    kind: 'retryable',
    exit: EXIT.workspaces,
  },
  'api.invalid-request': {
    title: 'The API rejects the request',
    cause: 'A parameter of the API call is wrong; the service names it.',
    remedy: 'Correct the parameter that the service’s message names.',
    kind: 'final',
    exit: EXIT.workspaces,
  },
  'api.not-found': {
    title: 'The API does not find what was asked for',
    cause:
      'The ID is wrong, belongs to another session or enterprise, or was not kept by the service.',
    remedy: 'Check the ID, and that token and ID belong to the same session.',
    kind: 'final',
    exit: EXIT.workspaces,
  },
  'api.path-not-found': {
    title: 'The API does not know the call',
    cause:
      'The service answers that it finds nothing, though the call carries no ID: something on the way changes paths, or the API is of another version.',
    remedy:
      'Check the base URL and gateways that rewrite paths; quote the log id to the service’s support.',
    kind: 'final',
    exit: EXIT.workspaces,
  },
  'api.not-the-service': {
    title: 'The response to the API call is not from the service',
    cause:
      'The answer has none of the service’s JSON envelopes: a gateway, a firewall or a proxy on the way answers this call in the service’s place.',
    remedy:
      'Read the body in the evidence, which mostly says who sends it; have the call allowed there.',
    kind: 'final',
    exit: EXIT.workspaces,
  },
  'api.unexpected-answer': {
    title: 'The API answers in an unexpected form',
    cause: 'The service reports success, but what the call is for is missing from its answer.',
    remedy: 'Quote the log id to the service’s support.',
    kind: 'final',
    exit: EXIT.workspaces,
  },
  'api.server-error': {
    title: 'The API reports an error of its own',
    cause: 'The service or a gateway answers with a 5xx status.',
    remedy: 'Try again later; if it stays, quote the log id to the service’s support.',
    kind: 'retryable',
    exit: EXIT.workspaces,
  },
  'api.timeout': {
    title: 'The API call gets no answer',
    cause: 'The token call worked, but no complete answer to the API call came in time.',
    remedy:
      'Try again later; if it stays, quote the time and the log id of the token call to the service’s support.',
    kind: 'retryable',
    exit: EXIT.workspaces,
  },
  'api.reset': {
    title: 'The connection is cut off during the API call',
    cause: 'The token call worked, but the connection was closed during the API call.',
    remedy:
      'Try again later; if it stays, quote the time and the log id of the token call to the service’s support.',
    kind: 'retryable',
    exit: EXIT.workspaces,
  },
  'api.no-workspaces': {
    title: 'No workspace is visible',
    cause: 'The API works, but the application sees no workspace.',
    remedy: 'Authorize the application for the workspaces that it shall see.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'api.other-enterprise': {
    title: 'Only workspaces of another enterprise are visible',
    cause:
      'Every workspace that the token sees belongs to another enterprise ID than the one given.',
    remedy: 'Check the enterprise ID, and what the application is authorized for.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'api.unknown-error': {
    title: 'The API call fails for an unknown reason',
    cause: 'The service answers with an unrecognised error code.',
    remedy: 'Read the service’s message; quote it and the log id to the service’s support.',
    kind: 'final',
    exit: EXIT.workspaces,
  },
} as const satisfies Record<string, CodeFacts>;
