import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of an answer, and of what is behind the address, or why none comes, whichever call it is. */
export const HTTP_CODES = codesWithExit(EXIT.http, {
  'server.no-target': {
    title: 'What is behind the address does not answer',
    cause: 'The endpoint accepts the connection, but nothing behind it answers.',
    remedy: 'Ask the provider about the health of the targets behind the endpoint service.',
    inspect: 'the health of the server group behind the endpoint service',
    withoutEndpoint: {
      cause: 'The connection is accepted, but nothing behind it answers.',
      remedy: 'Report the address and the time to the service’s support.',
      inspect: 'the health of the targets behind the load balancer',
    },
    isRetryable: true,
    exit: EXIT.tls,
    seen: {
      'behind a front': {
        cause:
          'A load balancer or gateway accepts the call, and what is behind it is missing, hangs or fails: no target is healthy, or the port or protocol there is wrong.',
        remedy:
          'Have whoever runs it check its targets (health, port, protocol, time limits), with the address, time and body in the evidence.',
        inspect: 'the health checks of the load balancer, and its log of this time',
      },
      'hung program': {
        cause:
          'The operating system of the server accepts connections, and nothing is answered on them: its program hangs or was stopped, or a load balancer has no target for them.',
        remedy:
          'Have the server’s program, or the targets of the load balancer, checked and restarted.',
        inspect: 'the process that owns the port, and the length of its accept queue',
      },
    },
  },
  'server.unsteady': {
    title: 'Only some connections or calls are completed',
    cause:
      'Of several connections to one address, with nothing changed, some are completed and some are not: of the servers behind it not all work, packets are lost now and then, or the fault was over when it was looked for.',
    remedy:
      'Check the targets behind the address one by one, and the path for lost packets; repeat the check, or let it retry with --wait.',
    inspect: 'the health of each target behind the load balancer',
    isRetryable: true,
    seen: {
      'first call only': {
        cause:
          'The call fails on a connection that has carried one before, and is answered on a new one: a server or load balancer does not keep its connections for several calls, or the fault comes and goes.',
        remedy:
          'Repeat the check: if it fails so each time, have keep-alive checked at the load balancer and at what is behind it (idle times, connections to the targets).',
        inspect:
          'the idle times of the load balancer, which must be shorter than those of its targets',
      },
      'one call lost': {
        cause:
          'The service answers other calls over the same path. What leaves this one unanswered is the service, one of several servers behind its address, or something in front of it that judges calls by their content.',
        remedy:
          'Try again later; if it persists, quote the time and the log id in the evidence to the service’s support.',
      },
    },
  },
  'server.other-http': {
    title: 'The server does not speak HTTP/1.1',
    cause:
      'The server refuses HTTP/1.1 when the protocol is agreed on (ALPN), or begins with a frame of HTTP/2: it may speak HTTP/2 alone. This program speaks HTTP/1.1.',
    remedy:
      'Have HTTP/1.1 allowed beside HTTP/2 at the load balancer or server; or check which server is at the address.',
    inspect: 'the protocols (ALPN) of the listener',
  },
  'server.other-service': {
    title: 'Another service is at the address',
    cause: 'What answers is not the service that the link is for.',
    remedy: 'Check which endpoint service the endpoint belongs to, and the base URL.',
    inspect: 'the endpoint’s `service_name`',
    withoutEndpoint: {
      remedy: 'Check the base URL, what the name resolves to, and where the address belongs.',
      inspect: 'where the address belongs',
    },
    exit: EXIT.tls,
  },
  'http.timeout': {
    title: 'The request gets no answer',
    cause: 'The connection works, but no complete answer came in time.',
    remedy:
      'Try again later; if it persists, look for a gateway without a healthy target; after an answer with a log id, quote that and the time to the service’s support.',
    isRetryable: true,
    isOfTime: true,
    seen: {
      'HTTP 408': {
        title: 'The server got no whole request in time',
        cause:
          'Status 408 (RFC 9110, 15.5.9): whoever answers waited for a request on this connection and got none, or not all of it. Servers end an idle connection so, perhaps before the request was sent; or the end of the request is lost on the path. The evidence `sender` says who it is, as far as TLS shows that.',
        remedy:
          'Try again; if it persists, compare the time that the server, or the gateway in front of it, waits for requests with the times in the report, and look at the path MTU towards it.',
      },
    },
  },
  'http.reset': {
    title: 'The connection is cut off during the request',
    cause: 'The connection was closed before a complete answer came.',
    remedy:
      'Try again later; if it persists, look for a gateway or filter that closes connections; after an answer with a log id, quote that and the time to the service’s support.',
    isRetryable: true,
    isOfTime: true,
    seen: {
      'cut short': {
        cause:
          'The response began and did not reach its end, as the connection was closed or the time was over before all of it came. The evidence says how much of it came.',
        remedy:
          'Compare the bytes in the evidence with what the sender logs: a wrong `content-length`, a server that stops in the middle, or a path that loses large packets.',
      },
    },
  },
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
    seen: {
      'token call': {
        exit: EXIT.token,
        cause:
          'The response has neither a token that can be used nor an error in the service’s JSON format. The evidence says how it differs, and in `sender` who sent it, as far as TLS shows that.',
        remedy:
          'Read the body in the evidence, which often says who sent it; have the call allowed there, or quote the log id to the service’s support.',
      },
      'API call': {
        exit: EXIT.workspaces,
        cause:
          'The response is not in the service’s JSON format, or lacks what was asked for. The evidence says how it differs, and in `sender` who sent it, as far as TLS shows that.',
        remedy:
          'Read the body in the evidence, which often says who sent it; have the call allowed there, or quote the log id to the service’s support.',
      },
      redirect: {
        title: 'The server redirects',
        cause:
          'The response leads elsewhere, which the service’s specification does not provide for: the scheme or the host of the base URL is wrong, or a gateway or a login page answers; if it leads back to the call itself, a front that ends TLS does not tell the server behind it that the call was in https. The redirect was not followed.',
        remedy:
          'Check the base URL; the evidence has the location, and `sender` who sent it, as far as TLS shows that.',
      },
      'HTTP 511': {
        title: 'A network login is required',
        cause:
          'Status 511 (RFC 6585): whoever answers controls the access to the network, as a captive portal does, and asks for a login first. The evidence `sender` says who it is, as far as TLS shows that.',
        remedy:
          'Log in to the network, or run the check from a network without such a portal; the evidence may name the login page.',
      },
      'HTTP 407': {
        title: 'A proxy asks for a login',
        cause:
          'Status 407 (RFC 9110, 15.5.8), which only proxies send: one that intercepts the call, or stands in front of the service, passes on only what has its own credentials. The evidence `sender` says who it is, as far as TLS shows that.',
        remedy:
          'Have the host, or this machine, exempt from that proxy; or go through it with --proxy and its credentials.',
      },
      'HTTP 421': {
        title: 'The server does not serve this host on this connection',
        cause:
          'Status 421 (RFC 9110, 15.5.20): whoever answers is not set up for the host that is called, on a connection with this TLS server name. The two names differ, or the connection was led to another server.',
        remedy:
          'Compare the TLS server name with the host of the base URL; if both are right, have the routes of the front corrected, which go by these names.',
      },
      'invalid HTTP': {
        cause:
          'The response begins as one of HTTP, and the HTTP client (undici) does not take it: lengths that contradict each other, a line that is no header, a damaged chunk, an interim status 100 that nobody asked for. The evidence has the client’s own sentence, and in `sender` who sent it, as far as TLS shows that.',
        remedy:
          'Have the program that sends it corrected, which may be a gateway in front of the service; other clients may read the same bytes differently.',
      },
      'too long': {
        title: 'The response is longer than this program reads',
        cause:
          'The response, its head, or one event of a stream is longer than the limit of this program, which no known answer of the service comes near.',
        remedy:
          'The limit is in the evidence. For a chat, ask for less at once; otherwise find out from the beginning of the response who sends it.',
      },
    },
  },
  'http.server-error': {
    title: 'The server reports an error of its own',
    cause: 'A gateway or the service answers with a 5xx status.',
    remedy: 'Try again later; if it persists, quote the log id to the service’s support.',
    isRetryable: true,
    seen: {
      'token call': {
        exit: EXIT.token,
        cause:
          'The service reports an internal error, or it or a gateway in front of it answers the token call with a 5xx status.',
      },
    },
  },
  'http.rate-limited': {
    title: 'Too many requests',
    cause: 'A gateway in front of the service, or the service, limits how often it may be called.',
    remedy:
      'Wait and try again; if it persists, find out from the body in the evidence who limits it.',
    isRetryable: true,
    seen: {
      'token call': {
        exit: EXIT.token,
        cause:
          'A gateway in front of the service, or the service, limits how often tokens may be requested.',
        remedy: 'Wait and try again; keep a token until shortly before it expires.',
      },
    },
  },
  'http.odd-answer': {
    title: 'The response has an unusual format',
    cause:
      'The response is in the service’s format, and the evidence names what in it stricter clients refuse.',
    remedy:
      'The link works. Have whoever answers at this address send the same as at the others, or quote the log id to the service’s support.',
    exit: EXIT.strictWarning,
    seen: {
      'token call': {
        cause:
          'The response holds a token and, beside it, something that says otherwise; the evidence names it. The token was tried all the same.',
        remedy:
          'Quote the log id to the service’s support: other clients may refuse the token, or ask for a new one at each call.',
      },
      'API call': {
        cause:
          'The service accepts the token and reports success, but the response is not what this check knows; the specification does not show the format of the workspace list.',
        remedy:
          'The link works. If your clients read the workspace list, compare what they expect with the evidence.',
      },
    },
  },
});
