import { type CodeFacts, EXIT } from '../code-facts.js';

/** What is wrong with an answer, or why none comes, whichever call it is. */
export const HTTP_CODES = {
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
      'Ask for less in one chat, or read it with `startChat` and `waitForChat`; if it persists, look for a gateway that answers in the service’s place.',
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
    remedy: 'Try again later; if it persists, quote the log id to the service’s support.',
    kind: 'retryable',
    exit: EXIT.http,
  },
  'http.timeout': {
    title: 'The request gets no answer',
    cause: 'The connection works, but no complete answer came in time.',
    remedy: 'Try again later; if it persists, look for a gateway without a healthy target.',
    kind: 'retryable',
    exit: EXIT.http,
  },
  'http.reset': {
    title: 'The connection is cut off during the request',
    cause: 'The connection was closed before a complete answer came.',
    remedy:
      'Try again later; if it persists, look for a gateway or filter that closes connections.',
    kind: 'retryable',
    exit: EXIT.http,
  },
  'service.call-lost': {
    title: 'The service leaves a call without answer',
    cause:
      'The fault is on the provider’s side: over the same path the service answers other calls.',
    remedy:
      'Try again later; if it persists, quote the time and the log id of the evidence to the service’s support.',
    kind: 'retryable',
    exit: EXIT.http,
  },
} as const satisfies Record<string, CodeFacts>;
