import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of the proxy in between. */
export const PROXY_CODES = codesWithExit(EXIT.tcp, {
  'proxy.bypass': {
    title: 'The service should be called without the proxy',
    cause: 'The service answers directly, but not through the proxy.',
    remedy: 'Add the full host name itself to NO_PROXY, which every client understands.',
    seen: {
      indirect: {
        cause:
          'Clients that use the proxy in the environment reach the service at an address that the proxy chooses, and so may leave the private network.',
        remedy: 'Fix the direct path, and add the host name to NO_PROXY so that clients take it.',
        inspect: 'the proxy’s network, and the address that it resolves the name to',
      },
    },
  },
  'proxy.needed': {
    title: 'The service is reachable only through the proxy',
    cause: 'The service answers through the proxy in the environment; the direct path fails.',
    remedy:
      'If the proxy is meant to be used, check with --proxy; on a private link, traffic through it leaves the private network.',
  },
  'proxy.refused': {
    title: 'The proxy opens no tunnel',
    cause: 'The proxy answered the CONNECT request with an error of its own.',
    remedy:
      'Status 407: provide the proxy’s credentials; 429: call less often, or have the limit raised; 511: log in to the network first; 403: have the host allowed, or add it to NO_PROXY; other 5xx: the proxy cannot reach the host.',
    seen: {
      'no answer': {
        cause: 'No connection to the proxy could be opened, or it did not speak HTTP.',
        remedy: 'Check the proxy’s address and port, or check without --proxy.',
        isRetryable: true,
        isOfTime: true,
      },
    },
  },
});
