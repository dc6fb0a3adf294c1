import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Causes that lie with the server at the address, whoever runs it. */
export const SERVER_CODES = codesWithExit(EXIT.tls, {
  'server.no-listener': {
    title: 'Nothing listens at the address',
    cause: 'A host has the address, but nothing on it accepts connections on the port.',
    remedy: 'Check the port of the base URL and the address that the name resolves to.',
    exit: EXIT.tcp,
  },
  'server.no-target': {
    title: 'The load balancer at the address has no healthy target',
    cause: 'The connection is accepted, but nothing behind it answers.',
    remedy: 'Report the address and the time to the service’s support.',
    isRetryable: true,
  },
  'server.other-service': {
    title: 'Another server is at the address',
    cause: 'What answers is not the service that the link is for.',
    remedy: 'Check the base URL, what the name resolves to, and where the address belongs.',
  },
  'server.no-backend': {
    title: 'What is behind the front does not answer',
    cause:
      'A load balancer or gateway completes the handshake or answers with a 5xx status of its own, and what it passes requests on to is missing, hangs or fails: no target is healthy, or the port or protocol behind it is wrong.',
    remedy:
      'Have the targets of the load balancer or gateway checked (health, port, protocol, time limits); give the address, the time and the body in the evidence to whoever runs it.',
    inspect: 'the health of the targets behind the load balancer, and its log of this time',
    isRetryable: true,
    exit: EXIT.http,
  },
  'server.hung': {
    title: 'The program behind the port does not respond',
    cause:
      'The operating system of the server accepts connections, and nothing whatever is answered on them: its program hangs or was stopped, or a load balancer accepts connections that it has no target for.',
    remedy:
      'Have the server’s program, or the targets of the load balancer, checked and restarted.',
    inspect: 'the state of the process that owns the port, and the length of its accept queue',
    isRetryable: true,
  },
  'server.unsteady': {
    title: 'Only some connections are completed',
    cause:
      'Of several connections to one address, with nothing changed, some are completed and some are not: of the servers behind it not all work, packets are lost now and then, or the fault was over when it was looked for.',
    remedy:
      'Check the targets behind the address one by one, and the path for lost packets; repeat the check, or let it retry with --wait.',
    inspect: 'the health of each target behind the load balancer',
    isRetryable: true,
  },
  'server.other-http': {
    title: 'The server does not speak HTTP/1.1',
    cause:
      'The server refuses HTTP/1.1 when the protocol is agreed on (ALPN), or begins with a frame of HTTP/2: it may speak HTTP/2 alone. This program speaks HTTP/1.1.',
    remedy:
      'Have HTTP/1.1 allowed beside HTTP/2 at the load balancer or server; or check which server is at the address.',
    inspect: 'the protocols (ALPN) of the listener',
  },
  'server.one-call': {
    title: 'Only the first call on a connection is answered',
    cause:
      'The call fails on a connection that has carried one before, and is answered on a new one: a server or load balancer does not keep its connections for several calls, or the fault comes and goes.',
    remedy:
      'Repeat the check: if it fails so each time, have keep-alive checked at the load balancer and at what is behind it (idle times, connections to the targets).',
    inspect: 'the idle times of the load balancer, which must be shorter than those of its targets',
    isRetryable: true,
    exit: EXIT.http,
  },
});
