import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of an answer, its date included, or why none comes, whichever call it is. */
export const HTTP_CODES = codesWithExit(EXIT.http, {
  'http.unexpected-answer': {
    title: 'The response has an unexpected format',
    cause:
      'The response is not in the service’s JSON format. TLS shows only who holds the certificate; over plain HTTP, or where an added authority is trusted, nothing shows who answers. The evidence `sender` says which it is.',
    remedy:
      'Read the body in the evidence, which often says who sent it; check the base URL, the TLS server name, and which endpoint service the endpoint belongs to.',
    withoutEndpoint: {
      remedy:
        'Read the body in the evidence, which often says who sent it; check the base URL and the TLS server name.',
    },
  },
  'http.captive-portal': {
    title: 'A network login is required',
    cause:
      'Status 511: a captive portal, which controls access to the network, answers in place of the host until somebody has logged in.',
    remedy:
      'Log in to the network, or run the check from a network without such a portal; the evidence may name the login page.',
  },
  'http.cut-short': {
    title: 'The response breaks off',
    cause:
      'The response began and did not reach its end: the connection was closed, or went silent, before all bytes came that its head declares.',
    remedy:
      'Compare the bytes in the evidence with what the sender logs: a wrong `content-length`, a server that stops in the middle, or a path that loses large packets.',
    isRetryable: true,
  },
  'http.too-long': {
    title: 'The response is longer than this program reads',
    cause:
      'The response, its head, or one event of a stream is longer than the limit of this program, which no known answer of the service comes near.',
    remedy:
      'The limit is in the evidence. For a chat, ask for less at once; otherwise find out from the beginning of the response who sends it.',
  },
  'http.redirect': {
    title: 'The server redirects',
    cause:
      'The service’s API never redirects; another server answers, or the scheme or the host of the base URL is wrong. The redirect was not followed.',
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
    isOfTime: true,
  },
  'http.reset': {
    title: 'The connection is cut off during the request',
    cause: 'The connection was closed before a complete answer came.',
    remedy:
      'Try again later; if it persists, look for a gateway or filter that closes connections.',
    isRetryable: true,
    isOfTime: true,
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
