import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of an answer, its date included, or why none comes, whichever call it is. */
export const HTTP_CODES = codesWithExit(EXIT.http, {
  'http.unexpected-answer': {
    title: 'The response has an unexpected format',
    cause:
      'The response is not in the service’s JSON format. The evidence says how it differs, and in `sender` who sent it, as far as TLS shows that.',
    remedy:
      'Read the body in the evidence, which often says who sent it; check the base URL, the TLS server name, and which endpoint service the endpoint belongs to.',
    withoutEndpoint: {
      remedy:
        'Read the body in the evidence, which often says who sent it; check the base URL and the TLS server name.',
    },
  },
  'http.odd-answer': {
    title: 'The response to a call without credential contradicts itself',
    cause:
      'The response is in the service’s format, and the evidence names what in it stricter clients refuse.',
    remedy:
      'The link works. Have whoever answers at this address send the same as at the others, or quote the log id to the service’s support.',
    exit: EXIT.strictWarning,
  },
  'http.captive-portal': {
    title: 'A network login is required',
    cause:
      'Status 511 (RFC 6585): whoever answers controls the access to the network, as a captive portal does, and asks for a login first. The evidence `sender` says who it is, as far as TLS shows that.',
    remedy:
      'Log in to the network, or run the check from a network without such a portal; the evidence may name the login page.',
  },
  'http.request-timeout': {
    title: 'The server got no whole request in time',
    cause:
      'Status 408 (RFC 9110, 15.5.9): whoever answers waited for a request on this connection and got none, or not all of it. Servers end an idle connection so, perhaps before the request was sent; or the end of the request is lost on the path. The evidence `sender` says who it is, as far as TLS shows that.',
    remedy:
      'Try again; if it persists, compare the time that the server, or the gateway in front of it, waits for requests with the times in the report, and look at the path MTU towards it.',
    isRetryable: true,
    isOfTime: true,
  },
  'http.proxy-login': {
    title: 'A proxy asks for a login',
    cause:
      'Status 407 (RFC 9110, 15.5.8), which only proxies send: one that intercepts the call, or stands in front of the service, passes on only what has its own credentials. The evidence `sender` says who it is, as far as TLS shows that.',
    remedy:
      'Have the host, or this machine, exempt from that proxy; or go through it with --proxy and its credentials.',
  },
  'http.misdirected': {
    title: 'The server does not serve this host on this connection',
    cause:
      'Status 421 (RFC 9110, 15.5.20): whoever answers is not set up for the host that is called, on a connection with this TLS server name. The two names differ, or the connection was led to another server.',
    remedy:
      'Compare the TLS server name with the host of the base URL; if both are right, have the routes of the front corrected, which go by these names.',
  },
  'http.wants-tls': {
    title: 'The port speaks TLS',
    cause: 'The base URL says http, and the port answers the beginning of a TLS handshake.',
    remedy: 'Set the base URL to https, with this port.',
  },
  'http.malformed': {
    title: 'The response breaks the rules of HTTP',
    cause:
      'The response begins as one of HTTP, and the HTTP client (undici) does not take it: lengths that contradict each other, a line that is no header, a damaged chunk, an interim status 100 that nobody asked for. The evidence has the client’s own sentence, and in `sender` who sent it, as far as TLS shows that.',
    remedy:
      'Have the program that sends it corrected, which may be a gateway in front of the service; other clients may read the same bytes differently.',
  },
  'http.cut-short': {
    title: 'The response is not complete',
    cause:
      'The response began and did not reach its end, as the connection was closed or the time was over before all of it came. The evidence says how much of it came.',
    remedy:
      'Compare the bytes in the evidence with what the sender logs: a wrong `content-length`, a server that stops in the middle, or a path that loses large packets.',
    isRetryable: true,
    isOfTime: true,
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
      'The response leads elsewhere, which the service’s specification does not provide for: the scheme or the host of the base URL is wrong, or a gateway or a login page answers; if it leads back to the call itself, a front that ends TLS does not tell the server behind it that the call was in https. The redirect was not followed.',
    remedy:
      'Check the base URL; the evidence has the location, and `sender` who sent it, as far as TLS shows that.',
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
      'The service answers other calls over the same path. What leaves this one unanswered is the service, one of several servers behind its address, or something in front of it that judges calls by their content.',
    remedy:
      'Try again later; if it persists, quote the time and the log id in the evidence to the service’s support.',
    isRetryable: true,
  },
  'clock.skew': {
    title: 'The clocks differ',
    cause:
      'The clock of this machine and the header `Date` of the response are more than 5 s apart; this alone does not show which is wrong.',
    remedy:
      'Compare this machine’s clock with a time server and synchronize it (NTP) if it is wrong; a JWT is valid only for a limited time.',
    exit: EXIT.strictWarning,
  },
  'clock.far-off': {
    title: 'The clocks are more than 60 s apart',
    cause:
      'The service issued a token anyway, but this machine’s clock and the header `Date` of the response are so far apart that other clients, or the next JWT, may be refused. This alone does not show which is wrong.',
    remedy:
      'Compare this machine’s clock with a time server. If it is wrong, synchronize it (NTP); if it is right, report the date to whoever runs what answers.',
    exit: EXIT.clock,
  },
});
