import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of a server that the load balancer of a private plugin calls. */
export const BACKEND_CODES = codesWithExit(EXIT.connection, {
  'backend.refused': {
    title: 'The plugin’s server refuses connections',
    cause:
      'Nothing listens on the server’s port, or a firewall on the path rejects the connection.',
    remedy: 'Start the backend on the port that `servers` names, or correct the port.',
    isRetryable: true,
  },
  'backend.silent': {
    title: 'The plugin’s server accepts connections and does not answer',
    cause:
      'There was no complete answer to the health check within the time that the load balancer allows.',
    remedy:
      'Check the backend: it hangs, or its health check is waiting for something that does not answer.',
    isRetryable: true,
    isOfTime: true,
  },
  'backend.not-http': {
    title: 'The plugin’s server gives no answer in HTTP',
    cause:
      'The server closed the connection without an answer, or its response is not plain HTTP, which the listener’s health check uses; the evidence says which.',
    remedy:
      'Have the backend speak plain HTTP on that port, or choose the protocol TCP, which passes TLS through. One that closes without an answer may expect TLS or a header of the PROXY protocol, or fail at the request: its log tells.',
    isRetryable: true,
    isOfTime: true,
  },
  'backend.unhealthy': {
    title: 'The plugin’s server does not answer the health check with 2xx',
    cause: 'The load balancer sends calls only to servers that answer `healthCheckPath` with 2xx.',
    remedy: 'Fix the backend, or choose a path that a healthy backend answers with 2xx.',
    isRetryable: true,
  },
});
