import { type CodeFacts, EXIT } from '../code-facts.js';

/** What is wrong with the proxy in between. */
export const PROXY_CODES = {
  'proxy.catches-host': {
    title: 'The proxy intercepts a host that should be called directly',
    cause: 'Directly the service answers; through the proxy it does not.',
    remedy:
      'Add the full host name itself to NO_PROXY: every client understands that, and none compares a name with addresses or networks there.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'proxy.needed': {
    title: 'Only the proxy leads to the service',
    cause: 'Through the proxy of the environment the service answers; the direct path fails.',
    remedy:
      'If the proxy is meant to be used, check with --proxy; on a private link it leaves the private network.',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'proxy.leaves-network': {
    title: 'The path through the proxy is not the private one',
    cause:
      'Clients that obey the proxy of the environment reach the service by an address of the proxy’s choice, and so may leave the private network.',
    remedy:
      'Correct what fails on the direct path, and add the host name to NO_PROXY, so that clients take it.',
    look: 'the proxy’s network, and the address that it resolves the name to',
    kind: 'final',
    exit: EXIT.address,
  },
  'proxy.unreachable': {
    title: 'The proxy does not answer',
    cause: 'No connection to the proxy could be opened, or it did not speak HTTP.',
    remedy: 'Check the proxy’s address and port, or check without --proxy.',
    kind: 'retryable',
    exit: EXIT.tcp,
  },
  'proxy.refused': {
    title: 'The proxy refuses',
    cause: 'The proxy answered the request for a tunnel with an error of its own.',
    remedy:
      'Status 407: give the proxy’s credentials; 403: have the host allowed, or add it to NO_PROXY; 5xx: the proxy does not reach the host.',
    kind: 'final',
    exit: EXIT.tcp,
  },
} as const satisfies Record<string, CodeFacts>;
