import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** What is wrong with an answer, its date included, or why none comes, whichever call it is. */
export const HTTP_CODES = codesWithExit(EXIT.http, {
  'http.not-the-service': {
    title: 'The response is not from the service',
    cause:
      'The response has none of the service’s JSON envelopes: it comes from another server, a captive portal or a firewall.',
    remedy:
      'Check the base URL, the TLS server name, and which endpoint service the endpoint belongs to.',
  },
  'http.too-long': {
    title: 'The stream is longer than the client reads',
    cause: 'One event of the stream, or the stream as a whole, is longer than any chat answer.',
    remedy:
      'Ask for less in one chat, or read it with `startChat` and `waitForChat`; if it persists, look for a gateway that answers in the service’s place.',
  },
  'http.redirect': {
    title: 'The server redirects',
    cause:
      'The service’s API never redirects; another server answers, or the scheme of the base URL is wrong. The redirect was not followed.',
    remedy: 'Check the base URL; the location is in the evidence.',
  },
  'http.server-error': {
    title: 'The server reports an error of its own',
    cause: 'A gateway or the service answers with a 5xx status.',
    remedy: 'Try again later; if it persists, quote the log id to the service’s support.',
    isRetryable: true,
  },
  'http.rate-limited': {
    title: 'Too many requests',
    cause: 'A gateway in front of the service, or the service, limits how often it may be called.',
    remedy:
      'Wait and try again; if it persists, find out from the body in the evidence who limits it.',
    isRetryable: true,
  },
  'http.timeout': {
    title: 'The request gets no answer',
    cause: 'The connection works, but no complete answer came in time.',
    remedy: 'Try again later; if it persists, look for a gateway without a healthy target.',
    isRetryable: true,
  },
  'http.reset': {
    title: 'The connection is cut off during the request',
    cause: 'The connection was closed before a complete answer came.',
    remedy:
      'Try again later; if it persists, look for a gateway or filter that closes connections.',
    isRetryable: true,
  },
  'service.call-lost': {
    title: 'The service leaves a call unanswered',
    cause:
      'The fault is on the provider’s side: the service answers other calls over the same path.',
    remedy:
      'Try again later; if it persists, quote the time and the log id in the evidence to the service’s support.',
    isRetryable: true,
  },
  'clock.skew': {
    title: 'The clocks differ',
    cause: 'The clock of this machine and the clock of the server are more than 5 s apart.',
    remedy: 'Synchronize this machine’s clock (NTP); a JWT is valid only for a limited time.',
    exit: EXIT.strictWarning,
  },
  'clock.far-off': {
    title: 'The clocks are more than 60 s apart',
    cause:
      'The service issued a token anyway, but the clocks of this machine and of the server are so far apart that other clients, or the next JWT, may be refused.',
    remedy:
      'Synchronize this machine’s clock (NTP); until then, check the link with --use-server-time.',
    exit: EXIT.clock,
  },
});
