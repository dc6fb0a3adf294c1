import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Reasons why no connection opens. */
export const TCP_CODES = codesWithExit(EXIT.tcp, {
  'tcp.slow': {
    title: 'The connection opens slowly',
    cause:
      'Two attempts took more than 250 ms each, or one took the second that a lost packet costs. With several addresses, Node.js gives up on each attempt after 250 ms (20, 22 and 24 alike) and reports an error without a message.',
    remedy:
      'Ask the owners of Node.js applications to raise `autoSelectFamilyAttemptTimeout`; look for packet loss.',
    exit: EXIT.strictWarning,
  },
  'tcp.timeout': {
    title: 'The connection attempt gets no answer',
    cause:
      'Something on the path drops the packets: a security group or network ACL, a missing route, or an endpoint connection that is not accepted yet.',
    withoutEndpoint: {
      cause:
        'Something on the path drops the packets, or the answers to them: a firewall, security group or network ACL, or a missing route.',
      remedy:
        'Check that this side lets packets out to the address and port in the evidence (security group, firewall, NAT), then the routes.',
    },
    remedy:
      'Check the endpoint’s security group (inbound, the port, from this machine’s network), then the endpoint’s connection status, then the routes.',
    isRetryable: true,
    isOfTime: true,
  },
  'tcp.refused': {
    title: 'The connection is refused',
    cause:
      'The host at the address refuses the connection: nothing listens on the port, or a firewall rejects it.',
    remedy: 'Check the port of the base URL, the address, and the listener behind the endpoint.',
    withoutEndpoint: {
      remedy:
        'Check the address and the port of the base URL, and firewalls on this side that reject connections.',
    },
  },
  'tcp.unreachable': {
    title: 'The address is unreachable',
    cause:
      'This machine or a router on the path reports that it cannot reach the address: no route leads there, no host there has the address, or a firewall rejects the packets.',
    remedy:
      'Check that the address still exists, that the check runs inside the private network, and the routes.',
    withoutEndpoint: {
      remedy: 'Check the routes of this machine, and firewalls that reject packets.',
    },
  },
  'tcp.failed': {
    title: 'The connection fails',
    cause: 'The operating system refused or lost the connection attempt.',
    remedy: 'Read the error in the evidence.',
  },
});
