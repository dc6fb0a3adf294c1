import { codesWithExit, EXIT } from '../code-facts.js';

/** Why no connection opens, directly or through a proxy. */
export const TCP_CODES = codesWithExit(EXIT.tcp, {
  'proxy.catches-host': {
    title: 'The proxy intercepts a host that should be called directly',
    cause: 'The service answers directly, but not through the proxy.',
    remedy:
      'Add the full host name itself to NO_PROXY: every client understands that, and none compares a name with addresses or networks in NO_PROXY.',
  },
  'proxy.needed': {
    title: 'The service is reachable only through the proxy',
    cause: 'The service answers through the proxy in the environment; the direct path fails.',
    remedy:
      'If the proxy is meant to be used, check with --proxy; on a private link, traffic through it leaves the private network.',
  },
  'proxy.leaves-network': {
    title: 'The path through the proxy is not the private one',
    cause:
      'Clients that use the proxy in the environment reach the service at an address that the proxy chooses, and so may leave the private network.',
    remedy: 'Fix the direct path, and add the host name to NO_PROXY so that clients take it.',
    inspect: 'the proxy’s network, and the address that it resolves the name to',
    exit: EXIT.address,
  },
  'proxy.unreachable': {
    title: 'The proxy does not answer',
    cause: 'No connection to the proxy could be opened, or it did not speak HTTP.',
    remedy: 'Check the proxy’s address and port, or check without --proxy.',
    isRetryable: true,
  },
  'proxy.refused': {
    title: 'The proxy refuses the tunnel',
    cause: 'The proxy answered the CONNECT request with an error of its own.',
    remedy:
      'Status 407: provide the proxy’s credentials; 403: have the host allowed, or add it to NO_PROXY; 5xx: the proxy cannot reach the host.',
  },
  'tcp.slow': {
    title: 'The connection opens slowly',
    cause:
      'It took more than 250 ms: with several addresses, Node.js 20 gives up on each attempt after that time and reports an error without a message.',
    remedy:
      'Ask the owners of Node.js applications to raise `autoSelectFamilyAttemptTimeout`; look for packet loss.',
    exit: EXIT.strictWarning,
  },
  'tcp.timeout': {
    title: 'The connection attempt gets no answer',
    cause:
      'Something on the path drops the packets: a security group or network ACL, a missing route, or an endpoint connection that is not accepted yet.',
    remedy:
      'Check the endpoint’s security group (inbound, the port, from this machine’s network), then the endpoint’s connection status, then the routes.',
    isRetryable: true,
  },
  'tcp.refused': {
    title: 'The connection is refused',
    cause:
      'The host at the address refuses the connection: nothing listens on the port, or a firewall rejects it.',
    remedy: 'Check the port of the base URL, the address, and the listener behind the endpoint.',
  },
  'tcp.unreachable': {
    title: 'The address is unreachable',
    cause:
      'This machine or a router on the path reports that it cannot reach the address: no route leads there, no host there has the address, or a firewall rejects the packets.',
    remedy:
      'Check that the address still exists, that the check runs inside the private network, and the routes.',
  },
  'tcp.failed': {
    title: 'The connection fails',
    cause: 'The operating system refused or lost the connection attempt.',
    remedy: 'Read the error in the evidence.',
  },
});
