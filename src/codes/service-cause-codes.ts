import { type CodeFacts, EXIT } from './code-facts.js';

/** Causes that lie with what is asked of the service. */
export const SERVICE_CAUSE_CODES = {
  'tls.server-name': {
    title: 'The certificate is for the API host',
    cause: 'The service answers, but another name than its API host was sent and verified.',
    remedy: 'Set `tlsServerName` (--tls-server-name) to the API host.',
    kind: 'final',
    exit: EXIT.tls,
  },
  'token.audience': {
    title: 'The audience of the JWT is not the API host of the service',
    cause:
      'The API host that was given, which the JWT names as its audience (`aud`), is not the one of the service: often it was taken from the base URL.',
    remedy:
      'Set the API host (`apiHost`, --api-host) to the service’s public one, whatever host the base URL has.',
    kind: 'final',
    exit: EXIT.token,
  },
  'service.call-lost': {
    title: 'The service leaves a call without answer',
    cause:
      'The fault is on the provider’s side: over the same way the service answers other calls.',
    remedy:
      'Try again later; if it stays, quote the time and the log id of the evidence to the service’s support.',
    kind: 'retryable',
    exit: EXIT.http,
  },
  'token.region': {
    title: 'The API host is the one of another region',
    cause: 'Application, key and token belong to the region or site that they were made in.',
    remedy: 'Check that API host, base URL and console are of the same region.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.key-pair': {
    title: 'Key ID and private key are not one pair of the application',
    cause:
      'The key ID is not the fingerprint of the public key, the key was deleted, or the private key is another one.',
    remedy:
      'Copy the fingerprint from the application’s edit page; if in doubt, make a new key pair.',
    look: 'the public keys on the application’s edit page',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.app-id': {
    title: 'The application ID is another application’s',
    cause: 'The key is registered, but for another application.',
    remedy: 'Copy the application ID from the page that shows the key’s fingerprint.',
    kind: 'final',
    exit: EXIT.token,
  },
  'token.enterprise': {
    title: 'The enterprise ID is not right',
    cause: 'The enterprise ID, or the type of the application, does not fit the token path.',
    remedy:
      'Copy the enterprise ID from organization settings; the application must be an enterprise privileged app.',
    kind: 'final',
    exit: EXIT.token,
  },
} as const satisfies Record<string, CodeFacts>;
